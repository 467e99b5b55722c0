"""Labels made of transitions, from the definitions: each step looks at all words of the stack and at the whole tree."""

from __future__ import annotations

from collections.abc import Iterator

from arctag.encodings.labels import LabelRow
from arctag.encodings.trees.transitions import LEFT_ARC, REDUCE, RIGHT_ARC, SHIFT

NO_ARC = -1  # in Covington's system; rows count them


def arc_standard(heads: list[int]) -> list[LabelRow]:
    """The row of a word: the arcs between the two topmost words that are possible before the next word is read."""
    tree, attached, stack, rows = _Tree(heads), set[int](), [0], []
    for word in tree.words:
        stack.append(word)
        row = []
        while len(stack) > 1:
            below, top = stack[-2:]
            if tree.head(below) == top:
                transition, dependent = LEFT_ARC, below
            elif tree.head(top) == below and attached.issuperset(tree.dependents(top)):
                transition, dependent = RIGHT_ARC, top
            else:
                break
            row.append(transition)
            attached.add(dependent)
            stack.remove(dependent)
        rows.append(tuple(row))
    return rows


def arc_hybrid(heads: list[int]) -> list[LabelRow]:
    """The row of a word: the arcs to the top, from the next word or from the word below, before that word is read."""
    tree, attached, stack, rows = _Tree(heads), set[int](), [0], []
    for word in tree.words:
        stack.append(word)
        row = []
        while len(stack) > 1:
            below, top = stack[-2:]
            if tree.head(top) == word + 1:
                row.append(LEFT_ARC)
            elif tree.head(top) == below and attached.issuperset(tree.dependents(top)):
                row.append(RIGHT_ARC)
            else:
                break
            attached.add(stack.pop())
        rows.append(tuple(row))
    return rows


def arc_eager(heads: list[int]) -> list[LabelRow]:
    """The row of a word: how it is read, then the arcs from the next word and the reductions before that is read."""
    tree, stack, rows = _Tree(heads), [0], list[list[int]]()
    for word in tree.words:
        while tree.head(stack[-1]) == word or tree.joined(word, stack[:-1]):
            rows[-1].append(LEFT_ARC if tree.head(stack[-1]) == word else REDUCE)
            stack.pop()
        rows.append([RIGHT_ARC if tree.head(word) == stack[-1] else SHIFT])
        stack.append(word)
    return [tuple(row) for row in rows]


def covington(heads: list[int]) -> list[LabelRow]:
    """The row of a word: for each arc to its left, the nearest first, the number of NO-ARCs before it and its code."""
    tree = _Tree(heads, lift=False)
    return [tuple(_counted(_to_the_left(tree, word))) for word in tree.words]


def _to_the_left(tree: _Tree, word: int) -> Iterator[int]:
    for left in range(word - 1, -1, -1):
        yield LEFT_ARC if tree.head(left) == word else RIGHT_ARC if tree.head(word) == left else NO_ARC


def _counted(transitions: Iterator[int]) -> Iterator[int]:
    skipped = 0
    for transition in transitions:
        if transition == NO_ARC:
            skipped += 1
        else:
            yield from (skipped, transition)
            skipped = 0


class _Tree:
    """The head of each word, projective if lifted."""

    def __init__(self, heads: list[int], lift: bool = True) -> None:
        self.words = range(1, len(heads) + 1)
        self._heads = dict(zip(self.words, heads, strict=True))
        if lift:
            self._heads = {word: self._lifted(word) for word in self.words}

    def head(self, word: int) -> int | None:
        """None for the root."""
        return self._heads.get(word)

    def dependents(self, word: int) -> list[int]:
        return [other for other in self.words if self._heads[other] == word]

    def joined(self, word: int, others: list[int]) -> bool:
        """Whether there is an arc between the word and any of the others."""
        return any(self.head(word) == other or self.head(other) == word for other in others)

    def _above(self, word: int) -> list[int]:
        """The words above a word, its head first, the root last."""
        above = []
        while word:
            word = self._heads[word]
            above.append(word)
        return above

    def _lifted(self, word: int) -> int:
        """The lowest word above it that is above all words in between."""
        for head in self._above(word):
            if all(head in self._above(other) for other in range(min(head, word) + 1, max(head, word))):
                return head
        raise AssertionError("the root is above all words")
