"""`TreeLayer`: HEAD and DEPREL, always a tree with one root."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
import numpy.typing as npt

from arctag.blocks.arcs import BlockArcs
from arctag.blocks.flat import Flat, Table
from arctag.blocks.forms import Forms
from arctag.cells import Numbers
from arctag.columns import DEPREL, HEAD
from arctag.encodings import Arcs
from arctag.encodings.labels import offsets_of
from arctag.errors import InputError
from arctag.graph import BoolArray
from arctag.layers.arc_targets import GraphTargets
from arctag.layers.arcs import ArcLayer
from arctag.layers.base import Outcome, Output, Question, Selection, Targets
from arctag.layers.columns import has_trees
from arctag.layers.evidence import OF_TREES, of_tree, scorer_alone, weighed
from arctag.layers.fitting import Examples, fit_choice
from arctag.layers.further_arcs import with_tops
from arctag.layers.odds import softmax
from arctag.layers.predicted import NULL, Predicted
from arctag.layers.proposals import named, scored, verified, with_root
from arctag.layers.types import Counts, Floats
from arctag.sentence import Sentence
from arctag.transforms.spanning_tree import spanning_trees

TREE = "tree"
"""The name of the layer that is HEAD and DEPREL."""
T = TypeVar("T", bound=np.generic)
_TOPS = 3  # words of a sentence that are tried as heads of all others
_NEARBY = 10  # words on each side; labels propose the heads that are farther away


@dataclass(frozen=True, kw_only=True)
class TreeLayer(ArcLayer):
    """A tree: the best one over the arcs that labels propose, those between near words and those from likely tops."""

    kind: ClassVar[str] = "tree"
    written: ClassVar[tuple[str, ...]] = ("HEAD", "DEPREL")
    evidence: ClassVar[tuple[str, ...]] = OF_TREES
    one_head: ClassVar[bool] = True

    @classmethod
    def graphs_in(cls, sentences: Sequence[Sentence], column: str) -> BlockArcs:  # noqa: ARG003
        """The trees as graphs with an arc for each word."""
        if other := next((sentence for sentence in sentences if not has_trees(sentence)), None):
            raise InputError(f"{other.id}: there is no tree in {other.format} files")
        flat = Flat(sentences)
        texts, relations = Table(), Table()
        numbers = flat.column(HEAD, texts)
        names = flat.column(DEPREL, relations)
        known = list(texts)
        if wrong := [text for text in known if not text.isdecimal()]:
            at = int(np.flatnonzero(numbers == known.index(wrong[0]))[0])
            owner = int(np.searchsorted(offsets_of(flat.sizes), at, side="right")) - 1
            raise InputError(f"{sentences[owner].id}: found HEAD {wrong[0]!r}; to learn trees every word needs one")
        heads: Numbers = np.array([int(text) for text in known], dtype=np.int32)[numbers]
        sizes = flat.sizes.astype(np.int32)
        return BlockArcs(Arcs(sizes, offsets_of(sizes), *_columns(sizes, heads)), (names, [(n,) for n in relations]))

    @classmethod
    def _reach(cls, covered: Sequence[BoolArray]) -> int:
        """Farther than for graphs: a word takes the best of its heads, so that more of them do no harm."""
        return max(_NEARBY, super()._reach(covered))

    def probabilities(self, predicted: Predicted) -> Floats:
        """The probability of each arc among those that are proposed for its word."""
        return softmax(predicted.arc_scores, predicted.word_starts)

    def limit(self, threshold: float | None) -> float:  # noqa: ARG002
        """All arcs take part in the search for the best tree."""
        return 0.0

    def conclude(self, question: Question, proposed: Predicted, others: Mapping[str, Any]) -> Predicted:  # noqa: ARG002
        """The best tree over the proposed arcs, with its relations."""
        if self.verifies:
            proposed = with_tops(self, question, proposed, _TOPS)
        predicted = verified(self, question, proposed)
        if question.undecided == self.name:
            return replace(predicted, evidence=of_tree(predicted))
        if self.weights:
            predicted = scored(self, replace(predicted, arc_scores=weighed(of_tree(predicted), self.weights)))
        has_null = NULL in self.relations
        if has_null:  # they go at once: a tree is about arcs that stay
            predicted = named(self, question, predicted)
        with question.timer("decoding"):
            chosen = replace(_best_trees(predicted), names=self.relations)
        return with_root(self, chosen if has_null else named(self, question, chosen))

    def write(self, sentences: Sequence[Sentence], prediction: Predicted, output: Output) -> list[Sentence]:
        """The sentences with HEAD and DEPREL."""
        ends = offsets_of(prediction.sizes).tolist()
        heads = prediction.heads.astype(np.int32)
        ids = list(map(str, range(int(prediction.sizes.max(initial=0)) + 1)))
        numbers, names = prediction.relations.astype(np.int32), ["".join(relations) for relations in self.relations]
        written = []
        for sentence, start, end in zip(sentences, ends, ends[1:], strict=False):
            columns = {HEAD: Forms(heads[start:end], ids), DEPREL: Forms(numbers[start:end], names)}
            new = sentence.with_columns(columns) if has_trees(sentence) else sentence
            if output.probabilities and new is not sentence:
                new = new.replace(head_probabilities=prediction.probabilities[start:end].tolist())
            written.append(new)
        return written

    def counts(self, gold: Targets, selection: Selection, prediction: Predicted) -> Counts:
        """Words with the right head and relation, with the right head, all words, and right labels."""
        assert isinstance(gold, GraphTargets)
        tree = gold.gold(selection)
        same = tree.arcs.heads == prediction.heads
        numbers = {names: i for i, names in enumerate(self.relations)}
        wanted = np.array([numbers.get(names, -1) for names in tree.names], dtype=np.int64)[tree.numbers]
        right = gold.right_tags(prediction.tag_ids, selection)
        return np.array(
            [np.count_nonzero(same & (wanted == prediction.relations)), same.sum(), len(same), right], dtype=np.float64
        )

    def examples(self, gold: Targets, selection: Selection, undecided: Predicted) -> Examples:
        """An arc is right if it is the one of its word."""
        assert isinstance(gold, GraphTargets)
        assert undecided.evidence is not None
        right = gold.gold(selection).arcs.heads[undecided.words] == undecided.heads
        return Examples(undecided.evidence.astype(np.float64), right, undecided.word_starts)

    def fitted(self, examples: Examples) -> Self:
        """Weights that make the right arc of a word the most probable."""
        return replace(self, weights=fit_choice(examples, scorer_alone(self.evidence)))

    def outcome(self, counts: Counts, sentences: int) -> Outcome[Self]:  # noqa: ARG002
        """Attachment scores."""
        labelled, unlabelled, _, tags = (100 * counts / max(counts[2], 1)).tolist()
        return Outcome(self, {"LAS": labelled, "UAS": unlabelled} | ({"tag_accuracy": tags} if self.encodings else {}))


def _columns(sizes: Numbers, heads: Numbers) -> tuple[Numbers, Numbers]:
    """Heads and dependents of arcs, one for each word."""
    within = np.arange(len(heads)) - np.repeat(offsets_of(sizes)[:-1], sizes)
    return heads, (within + 1).astype(np.int32)


def _best_trees(predicted: Predicted) -> Predicted:
    """The arcs of the best trees: one for each word."""
    arcs = Arcs(predicted.sizes, predicted.starts, predicted.heads, predicted.dependents)
    heads, places = spanning_trees(arcs, predicted.arc_scores)
    heads, dependents = _columns(predicted.sizes, heads.astype(np.int32))
    found = places >= 0

    def of_words(column: npt.NDArray[T]) -> npt.NDArray[T]:
        values = np.zeros(len(heads), dtype=column.dtype)  # of an arc that nothing had proposed
        values[found] = column[places[found]]
        return values

    return replace(
        predicted, starts=offsets_of(predicted.sizes), heads=heads, dependents=dependents,
        probabilities=of_words(predicted.probabilities), arc_probabilities=of_words(predicted.arc_probabilities),
        arc_scores=of_words(predicted.arc_scores), relations=of_words(predicted.relations),
    )  # fmt: skip
