"""`GraphLabels`: trees in the labels of an encoding of graphs, of which they need but a part."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from arctag.encodings.base import Encoding, bad_label
from arctag.encodings.labels import LabelRow, Labels
from arctag.encodings.trees.base import Repairs, TreeEncoding, as_arcs
from arctag.encodings.trees.one_head import leftmost_heads
from arctag.errors import InputError
from arctag.graph import IntArray


class GraphLabels(TreeEncoding):
    """An encoding of trees whose labels are those of an encoding of graphs."""

    example: ClassVar[str]
    """A label."""

    @property
    @abstractmethod
    def graphs(self) -> Encoding:
        """The encoding of graphs."""

    @property
    def factors(self) -> tuple[int, ...]:
        return self.graphs.factors

    def encode_trees(self, sizes: IntArray, heads: IntArray) -> Labels:
        labels = self.graphs.encode_all(as_arcs(sizes, heads))
        return Labels(labels.values, labels.offsets, labels.sizes)  # every word has a head, so no arc is marked as null

    def decode_heads(self, labels: Labels) -> tuple[IntArray, Repairs]:
        decoded = self.graphs.decode_all(Labels(labels.values, labels.offsets, labels.sizes))
        return leftmost_heads(decoded.arcs, decoded.repairs), decoded.repairs

    def format(self, row: Sequence[int]) -> str:
        return self.graphs.format(row)

    def parse(self, text: str) -> LabelRow:
        try:
            return self.graphs.parse(text)
        except InputError:
            raise bad_label(self.name, text, self.example) from None
