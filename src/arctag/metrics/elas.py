"""The IWPT scores: tokens, sentences and words, ELAS and EULAS over the graph, UAS, LAS and CLAS over the basic tree.

Words are aligned first (see `alignment`), so that a parse of raw text can be scored: precision is
over the system's dependencies, recall over the gold ones. Empty nodes are collapsed on both sides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice

import numpy as np

from arctag.cells import Longs, Numbers
from arctag.graph import Relations
from arctag.metrics.aligned import Aligned
from arctag.metrics.matching import per_group, same_relations
from arctag.metrics.protocol import Counts, Figures, Headline, Pair, Triple
from arctag.sentence import Sentence

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


@lru_cache(maxsize=1 << 16)
def universal(relation: str) -> str:
    """The relation without subtypes; in a path (`conj:and>33.1>obj`), without those of each step."""
    return ">".join(step.split(":")[0] for step in relation.split(">"))


def _count_words(rows: Counts, both: Aligned) -> None:
    """Tokens, sentences and words, each where its gold sentence is."""
    words = both.words
    rows[:, _TOKENS : _TOKENS + 3], rows[:, _SENTENCES : _SENTENCES + 3] = words.tokens, words.sentences
    for side, owners in ((_GOLD, both.gold.owners), (_SYSTEM, words.places), (_CORRECT, both.gold.owners[words.gold])):
        rows[:, _WORDS + side] = per_group(owners, len(rows))


def _count_trees(rows: Counts, both: Aligned) -> None:
    """UAS, LAS and CLAS."""
    words, owners, ours, theirs = both.words, both.gold.owners, both.gold.trees, both.system.trees
    content = np.array([name in _CONTENT for name in both.tree_relations], dtype=np.bool_)

    def add(side: int, places: Longs, relations: Numbers) -> None:
        rows[:, _UAS + side] = rows[:, _LAS + side] = per_group(places, len(rows))
        rows[:, _CLAS + side] = per_group(places[content[relations]], len(rows))

    add(_GOLD, owners[ours.known], ours.relations[ours.known])
    add(_SYSTEM, words.places[theirs.known], theirs.relations[theirs.known])
    known = ours.known[words.gold]
    gold, system = words.gold[known], words.system[known]
    add(_ALIGNED, owners[gold], ours.relations[gold])
    heads = both.gold.tree_heads[gold], both.numbers[both.system.tree_heads[system]]
    same_head = theirs.known[system] & (heads[0] == heads[1])
    same = same_head & (ours.relations[gold] == theirs.relations[system])
    add(_CORRECT, owners[gold[same]], ours.relations[gold[same]])
    rows[:, _UAS + _CORRECT] = per_group(owners[gold[same_head]], len(rows))


def _count_graphs(rows: Counts, both: Aligned) -> None:
    """ELAS and EULAS."""
    relations, places = both.relations, both.gold.dependencies.places
    sizes = np.array([len(names) for names in relations.names], dtype=np.int64)
    gold, system = both.shared()
    for column, count in ((_ELAS, same_relations), (_EULAS, _same_universal)):
        rows[:, column + _GOLD] = per_group(places, len(rows), sizes[relations.gold])
        rows[:, column + _SYSTEM] = per_group(both.places, len(rows), sizes[relations.system])
        rows[:, column + _CORRECT] = per_group(places[gold], len(rows), relations.in_common(count, gold, system))
        rows[:, column + _ALIGNED] = rows[:, _WORDS + _CORRECT]


def _same_universal(gold: Relations, system: Relations) -> int:
    """Two gold relations that differ only in subtype match each such system relation: the official count."""
    counts = Counter(map(universal, gold))
    return sum(counts[universal(relation)] for relation in system)


def _triples(
    heads: Longs, dependents: Longs, relations: Numbers, names: Sequence[Relations], lengths: Longs
) -> Iterator[list[tuple[Triple, int]]]:
    """Of each arc, its dependencies with their length."""
    arcs = zip(heads.tolist(), dependents.tolist(), relations.tolist(), lengths.tolist(), strict=True)
    for head, dependent, number, length in arcs:
        yield [((head, dependent, relation), length) for relation in names[number]]


def _next(arcs: Iterator[list[tuple[Triple, int]]], count: int) -> dict[Triple, int]:
    """The dependencies of the next arcs."""
    return dict(chain.from_iterable(islice(arcs, count)))


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
        both = Aligned.of(gold, system)
        rows = np.zeros((len(gold), len(COLUMNS)), dtype=np.int64)
        _count_words(rows, both)
        _count_trees(rows, both)
        _count_graphs(rows, both)
        return rows

    def pairs(self, gold: list[Sentence], system: list[Sentence]) -> Iterator[Pair]:
        """The gold sentences with the enhanced arcs of both sides, in gold numbers."""
        both = Aligned.of(gold, system)
        ours, theirs, (heads, dependents) = both.gold.dependencies, both.system.dependencies, both.arcs
        relations, names = both.relations, both.relations.names
        # the length in gold words if gold has both ends, else in the system's own words
        in_gold = (heads > 0) & (dependents > 0)
        lengths = np.where(in_gold, abs(heads - dependents), abs(theirs.heads - theirs.dependents))
        wanted = _triples(ours.heads, ours.dependents, relations.gold, names, abs(ours.heads - ours.dependents))
        found = _triples(heads, dependents, relations.system, names, lengths)
        gold_counts, system_counts = (per_group(places, len(gold)).tolist() for places in (ours.places, both.places))
        for sentence, ours_here, theirs_here in zip(both.gold.sentences, gold_counts, system_counts, strict=True):
            yield Pair(sentence.graph, _next(wanted, ours_here), _next(found, theirs_here))

    def figures(self, total: Counts) -> Figures:
        """The scores in percent; None for tree scores where a side has no trees."""
        no_trees = not (total[_UAS + _GOLD] and total[_UAS + _SYSTEM])
        return {
            name: dict.fromkeys(("precision", "recall", "f1", "aligned"))
            if no_trees and name in TREES
            else _prf(total[column : column + 4].tolist(), name not in SEGMENTATION)
            for name, column in _SCORES.items()
        }
