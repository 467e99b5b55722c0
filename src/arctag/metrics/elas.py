"""The IWPT scores: tokens, sentences and words, ELAS and EULAS over the graph, UAS, LAS and CLAS over the basic tree.

Words are aligned first (see `alignment`), so that a parse of raw text can be scored: precision is
over the system's dependencies, recall over the gold ones. Empty nodes are collapsed on both sides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from arctag.metrics.alignment import Words, align, same_spans, words_of
from arctag.metrics.protocol import Counts, Figures, Headline, Pair, Triple
from arctag.sentence import Sentence
from arctag.transforms import empty_nodes

Dependency = tuple[int, str]  # head (0: root; words of the whole file from 1), relation

_TOKENS, _SENTENCES, _WORDS, _UAS, _LAS, _ELAS, _EULAS, _CLAS = range(0, 32, 4)
_GOLD, _SYSTEM, _CORRECT, _ALIGNED = range(4)
SEGMENTATION = {"Tokens": _TOKENS, "Sentences": _SENTENCES, "Words": _WORDS}
"""The scores of a tokenizer, not of a parser."""
_SCORES = {**SEGMENTATION, "UAS": _UAS, "LAS": _LAS, "ELAS": _ELAS, "EULAS": _EULAS, "CLAS": _CLAS}
COLUMNS = tuple(f"{name} {side}" for name in _SCORES for side in ("gold", "system", "correct", "aligned"))
TREES = ("UAS", "LAS", "CLAS")
"""The scores of the basic tree."""
# CLAS counts content words; punctuation and relations that are not in UD are left out too
_ARGUMENTS = frozenset({"ccomp", "csubj", "dislocated", "expl", "iobj", "nsubj", "obj", "obl", "vocative", "xcomp"})
_MODIFIERS = frozenset({"acl", "advcl", "advmod", "amod", "appos", "discourse", "nmod", "nummod"})
_OTHERS = frozenset({"compound", "conj", "dep", "fixed", "flat", "goeswith", "list", "orphan", "parataxis"})
_CONTENT = _ARGUMENTS | _MODIFIERS | _OTHERS | {"reparandum", "root"}
_DIGITS = 2


class Side:
    """One file's dependencies, word by word, with heads numbered over the whole file."""

    def __init__(self, sentences: list[Sentence]) -> None:
        """Collapse empty nodes and read both layers."""
        collapsed = [empty_nodes.collapse(sentence) for sentence in sentences]
        self.words: Words = words_of(collapsed)
        self.basic: list[Dependency | None] = []
        self.enhanced: list[list[Dependency]] = [[] for _ in range(len(self.words))]
        for sentence, before in zip(collapsed, self.words.first, strict=True):
            self.basic.extend(_basic(sentence, before))
            for head, dependent, relation in sentence.graph.triples():
                self.enhanced[before + dependent - 1].append((head and before + head, relation))

    def renumber(self, names: list[int]) -> None:
        """Give every head the name that `names` has for it (its first entry is the root's)."""
        self.basic = [arc and (names[arc[0]], arc[1]) for arc in self.basic]
        self.enhanced = [[(names[head], relation) for head, relation in arcs] for arcs in self.enhanced]


def _basic(sentence: Sentence, before: int) -> Iterator[Dependency | None]:
    """Head and relation (no subtype) of every word in the basic tree; None where there is none."""
    for row in sentence.node_rows:
        if sentence.format != "conllu" or row[6] == "_":
            yield None
        else:
            head = int(row[6])
            yield head and before + head, row[7].split(":")[0]


@lru_cache(maxsize=1 << 16)
def universal(relation: str) -> str:
    """The relation without subtypes; in a path (`conj:and>33.1>obj`), without those of each step."""
    return ">".join(step.split(":")[0] for step in relation.split(">"))


@dataclass(frozen=True)
class Aligned:
    """Both sides, heads in the numbers of gold words.

    A system word with no gold partner has a negative number, which nothing in gold has.
    """

    gold: Side
    system: Side
    pairs: list[tuple[int, int]]
    """Gold and system words that are the same."""
    names: list[int]
    """The number of each system word in gold; the first entry is the root's."""
    places: list[int]
    """The gold sentence where each system word stands."""


def _aligned(gold: list[Sentence], system: list[Sentence]) -> Aligned:
    ours, theirs = Side(gold), Side(system)
    pairs = align(ours.words, theirs.words)
    names = [0, *(-number for number in range(1, len(theirs.words) + 1))]
    for g, s in pairs:
        names[s + 1] = g + 1
    theirs.renumber(names)
    places = [ours.words.sentence_at(start) for start in theirs.words.starts]
    return Aligned(ours, theirs, pairs, names, places)


def _count_segments(rows: list[list[int]], both: Aligned) -> None:
    """Tokens, sentences and words, each where its gold sentence is."""
    ours, theirs = both.gold.words, both.system.words
    for column, gold, system in (
        (_TOKENS, ours.tokens, theirs.tokens),
        (_SENTENCES, ours.sentence_spans, theirs.sentence_spans),
    ):
        for start, _ in gold:
            rows[ours.sentence_at(start)][column + _GOLD] += 1
        for start, _ in system:
            rows[ours.sentence_at(start)][column + _SYSTEM] += 1
        for i in same_spans(gold, system):
            rows[ours.sentence_at(gold[i][0])][column + _CORRECT] += 1
    for word in range(len(ours)):
        rows[ours.sentence_of(word)][_WORDS + _GOLD] += 1
    for place in both.places:
        rows[place][_WORDS + _SYSTEM] += 1
    for g, _ in both.pairs:
        rows[ours.sentence_of(g)][_WORDS + _CORRECT] += 1


