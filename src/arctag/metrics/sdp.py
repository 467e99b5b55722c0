"""The SDP scores: labelled and unlabelled dependencies, predications, frames; pooled over the corpus.

A top is a virtual dependency from the root. Only predicates whose tag starts with V make a
predication (the word with all its labelled arguments) or a frame (the predication and its sense),
as in the official scorer of SemEval 2015.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from arctag.blocks.arcs import BlockArcs
from arctag.blocks.flat import Flat, Table
from arctag.cells import Flags, Longs, Numbers
from arctag.encodings.labels import Arcs, offsets_of
from arctag.errors import AlignmentError
from arctag.graph import Graph
from arctag.metrics.matching import BothRelations, Dependencies, per_group, same_relations
from arctag.metrics.predicates import Predicates
from arctag.metrics.protocol import Counts, Figures, Headline, Pair, Triple
from arctag.metrics.results import ratio
from arctag.sentence import Sentence
from arctag.transforms import empty_nodes

_MATCHES = ("labelled", "unlabelled", "labelled without tops", "unlabelled without tops")
_WHOLES = ("predications", "frames")
_SIDES = ("gold", "system", "correct")
COLUMNS = (
    "sentences",
    *(f"{match} {side}" for match in _MATCHES for side in (*_SIDES, "exact")),
    *(f"{whole} {side}" for whole in _WHOLES for side in _SIDES),
)
_LABELLED, _UNLABELLED, _LABELLED_INNER, _UNLABELLED_INNER, _PREDICATIONS, _FRAMES = 1, 5, 9, 13, 17, 20
_DIGITS = 6
_ADVICE = "; where the text is the same and only tokens or sentences differ, metric elas can align them"


def counts(gold: Graph, system: Graph) -> Counts:
    """One row of counts from two graphs alone; predications and frames, which need tags, stay 0."""
    if gold.n != system.n:
        raise AlignmentError(f"a gold graph of {gold.n} words and a system graph of {system.n}")
    ours, theirs = (BlockArcs(Arcs.of([graph]), graph.relation_numbers) for graph in (gold, system))
    rows = np.zeros((1, len(COLUMNS)), dtype=np.int64)
    _count_arcs(rows, Matched.of(ours, theirs, ours.arcs.sizes))
    return rows.reshape(-1)


class Weighted(NamedTuple):
    """Some arcs: the sentence and the head of each, and how many relations it has."""

    places: Longs
    heads: Longs
    relations: Longs


class Matched(NamedTuple):
    """The arcs of both sides, and those that they share."""

    gold: Weighted
    system: Weighted
    correct: Weighted
    """With the relations that are the same."""

    @classmethod
    def of(cls, gold: BlockArcs, system: BlockArcs, sizes: Numbers) -> Matched:
        """Find the arcs that both sides have; both have sentences of so many words."""
        first = offsets_of(sizes)
        ours, theirs = (Dependencies(side.arcs, first) for side in (gold, system))
        in_gold, in_system = ours.shared(theirs)
        relations = BothRelations.of(gold, system)
        counts = np.array([len(set(names)) for names in relations.names], dtype=np.int64)
        correct = relations.in_common(same_relations, in_gold, in_system)
        return cls(
            Weighted(ours.places, ours.heads, counts[relations.gold]),
            Weighted(theirs.places, theirs.heads, counts[relations.system]),
            Weighted(ours.places[in_gold], ours.heads[in_gold], correct),
        )


def _count_arcs(rows: Counts, arcs: Matched) -> None:
    """Labelled and unlabelled dependencies, with and without tops."""
    rows[:, 0] = 1
    for column, labelled, tops in (
        (_LABELLED, True, True), (_UNLABELLED, False, True),
        (_LABELLED_INNER, True, False), (_UNLABELLED_INNER, False, False),
    ):  # fmt: skip
        for side, (places, heads, relations) in enumerate(arcs):
            chosen = slice(None) if tops else heads > 0
            rows[:, column + side] = per_group(places[chosen], len(rows), relations[chosen] if labelled else None)
        rows[:, column + 3] = _all_equal(*rows[:, column : column + 3].T)


def _all_equal(gold: Longs, system: Longs, correct: Longs) -> Flags:
    """Where sets of these sizes, with so much in common, are the same."""
    same: Flags = (gold == system) & (system == correct)
    return same


def _dependencies(total: Counts, labelled: int, unlabelled: int) -> dict[str, float | None]:
    sentences = int(total[0])
    return {
        **_prf("L", total, labelled),
        "LM": _rounded(ratio(int(total[labelled + 3]), sentences)),
        **_prf("U", total, unlabelled),
        "UM": _rounded(ratio(int(total[unlabelled + 3]), sentences)),
    }


def _prf(letter: str, total: Counts, column: int) -> dict[str, float | None]:
    gold, system, correct = (int(count) for count in total[column : column + 3])
    precision, recall = ratio(correct, system), ratio(correct, gold)
    # with nothing correct the official scorer divides 0 by 0, and so there is no F1
    f1 = 2 * precision * recall / (precision + recall) if precision and recall else None
    return {f"{letter}P": _rounded(precision), f"{letter}R": _rounded(recall), f"{letter}F": _rounded(f1)}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS)


def _lengths(graph: Graph) -> dict[Triple, int]:
    return {triple: abs(triple[0] - triple[1]) for triple in graph.triples()}


def _count_predications(rows: Counts, gold: Flat, system: Flat, arcs: Matched) -> None:
    """Verbal predicates with all their arguments, and with their frames."""
    sizes, frames = gold.sizes, Table()
    arguments = [per_group(side.heads, int(sizes.sum()) + 1, side.relations)[1:] for side in arcs]
    ours, theirs = Predicates.of(gold, arguments[0], frames), Predicates.of(system, arguments[1], frames)
    owners = np.repeat(np.arange(len(sizes)), sizes)
    same = _all_equal(*arguments)
    same_frame = same & (ours.frames == theirs.frames)
    for column, wanted, found, right in (
        (_PREDICATIONS, ours.verbal, theirs.verbal, same), (_FRAMES, ours.framed, theirs.framed, same_frame)
    ):  # fmt: skip
        for side, chosen in enumerate((wanted, found, wanted & found & right)):
            rows[:, column + side] = per_group(owners[chosen], len(rows))


def _without_empty(gold: list[Sentence], system: list[Sentence]) -> tuple[Flat, Flat]:
    """The sentences of both sides without empty nodes; they must have the same words."""
    ours, theirs = (Flat(empty_nodes.treated(sentences, empty_nodes.drop)) for sentences in (gold, system))
    if not ours.same_words(theirs):
        _compare(ours.sentences, theirs.sentences)
    return ours, theirs


def _compare(gold: Sequence[Sentence], system: Sequence[Sentence]) -> None:
    """An error that names the first difference."""
    for i, (gold_sentence, system_sentence) in enumerate(zip(gold, system, strict=False)):
        if gold_sentence.words != system_sentence.words:
            raise AlignmentError(_difference(i, gold_sentence, system_sentence))
    if len(gold) != len(system):
        raise AlignmentError(_surplus(gold, system))


def _difference(i: int, gold: Sentence, system: Sentence) -> str:
    ours, theirs = gold.words, system.words
    word = next((k for k, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), min(len(ours), len(theirs)))
    return (
        f"sentence {i + 1} differs (gold {gold.id}, system {system.id}) at word {word + 1}: "
        f"gold has {_around(ours, word)}, system has {_around(theirs, word)}{_ADVICE}"
    )


def _around(words: list[str], word: int) -> str:
    if word >= len(words):
        return "no more words"
    return repr(" ".join(words[max(word - 2, 0) : word + 4]))


def _surplus(gold: Sequence[Sentence], system: Sequence[Sentence]) -> str:
    shorter, longer, name = (system, gold, "gold") if len(gold) > len(system) else (gold, system, "system")
    extra = longer[len(shorter)]
    return (
        f"{len(gold)} gold and {len(system)} system sentences; the first that only {name} has is "
        f"sentence {len(shorter) + 1} ({extra.id}): {_around(extra.words, 0)}{_ADVICE}"
    )


class SdpMetric:
    """The figures of the official scorer of SemEval 2015; files must have the same sentences and words."""

    name = "sdp"
    options = "tops:both|empty:dropped"
    columns = COLUMNS
    headline = Headline("LF", ("including_tops", "LF"), (_LABELLED, _LABELLED + 1, _LABELLED + 2))
    unlabelled = ("including_tops", "UF")
    digits = _DIGITS

    def count(self, gold: list[Sentence], system: list[Sentence]) -> Counts:
        """One row per sentence, predications and frames included."""
        ours, theirs = _without_empty(gold, system)
        arcs = Matched.of(ours.graphs, theirs.graphs, ours.sizes)
        rows = np.zeros((len(gold), len(COLUMNS)), dtype=np.int64)
        _count_arcs(rows, arcs)
        _count_predications(rows, ours, theirs, arcs)
        return rows

    def pairs(self, gold: list[Sentence], system: list[Sentence]) -> Iterator[Pair]:
        """The labelled arcs of each sentence, tops included."""
        ours, theirs = _without_empty(gold, system)
        for gold_sentence, system_sentence in zip(ours.sentences, theirs.sentences, strict=True):
            yield Pair(gold_sentence.graph, _lengths(gold_sentence.graph), _lengths(system_sentence.graph))

    def figures(self, total: Counts) -> Figures:
        """The scores with and without tops, as fractions."""
        whole = {**_prf("P", total, _PREDICATIONS), **_prf("F", total, _FRAMES)}
        return {
            "including_tops": {**_dependencies(total, _LABELLED, _UNLABELLED), **whole},
            "excluding_tops": {**_dependencies(total, _LABELLED_INNER, _UNLABELLED_INNER), **whole},
        }
