"""Search in treebanks: words by form, lemma or tag, arcs by relation, and small graphs of them."""

from __future__ import annotations

from arctag.search.counting import count_by
from arctag.search.matching import Match, Pattern, search
from arctag.search.reading import PatternError

__all__ = ["Match", "Pattern", "PatternError", "count_by", "search"]