def _add_size(row: list[int], side: int, basic: Dependency | None, enhanced: list[Dependency]) -> None:
    if basic is not None:
        row[_UAS + side] += 1
        row[_LAS + side] += 1
        row[_CLAS + side] += basic[1] in _CONTENT
    row[_ELAS + side] += len(enhanced)
    row[_EULAS + side] += len(enhanced)


def _add_basic(row: list[int], gold: Dependency | None, system: Dependency | None) -> None:
    if gold is None:
        return
    content = gold[1] in _CONTENT
    row[_UAS + _ALIGNED] += 1
    row[_LAS + _ALIGNED] += 1
    row[_CLAS + _ALIGNED] += content
    if system is not None and gold[0] == system[0]:
        row[_UAS + _CORRECT] += 1
        row[_LAS + _CORRECT] += gold == system
        row[_CLAS + _CORRECT] += gold == system and content


def _add_enhanced(row: list[int], gold: list[Dependency], system: list[Dependency]) -> None:
    row[_ELAS + _ALIGNED] += 1
    row[_EULAS + _ALIGNED] += 1
    row[_ELAS + _CORRECT] += len(set(gold) & set(system))
    # two gold relations that differ only in subtype match each such system relation: the official count
    counts = Counter([(head, universal(relation)) for head, relation in gold])
    row[_EULAS + _CORRECT] += sum([counts[head, universal(relation)] for head, relation in system])


def _triples(dependent: int, arcs: list[Dependency]) -> Iterator[Triple]:
    return ((head, dependent, relation) for head, relation in arcs)


def _length(triple: Triple, own: dict[int, int]) -> int:
    """The length in gold words if gold has both ends, else in the system's own words."""
    head, dependent, _ = triple
    return abs(head - dependent) if head > 0 and dependent > 0 else abs(own[head] - own[dependent])


def _prf(counts: list[int], of_aligned: bool) -> dict[str, float | None]:
    gold, system, correct, aligned = counts
    return {
        "precision": _percent(correct, system),
        "recall": _percent(correct, gold),
        "f1": _percent(2 * correct, gold + system),
        "aligned": _percent(correct, aligned) if of_aligned else None,
    }


def _percent(part: int, whole: int) -> float:
    """A rounded percentage; of nothing, 0, as the official scorer has it."""
    return round(100 * (part / whole), _DIGITS) if whole else 0.0


class ElasMetric:
    """The figures of the official scorer of IWPT 2021; tokens and sentences may differ, the text must be the same."""

    name = "elas"
    options = "words:aligned|empty:collapsed"
    columns = COLUMNS
    headline = Headline("ELAS", ("ELAS", "f1"), (_ELAS + _GOLD, _ELAS + _SYSTEM, _ELAS + _CORRECT), scale=100.0)
    unlabelled = ("EULAS", "f1")
    digits = _DIGITS

    def count(self, gold: list[Sentence], system: list[Sentence]) -> Counts:
        """One row per gold sentence; what the system has is counted where its text is."""
        both = _aligned(gold, system)
        ours, theirs = both.gold, both.system
        rows = [[0] * len(COLUMNS) for _ in gold]  # lists: adding to single cells of an array is slow
        _count_segments(rows, both)
        for word in range(len(ours.words)):
            _add_size(rows[ours.words.sentence_of(word)], _GOLD, ours.basic[word], ours.enhanced[word])
        for word, place in enumerate(both.places):
            _add_size(rows[place], _SYSTEM, theirs.basic[word], theirs.enhanced[word])
        for g, s in both.pairs:
            row = rows[ours.words.sentence_of(g)]
            _add_basic(row, ours.basic[g], theirs.basic[s])
            _add_enhanced(row, ours.enhanced[g], theirs.enhanced[s])
        return np.array(rows, dtype=np.int64)

    def pairs(self, gold: list[Sentence], system: list[Sentence]) -> Iterator[Pair]:
        """The gold sentences with the enhanced arcs of both sides, in gold numbers."""
        both = _aligned(gold, system)
        own = {name: number for number, name in enumerate(both.names)}
        predicted: list[dict[Triple, int]] = [{} for _ in gold]
        for word, place in enumerate(both.places):
            for triple in _triples(both.names[word + 1], both.system.enhanced[word]):
                predicted[place][triple] = _length(triple, own)
        for i, sentence in enumerate(both.gold.words.sentences):
            before = both.gold.words.first[i]
            words = range(before, before + sentence.graph.n)
            arcs = (triple for word in words for triple in _triples(word + 1, both.gold.enhanced[word]))
            yield Pair(sentence.graph, {triple: abs(triple[0] - triple[1]) for triple in arcs}, predicted[i])

    def figures(self, total: Counts) -> Figures:
        """The scores in percent; None for tree scores where a side has no trees."""
        no_trees = not (total[_UAS + _GOLD] and total[_UAS + _SYSTEM])
        return {
            name: dict.fromkeys(("precision", "recall", "f1", "aligned"))
            if no_trees and name in TREES
            else _prf(total[column : column + 4].tolist(), name not in SEGMENTATION)
            for name, column in _SCORES.items()
        }
