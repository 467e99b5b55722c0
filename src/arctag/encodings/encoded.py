"""`EncodedGraphs`: graphs in several encodings, each computed once."""

from __future__ import annotations

from arctag.encodings.base import Encoding
from arctag.encodings.labels import Arcs, Labels
from arctag.graph import BoolArray


class EncodedGraphs:
    """Graphs with their labels and coverage, which are computed when first asked for, and kept."""

    def __init__(self, arcs: Arcs) -> None:
        self.arcs = arcs
        self._labels: dict[Encoding, Labels] = {}
        self._covered: dict[Encoding, BoolArray] = {}

    def labels(self, encoding: Encoding) -> Labels:
        """The labels of all words."""
        if encoding not in self._labels:
            self._labels[encoding] = encoding.encode_all(self.arcs)
        return self._labels[encoding]

    def covered(self, encoding: Encoding) -> BoolArray:
        """Which arcs survive encoding and decoding."""
        if encoding not in self._covered:
            self._covered[encoding] = encoding.covers_all(self.arcs)
        return self._covered[encoding]
