"""The SDP scores: labelled and unlabelled dependencies, predications, frames; pooled over the corpus.

A top is a virtual dependency from the root. Only predicates whose tag starts with V make a
predication (the word with all its labelled arguments) or a frame (the predication and its sense),
as in the official scorer of SemEval 2015.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

import numpy as np

from arctag.errors import AlignmentError
from arctag.graph import Graph
from arctag.metrics.protocol import Counts, Figures, Headline, Pair, Triple
from arctag.metrics.results import ratio
from arctag.sentence import Row, Sentence
from arctag.transforms import empty_nodes

Item = TypeVar("Item")
Predication = tuple[int, frozenset[tuple[int, str]], str]  # predicate, arguments, frame

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
    labelled = set(gold.triples()), set(system.triples())
    unlabelled = gold.arc_set(), system.arc_set()
    row = np.zeros(len(COLUMNS), dtype=np.int64)
    row[:_PREDICATIONS] = (
        1,
        *_matches(*labelled),
        *_matches(*unlabelled),
        *_matches({t for t in labelled[0] if t[0]}, {t for t in labelled[1] if t[0]}),
        *_matches({t for t in unlabelled[0] if t[0]}, {t for t in unlabelled[1] if t[0]}),
    )
    return row


def _matches(gold: set[Item] | frozenset[Item], system: set[Item] | frozenset[Item]) -> tuple[int, int, int, int]:
    """Gold, system, correct, and whether all is correct."""
    return len(gold), len(system), len(gold & system), int(gold == system)


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


def _predications(sentence: Sentence) -> Iterator[Predication]:
    """Every verbal predicate with its arguments and its frame."""
    arguments: dict[int, set[tuple[int, str]]] = {}
    for head, dependent, relation in sentence.graph.triples():
        arguments.setdefault(head, set()).add((dependent, relation))
    flagged = sentence.format == "sdp" and not sentence.edited  # once edited, the rows no longer show the graph
    for word, row in enumerate(sentence.node_rows, start=1):
        predicate = row[5] == "+" if flagged else word in arguments
        if predicate and _tag(sentence, row).startswith("V"):
            yield word, frozenset(arguments.get(word, ())), row[6] if sentence.format == "sdp" else ""


def _framed(sentence: Sentence, predications: set[Predication]) -> set[Predication]:
    """The predications as frames: none where the format has no frames."""
    return predications if sentence.format == "sdp" else set()


def _tag(sentence: Sentence, row: Row) -> str:
    """The tag that the sentence has, or would have, in an SDP file."""
    return row[3] if sentence.format == "sdp" or row[4] == "_" else row[4]


def _matched(gold: list[Sentence], system: list[Sentence]) -> Iterator[tuple[Sentence, Sentence]]:
    """The sentences side by side, without empty nodes; they must have the same words."""
    both = zip(map(empty_nodes.drop, gold), map(empty_nodes.drop, system), strict=False)
    for i, (gold_sentence, system_sentence) in enumerate(both):
        if gold_sentence.words != system_sentence.words:
            raise AlignmentError(_difference(i, gold_sentence, system_sentence))
        yield gold_sentence, system_sentence
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


def _surplus(gold: list[Sentence], system: list[Sentence]) -> str:
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
        rows = []
        for gold_sentence, system_sentence in _matched(gold, system):
            row = counts(gold_sentence.graph, system_sentence.graph)
            wanted, predicted = set(_predications(gold_sentence)), set(_predications(system_sentence))
            row[_FRAMES : _FRAMES + 3] = _matches(_framed(gold_sentence, wanted), _framed(system_sentence, predicted))[
                :3
            ]
            row[_PREDICATIONS:_FRAMES] = _matches({p[:2] for p in wanted}, {p[:2] for p in predicted})[:3]
            rows.append(row)
        return np.stack(rows)

    def pairs(self, gold: list[Sentence], system: list[Sentence]) -> Iterator[Pair]:
        """The labelled arcs of each sentence, tops included."""
        for gold_sentence, system_sentence in _matched(gold, system):
            yield Pair(gold_sentence.graph, _lengths(gold_sentence.graph), _lengths(system_sentence.graph))

    def figures(self, total: Counts) -> Figures:
        """The scores with and without tops, as fractions."""
        whole = {**_prf("P", total, _PREDICATIONS), **_prf("F", total, _FRAMES)}
        return {
            "including_tops": {**_dependencies(total, _LABELLED, _UNLABELLED), **whole},
            "excluding_tops": {**_dependencies(total, _LABELLED_INNER, _UNLABELLED_INNER), **whole},
        }
