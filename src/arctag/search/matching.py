"""`Pattern`: finds in a sentence what a pattern describes, and `search` in many."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from arctag.errors import UnknownName
from arctag.formats import read
from arctag.search.reading import read_pattern
from arctag.search.searched import MAIN, Searched, Steps
from arctag.search.syntax import CHILD, LATER, NEXT, PATH, SENTENCE_NUMBERS, WORD_NUMBERS, Condition, Link
from arctag.sentence import Sentence, Token

MOST_STEPS = 1_000_000
"""Words that are tried in one sentence before a pattern is refused as too vague."""


@dataclass(frozen=True)
class Match:
    """A place in a sentence that a pattern describes."""

    sentence: Sentence
    words: tuple[int, ...]
    """The words found, from 1, in the order of the pattern; 0 is the root."""
    names: dict[str, int]
    """Those that the pattern names."""
    arcs: tuple[tuple[str, int, int], ...]
    """The arcs found: (graph, head, dependent)."""

    def __getitem__(self, name: str) -> Token:
        """The word that the pattern names so: `match["verb"].lemma`."""
        if name not in self.names:
            raise UnknownName("name of a word of the pattern", name, self.names)
        return Token(self.sentence, self.names[name])


class Pattern:
    """A pattern such as `[upos=VERB] >nsubj [lemma=cat]`, read once and used for many sentences.

    `layer` is the graph that is searched: `graph`, `tree`, or another layer or column; a pattern may name others.
    What is wrong with a pattern is a `PatternError`. Not to be used by several threads at a time.
    """

    def __init__(self, text: str, layer: str | None = None, most_steps: int | None = None) -> None:
        """Read a pattern; with `most_steps` so many words may be tried in all sentences together."""
        self.text, self.layer = text, layer or MAIN
        self._left = most_steps
        self.query = read_pattern(text)
        self.wanted = self.query.wanted
        """The places of the nodes that a match has."""
        self.positive = [link for link in self.query.links if not link.negated]
        """What must be there."""
        self.negative = [link for link in self.query.links if link.negated]
        """What must not be there."""

    def find(self, sentence: Sentence) -> list[Match]:
        """All matches in a sentence, from left to right; one that cannot be read has none."""
        if sentence.error:
            return []
        steps = Steps(sentence.id, MOST_STEPS if self._left is None else min(MOST_STEPS, self._left))
        searched = Searched(sentence, self.layer, steps)
        found = self._find(searched)
        if self._left is not None:
            self._left -= steps.taken
        return found

    def _find(self, searched: Searched) -> list[Match]:
        if not all(_holds(condition, searched) for condition in self.query.sentence):
            return []
        if not self.wanted:
            return [Match(searched.sentence, (), {}, ())]
        return [self._match(searched, words) for words in sorted(_Matcher(self, searched).all())]

    def _match(self, searched: Searched, words: tuple[int, ...]) -> Match:
        places = dict(zip(self.wanted, words, strict=True))
        names = {node.name: places[i] for i, node in enumerate(self.query.nodes) if node.name and i in places}
        arcs = tuple(
            (link.graph or self.layer, places[link.head], places[link.dependent])
            for link in self.positive
            if link.kind == CHILD
        )
        return Match(searched.sentence, words, names, arcs)


def search(
    sentences: str | Path | Iterable[Sentence], pattern: str | Pattern, layer: str | None = None
) -> Iterator[Match]:
    """The matches of a pattern in a file, or in sentences, in their order; `layer` is the graph that is searched."""
    found = pattern if isinstance(pattern, Pattern) else Pattern(pattern, layer)
    source = read(sentences) if isinstance(sentences, (str, Path)) else sentences
    for sentence in source:
        yield from found.find(sentence)


def _holds(condition: Condition, searched: Searched) -> bool:
    """Whether a condition on the sentence holds."""
    if condition.key in SENTENCE_NUMBERS:
        return condition.numeric(searched.number(condition.key))
    return condition.textual((searched.text(condition.key),))


class _Matcher:
    """Finds words for the nodes one after another, those first that fewest words fit; each word is taken once."""

    def __init__(self, pattern: Pattern, searched: Searched) -> None:
        self._pattern, self._searched = pattern, searched
        self._nodes = pattern.query.nodes
        self._fitting: dict[int, list[int]] = {}
        self._taken: dict[int, int] = {}  # node → word
        self._following = _following(searched.sentence)

    def all(self) -> list[tuple[int, ...]]:
        """The words of each match, in the order of the nodes."""
        wanted = self._pattern.wanted
        for place in sorted(wanted, key=lambda place: not self._nodes[place].conditions):
            self._fitting[place] = self._fit(place)
            if not self._fitting[place]:
                return []
        found: list[tuple[int, ...]] = []
        self._extend(self._order(), 0, found)
        return found

    def _fit(self, place: int) -> list[int]:
        """The words that a node may be, whatever the others are."""
        node = self._nodes[place]
        words = range(1, self._searched.n + 1)
        fitting: Iterable[int] = words
        for condition in node.conditions:
            fitting = [word for word in fitting if word in words and self._fits(condition, word)]
        return [*([] if node.written else [0]), *fitting]

    def _fits(self, condition: Condition, word: int) -> bool:
        if condition.key in WORD_NUMBERS:
            return condition.numeric(self._searched.count(condition.key)[word - 1])
        return condition.textual(self._searched.values(condition.key)[word - 1])

    def _order(self) -> list[int]:
        """The nodes in the order in which they are tried: linked ones after each other, rare words first."""
        left = set(self._pattern.wanted)
        order: list[int] = []
        while left:
            near = [place for place in left if any(self._joins(link, place, order) for link in self._pattern.positive)]
            order.append(min(near or left, key=lambda place: (len(self._fitting[place]), place)))
            left.remove(order[-1])
        return order

    @staticmethod
    def _joins(link: Link, place: int, order: list[int]) -> bool:
        return (link.head == place and link.dependent in order) or (link.dependent == place and link.head in order)

    def _extend(self, order: list[int], depth: int, found: list[tuple[int, ...]]) -> None:
        if depth == len(order):
            if not any(self._exists(link) for link in self._pattern.negative):
                found.append(tuple(self._taken[place] for place in self._pattern.wanted))
            return
        place = order[depth]
        links = [link for link in self._pattern.positive if self._joins(link, place, order[: depth + 1])]
        for word in self._candidates(place, links):
            self._searched.steps.take()
            if word in self._taken.values():
                continue
            self._taken[place] = word
            if all(self._linked(link, self._taken[link.head], self._taken[link.dependent]) for link in links):
                self._extend(order, depth + 1, found)
            del self._taken[place]

    def _candidates(self, place: int, links: list[Link]) -> Iterable[int]:
        """The words to try: those that an arc leads to, if one does, else all that fit."""
        for link in links:
            if link.kind == CHILD and link.head != link.dependent:
                ends = self._searched.links(link.graph)
                near = ends.children if link.dependent == place else ends.parents
                from_here = link.head if link.dependent == place else link.dependent
                fitting = set(self._fitting[place])
                return [word for word in near.get(self._taken[from_here], ()) if word in fitting]
        return self._fitting[place]

    def _linked(self, link: Link, head: int, dependent: int) -> bool:
        if link.kind == CHILD:
            return self._searched.links(link.graph).has(head, dependent, link.relations)
        if link.kind == PATH:
            return dependent in self._searched.links(link.graph).below(head, link.relations)
        if link.kind == LATER:
            return 0 < head < dependent
        assert link.kind == NEXT
        return head > 0 and self._following[head] == dependent

    def _exists(self, link: Link) -> bool:
        """Whether what a negated link describes is there."""
        if link.other < 0:
            return self._linked(link, self._taken[link.head], self._taken[link.dependent])
        if link.other not in self._fitting:
            self._fitting[link.other] = self._fit(link.other)
        for word in self._fitting[link.other]:
            self._searched.steps.take()
            ends = (word, self._taken[link.dependent]) if link.head == link.other else (self._taken[link.head], word)
            if self._linked(link, *ends):
                return True
        return False


def _following(sentence: Sentence) -> list[int]:
    """For each word, from 1, the next one in the text: empty nodes are passed over."""
    n = sentence.size
    if not sentence.has_empty:
        return list(range(1, n + 2))
    following, after = [0] * (n + 1), n + 1
    for word, empty in reversed(list(enumerate(sentence.empty, 1))):
        following[word] = after
        if not empty:
            after = word
    following[0] = after
    return following
