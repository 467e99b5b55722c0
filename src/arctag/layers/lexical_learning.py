"""What a treebank shows of relations with words in them: which words they repeat, and how these are written there."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

import numpy as np

from arctag.blocks.arcs import BlockArcs
from arctag.layers.lexical_markers import Markers, base, suffixes

_SEEN = 2  # once may be chance


def marker_relations(graphs: BlockArcs, texts: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """For the base of a relation, the relations of the dependents that its suffixes mostly repeat.

    Of several the one comes first that is repeated where a word has them all.
    """
    markers = Markers(graphs, texts)
    dependents = cache(lambda word: dict(markers.dependents_of(word)))  # the last of each relation
    repeated: dict[str, list[dict[str, bool]]] = defaultdict(list)
    for arc, relation in _relations(graphs, suffixes):
        below = dependents(int(markers.dependents[arc]))
        repeated[base(relation)].append({marker: text in suffixes(relation) for marker, text in below.items()})
    chosen = {name: _often(words) for name, words in sorted(repeated.items())}
    return {name: relations for name, relations in chosen.items() if relations}


def _often(words: list[dict[str, bool]]) -> tuple[str, ...]:
    """The relations that are repeated by half of the words that have them, or more."""
    seen = Counter(marker for word in words for marker in word)
    repeated = Counter(marker for word in words for marker, same in word.items() if same)
    often = [marker for marker, count in repeated.most_common() if count >= _SEEN and 2 * count >= seen[marker]]
    several = [word for word in words if len(word.keys() & set(often)) > 1]
    return tuple(sorted(often, key=lambda marker: -sum(word.get(marker, False) for word in several)))


def spellings(graphs: BlockArcs, texts: Sequence[str], markers: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """The markers that mostly stand for another word: `thru` for `through`.

    That word stands where others are repeated, and seldom without a marker: `nmod:poss` does not repeat an `'s`.
    """
    found = list(_with_markers(graphs, texts, markers))
    uses = Counter(text for _, text in found)
    patterns = Counter(_pattern(relation, text) for relation, text in found if text in suffixes(relation))
    marked: Counter[tuple[bool, str]] = Counter()
    others: Counter[tuple[str, str]] = Counter()
    for relation, text in found:
        for part in suffixes(relation):
            marked[text != "", part] += 1
            if text and text not in suffixes(relation) and patterns[_pattern(relation, part)] >= _SEEN:
                others[text, part] += 1
    written: dict[str, str] = {}
    for (text, part), count in others.most_common():
        if count >= _SEEN and 2 * count > uses[text] and marked[True, part] >= marked[False, part]:
            written.setdefault(text, part)
    return dict(sorted(written.items()))


def _relations(graphs: BlockArcs, wanted: Callable[[str], object]) -> Iterator[tuple[int, str]]:
    """The arcs that have relations of some kind, and these."""
    chosen = [[relation for relation in relations if wanted(relation)] for relations in graphs.names]
    for arc in np.flatnonzero(np.array(list(map(bool, chosen)), dtype=np.bool_)[graphs.numbers]).tolist():
        for relation in chosen[graphs.numbers[arc]]:
            yield arc, relation


def _with_markers(
    graphs: BlockArcs, texts: Sequence[str], relations: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, str]]:
    """The relations that may repeat a marker, each with that, or an empty text."""
    markers = Markers(graphs, texts)
    arcs: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for arc, relation in _relations(graphs, lambda relation: base(relation) in relations):
        arcs[base(relation)].append((arc, relation))
    for name, some in arcs.items():
        found = markers.of_arcs(np.array([arc for arc, _ in some]), name, relations[name])
        yield from zip((relation for _, relation in some), found, strict=True)


def _pattern(relation: str, part: str) -> tuple[str, ...]:
    """A relation with a place for one of its suffixes."""
    return base(relation), *("" if suffix == part else suffix for suffix in suffixes(relation))
