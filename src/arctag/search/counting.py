"""Counts of what a search has found: how often each lemma, tag or relation is among the matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from arctag.errors import InputError, UnknownName
from arctag.search.matching import Match, Pattern
from arctag.search.searched import Searched

ROOT = "(root)"


def count_by(matches: Iterable[Match], key: str, pattern: Pattern) -> Counter[str]:
    """How often each value of a key is among the matches: `lemma` of the first word, `v.lemma` of the one named v.

    `rel` alone counts the relations of the arcs that the pattern looks for, if there are any.
    """
    name, dot, rest = key.partition(".")
    names = [node.name for node in pattern.query.nodes if node.name]
    if dot and name not in names:
        raise UnknownName("name of a word of the pattern", name, names)
    wanted = rest if dot else key
    if not wanted or not pattern.wanted:
        raise InputError(f"nothing to count by {key!r}: give a key of words, such as lemma, or NAME.lemma")
    counts: Counter[str] = Counter()
    searched: Searched | None = None
    for match in matches:
        if searched is None or searched.sentence is not match.sentence:
            searched = Searched(match.sentence, pattern.layer)
        if wanted == "rel" and not dot and match.arcs:
            for graph, head, dependent in match.arcs:
                counts.update(searched.links(graph).children[head][dependent])
            continue
        word = match.names[name] if dot else match.words[0]
        counts.update(searched.values(wanted)[word - 1] if word else [ROOT])
    return counts
