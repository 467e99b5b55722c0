"""Changes to a graph after reading or parsing it: empty nodes, the basic tree, guarantees, another main graph."""

from __future__ import annotations

from arctag.transforms.basic_tree import with_tree
from arctag.transforms.empty_nodes import TREATMENTS, collapse, drop, expand, keep
from arctag.transforms.guarantees import GUARANTEES, guaranteed
from arctag.transforms.main_graph import with_main

__all__ = [
    "GUARANTEES",
    "TREATMENTS",
    "collapse",
    "drop",
    "expand",
    "guaranteed",
    "keep",
    "with_main",
    "with_tree",
]
