"""The IWPT scores: tokens, sentences and words, UAS, LAS and CLAS over the tree, ELAS and EULAS over the graph."""

from __future__ import annotations

from collections.abc import Iterator

from arctag.metrics.aligned import Aligned
from arctag.metrics.aligned_metric import AlignedMetric, headline_of
from arctag.metrics.graph_scores import graph_pairs, graph_scores
from arctag.metrics.protocol import Pair
from arctag.metrics.tree_scores import tree_scores
from arctag.metrics.word_scores import SEGMENTATION, segmentation_scores


class ElasMetric(AlignedMetric):
    """The figures of the official scorer of IWPT 2021; tokens and sentences may differ, the text must be the same."""

    name = "elas"
    scores = (*SEGMENTATION, "UAS", "LAS", "ELAS", "EULAS", "CLAS")
    parts = (segmentation_scores, tree_scores, graph_scores)
    headline = headline_of("ELAS", scores)
    unlabelled = ("EULAS", "f1")

    def arcs(self, both: Aligned) -> Iterator[Pair]:
        """The enhanced arcs."""
        return graph_pairs(both)
