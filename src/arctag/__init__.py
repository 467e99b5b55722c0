"""Dependency graphs as one label per word."""

from __future__ import annotations

__version__ = "0.1.0"

from arctag.errors import ArctagError
from arctag.formats import read, write
from arctag.graph import Arc, Graph
from arctag.sentence import Sentence

__all__ = ["Arc", "ArctagError", "Graph", "Sentence", "__version__", "read", "write"]
