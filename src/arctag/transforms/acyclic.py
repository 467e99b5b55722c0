"""A graph that grows arc by arc and refuses the arc that would close a cycle.

Words stand in a line in which every arc points forward. An arc that fits the line is taken at once. One
that points back is searched from both of its ends, one arc each in turn, among the words between them:
if the searches meet, there is a cycle; if one ends first, the words it saw are moved past the other end.

The simpler algorithm of Pearce and Kelly (2006), which renumbers the words between the two ends, is as fast on the
graphs of treebanks, but takes quadratic time where every head follows its dependent: for 8,000 such words 9.4 s
instead of 0.07 s.
"""

from __future__ import annotations

_GAP = 1 << 250  # room to halve 250 times between two neighbours before all places are renewed


class Acyclic:
    """The arcs taken so far, over words 1..n and the root 0, which has no head."""

    def __init__(self, n: int) -> None:
        self._below: list[list[int]] = [[] for _ in range(n + 1)]
        self._above: list[list[int]] = [[] for _ in range(n + 1)]
        self._line = _Line(n)

    def add(self, head: int, dependent: int) -> bool:
        """Take an arc; False if it closes a cycle, and then it is not taken."""
        if head == dependent or not self._fits(head, dependent):
            return False
        self._below[head].append(dependent)
        self._above[dependent].append(head)
        return True

    def _fits(self, head: int, dependent: int) -> bool:
        """Whether no way leads from the dependent to the head; if so, the line has them in order afterwards."""
        place = self._line.place
        first, last = place[dependent], place[head]
        if last < first:
            return True
        down, up = [dependent], [head]
        lower, upper = {dependent}, {head}
        below = (word for low in down for word in self._below[low])  # `down` and `up` grow while they are read
        above = (word for high in up for word in self._above[high])
        while True:
            if (word := next(below, None)) is None:
                self._line.move(down, head)
                return True
            if word in upper:
                return False
            if word not in lower and place[word] < last:
                lower.add(word)
                down.append(word)
            if (word := next(above, None)) is None:
                self._line.move(up, self._line.before(dependent))
                return True
            if word in lower:
                return False
            if word not in upper and place[word] > first:
                upper.add(word)
                up.append(word)


class _Line:
    """Words in a line; each has a number, its place, that grows along the line. The root stays in front."""

    def __init__(self, n: int) -> None:
        self._end = n + 1  # stands behind the last word and is never moved
        self._next = list(range(1, n + 3))
        self._previous = list(range(-1, n + 1))
        self.place = [_GAP * i for i in range(n + 2)]

    def before(self, word: int) -> int:
        """The one in front of a word."""
        return self._previous[word]

    def move(self, words: list[int], left: int) -> None:
        """Put words, in the order they have, right behind another one."""
        words = sorted(words, key=self.place.__getitem__)
        for word in words:
            self._join(self._previous[word], self._next[word])
        right = self._next[left]
        low, high = self.place[left], self.place[right]
        step = (high - low) // (len(words) + 1)
        for i, word in enumerate(words, 1):
            self.place[word] = low + i * step
            self._join(left, word)
            left = word
        self._join(left, right)
        if not step:
            self._spread()

    def _join(self, left: int, right: int) -> None:
        self._next[left], self._previous[right] = right, left

    def _spread(self) -> None:
        """New places for all, with equal room between them."""
        word, place = 0, 0
        while word != self._end:
            self.place[word] = place
            word, place = self._next[word], place + _GAP
        self.place[self._end] = place
