"""Dependency graphs as one label per word."""

from __future__ import annotations

__version__ = "0.1.0"

from arctag.empty_nodes import collapse, drop, expand
from arctag.encodings import Decoded, Encoding, Labels, encoding
from arctag.errors import ArctagError
from arctag.formats import read, write
from arctag.graph import Arc, Graph
from arctag.sentence import Sentence

__all__ = [
    "Arc", "ArctagError", "Decoded", "Encoding", "Graph", "Labels", "Sentence", "__version__", "collapse", "drop",
    "encoding", "expand", "read", "write",
]  # fmt: skip
