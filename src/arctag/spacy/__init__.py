"""Arctag in spaCy: `nlp.add_pipe("arctag")`, then `doc._.graph`.

Importing this imports neither spaCy nor torch, which spaCy imports if it is installed. spaCy asks for `make_component`
when it looks for factories; the component is registered then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arctag.spacy.component import ArctagComponent
from arctag.spacy.doc_graph import DocArc, DocGraph
from arctag.spacy.extensions import set_extensions

if TYPE_CHECKING:
    from arctag.spacy.factory import make_component

__all__ = ["ArctagComponent", "DocArc", "DocGraph", "make_component", "set_extensions"]


def __getattr__(name: str) -> Any:
    if name != "make_component":
        raise AttributeError(f"module 'arctag.spacy' has no attribute {name!r}")
    from arctag.spacy.factory import registered

    return registered()
