"""The whole table of the CoNLL 2018 and IWPT evaluations: words, tags, lemmas, trees and graphs."""

from __future__ import annotations

from collections.abc import Iterator

from arctag.errors import InputError
from arctag.metrics.aligned import Aligned
from arctag.metrics.aligned_metric import AlignedMetric, headline_of
from arctag.metrics.graph_scores import graph_scores
from arctag.metrics.protocol import Pair
from arctag.metrics.tree_scores import TREES, tagged_tree_scores, tree_pairs, tree_scores
from arctag.metrics.word_scores import SEGMENTATION, TAGS, segmentation_scores, tag_scores
from arctag.sentence import Sentence


class ConllMetric(AlignedMetric):
    """The figures of the official scorer; tokens and sentences may differ, the text must be the same."""

    name = "conll"
    scores = (*SEGMENTATION, *TAGS, *TREES, "ELAS", "EULAS")
    parts = (segmentation_scores, tag_scores, tree_scores, tagged_tree_scores, graph_scores)
    headline = headline_of("LAS", scores)
    unlabelled = ("UAS", "f1")

    def aligned(self, gold: list[Sentence], system: list[Sentence]) -> Aligned:
        """Both sides, aligned; they must be CoNLL-U."""
        for side, sentences in (("gold", gold), ("system", system)):
            other = next((sentence.format for sentence in sentences if sentence.format != "conllu"), None)
            if other:
                raise InputError(f"metric conll scores CoNLL-U files, and {side} is {other}: use metric sdp or elas")
        return super().aligned(gold, system)

    def arcs(self, both: Aligned) -> Iterator[Pair]:
        """The arcs of the basic trees, without subtypes."""
        return tree_pairs(both)
