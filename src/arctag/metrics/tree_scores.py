"""The scores of basic trees: UAS, LAS and CLAS, with tags MLAS, with lemmas BLEX."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from arctag.cells import Flags
from arctag.encodings.labels import offsets_of
from arctag.graph import Graph
from arctag.metrics.aligned import Aligned, Side
from arctag.metrics.matching import per_group
from arctag.metrics.pairs import LabelledArcs, pairs
from arctag.metrics.protocol import Counts, Pair

TREES = ("UAS", "LAS", "CLAS", "MLAS", "BLEX")
"""The scores of the basic tree."""
# CLAS, MLAS and BLEX count content words; punctuation and relations that are not in UD are left out too
_ARGUMENTS = frozenset({"ccomp", "csubj", "dislocated", "expl", "iobj", "nsubj", "obj", "obl", "vocative", "xcomp"})
_MODIFIERS = frozenset({"acl", "advcl", "advmod", "amod", "appos", "discourse", "nmod", "nummod"})
_OTHERS = frozenset({"compound", "conj", "dep", "fixed", "flat", "goeswith", "list", "orphan", "parataxis"})
CONTENT = _ARGUMENTS | _MODIFIERS | _OTHERS | {"reparandum", "root"}
"""The relations of content words."""
FUNCTION = frozenset({"aux", "case", "cc", "clf", "cop", "det", "mark"})
"""The relations of function words, which MLAS scores with their heads."""


class _Trees:
    """The trees of both sides, and where they are the same."""

    def __init__(self, both: Aligned) -> None:
        self.both = both
        self.known = both.gold.trees.known, both.system.trees.known
        gold, system = both.words.gold, both.words.system
        heads = both.gold.tree_heads[gold], both.numbers[both.system.tree_heads[system]]
        self.same_heads: Flags = self.known[0][gold] & self.known[1][system] & (heads[0] == heads[1])
        """Of each pair of aligned words, whether the head is the same."""
        relations = both.gold.trees.relations[gold], both.system.trees.relations[system]
        self.same: Flags = self.same_heads & (relations[0] == relations[1])
        """The same for head and relation."""

    def with_relations(self, names: frozenset[str]) -> tuple[Flags, Flags]:
        """The words of both sides that have one of some relations."""
        chosen = np.array([name in names for name in self.both.tree_relations], dtype=np.bool_)
        ours, theirs = self.both.gold.trees, self.both.system.trees
        return ours.known & chosen[ours.relations], theirs.known & chosen[theirs.relations]


def tree_scores(both: Aligned) -> dict[str, Counts]:
    """UAS, LAS and CLAS."""
    trees = _Trees(both)
    return {
        "UAS": both.counted(trees.same_heads, trees.known),
        "LAS": both.counted(trees.same, trees.known),
        "CLAS": both.counted(trees.same, trees.with_relations(CONTENT)),
    }


def tagged_tree_scores(both: Aligned) -> dict[str, Counts]:
    """MLAS and BLEX."""
    trees, tags = _Trees(both), both.same_tags
    content = trees.with_relations(CONTENT)
    tagged = trees.same & tags.upos & tags.feats
    return {
        "MLAS": both.counted(tagged & _same_function_words(trees, tagged), content),
        "BLEX": both.counted(trees.same & tags.lemma, content),
    }


def _same_function_words(trees: _Trees, right: Flags) -> Flags:
    """Of each pair of aligned words, whether the same function words, all right themselves, depend on both."""
    gold, system = trees.both.words.gold, trees.both.words.system
    ours, theirs = trees.with_relations(FUNCTION)
    in_gold = _dependents(trees.both.gold, ours)[gold]
    in_system = _dependents(trees.both.system, theirs)[system]
    found = np.zeros_like(ours)
    found[gold[right]] = ours[gold[right]]
    in_both = _dependents(trees.both.gold, found)[gold]
    same: Flags = (in_gold == in_both) & (in_system == in_both)
    return same


def _dependents(side: Side, chosen: Flags) -> Counts:
    """How many chosen words depend on each word."""
    return per_group(side.tree_heads[chosen], len(chosen) + 1)[1:]


def tree_pairs(both: Aligned) -> Iterator[Pair]:
    """The gold trees with the arcs of both sides, as LAS counts them: relations have no subtypes."""
    sides = [
        LabelledArcs(places[known], side.tree_heads[known], np.flatnonzero(known) + 1, side.trees.relations[known])
        for side, places in ((both.gold, both.gold.owners), (both.system, both.words.places))
        for known in (side.trees.known,)
    ]
    return pairs(both, _graphs(both), sides[0], sides[1], [(name,) for name in both.tree_relations])


def _graphs(both: Aligned) -> Iterator[Graph]:
    """The gold trees."""
    trees, starts = both.gold.trees, offsets_of(both.gold.sizes).tolist()
    heads, names = trees.heads.tolist(), [both.tree_relations[number] for number in trees.relations.tolist()]
    known = trees.known.tolist()
    for start, end in zip(starts, starts[1:], strict=False):
        yield Graph(end - start, ((heads[i], i - start + 1, names[i]) for i in range(start, end) if known[i]))
