"""Dependency graphs as one label per word."""

from __future__ import annotations

from importlib import import_module as _import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

from arctag.errors import ArctagError
from arctag.formats import read, write
from arctag.graph import Arc, Graph
from arctag.sentence import Sentence, Token
from arctag.transforms.empty_nodes import collapse, drop, expand

if TYPE_CHECKING:
    from arctag.encodings import Decoded, Encoding, Labels, encoding
    from arctag.metrics import score
    from arctag.parsing.loading import load
    from arctag.parsing.parser import ParseOptions, Parser
    from arctag.training.api import train

__all__ = [
    "Arc", "ArctagError", "Decoded", "Encoding", "Graph", "Labels", "ParseOptions", "Parser", "Sentence", "Token",
    "__version__", "collapse", "drop", "encoding", "expand", "load", "read", "score", "train", "write",
]  # fmt: skip

_LATER = {
    "Decoded": "arctag.encodings",
    "Encoding": "arctag.encodings",
    "Labels": "arctag.encodings",
    "encoding": "arctag.encodings",
    "ParseOptions": "arctag.parsing.parser",
    "Parser": "arctag.parsing.parser",
    "load": "arctag.parsing.loading",
    "train": "arctag.training.api",
    "score": "arctag.metrics",
}
"""What is imported when it is first asked for, so that `import arctag` stays quick."""


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'arctag' has no attribute {name!r}")
    return getattr(_import_module(_LATER[name]), name)
