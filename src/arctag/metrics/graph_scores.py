"""The scores of enhanced graphs: ELAS and EULAS."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from arctag.graph import Relations
from arctag.metrics.aligned import Aligned
from arctag.metrics.matching import per_group, same_relations
from arctag.metrics.pairs import LabelledArcs, pairs
from arctag.metrics.protocol import Counts, Pair


@lru_cache(maxsize=1 << 16)
def universal(relation: str) -> str:
    """The relation without subtypes; in a path (`conj:and>33.1>obj`), without those of each step."""
    return ">".join(step.split(":")[0] for step in relation.split(">"))


def graph_scores(both: Aligned) -> dict[str, Counts]:
    """ELAS and EULAS."""
    relations, places, count = both.relations, both.gold.dependencies.places, len(both.gold.sizes)
    sizes = np.array([len(names) for names in relations.names], dtype=np.int64)
    gold, system = both.shared()
    wanted = per_group(places, count, sizes[relations.gold])
    found = per_group(both.places, count, sizes[relations.system])
    aligned = per_group(both.gold.owners[both.words.gold], count)
    return {
        name: np.stack(
            [wanted, found, per_group(places[gold], count, relations.in_common(same, gold, system)), aligned], axis=1
        )
        for name, same in (("ELAS", same_relations), ("EULAS", _same_universal))
    }


def _same_universal(gold: Relations, system: Relations) -> int:
    """Two gold relations that differ only in subtype match each such system relation: the official count."""
    counts = Counter(map(universal, gold))
    return sum(counts[universal(relation)] for relation in system)


def graph_pairs(both: Aligned) -> Iterator[Pair]:
    """The gold graphs with the arcs of both sides, as ELAS counts them."""
    relations, ours, theirs = both.relations, both.gold.dependencies, both.system.dependencies
    return pairs(
        both,
        (sentence.graph for sentence in both.gold.sentences),
        LabelledArcs(ours.places, ours.heads, ours.dependents, relations.gold),
        LabelledArcs(both.places, theirs.heads, theirs.dependents, relations.system),
        relations.names,
    )
