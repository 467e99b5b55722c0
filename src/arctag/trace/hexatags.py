"""Hexatags: one pass with a stack of inner nodes that lack their right child; then lifted words go back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from arctag.encodings.trees.unlifting import MOST
from arctag.trace.layout import Layout, Part
from arctag.trace.recorder import Recorder
from arctag.trace.wording import arrow, named

_SIDES = {"l": "left", "r": "right", "<": "left", ">": "right"}


@dataclass(frozen=True)
class _Tags:
    """A label taken apart."""

    leaf: str
    inner: str
    lift: int

    @classmethod
    def of(cls, label: str) -> _Tags:
        tags, _, lift = label.partition("^")
        return cls(tags[0], tags[1:], int(lift or 0))


@dataclass
class _Node:
    """An inner node of the binary tree: the heads of its two children, which child it is, where its head lies."""

    left: int
    child: str = "l"
    side: str = "<"
    right: int = 0
    """Known once the node is complete."""

    @property
    def arc(self) -> tuple[int, int]:
        """The head of the complete node, and the head of its other child."""
        return (self.left, self.right) if self.side == "<" else (self.right, self.left)


def decode(recorder: Recorder) -> None:
    """Read the words from left to right, then move those that were lifted."""
    tree = _Tree(recorder)
    recorder.note(
        "The words are read from left to right. The root is the first leaf, and the head of the node after it, which "
        "waits for its right child."
    )
    recorder.end(tree.stacks())
    for word in range(1, len(tree.tags) + 1):
        recorder.begin(word)
        tree.read(word)
        recorder.end(tree.stacks())
    if tree.open:
        recorder.begin(None)
        tree.leave()
        recorder.end(tree.stacks())
    if any(tags.lift for tags in tree.tags):
        recorder.begin(None)
        tree.move_lifted()
        recorder.end({})


class _Tree:
    """The binary tree as far as it is known, and the heads of the projective tree that it stands for."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.tags = [_Tags.of(label) for label in recorder.labels]
        self.after = {0: _Node(0)}
        """The inner node after each word."""
        self.open = [self.after[0]] if self.tags else []
        """Those that lack their right child; one that is a right child is that of the one before it."""
        self.complete = 0
        """The head of the subtree that is complete, but not joined with anything yet."""
        self.filled: dict[int, _Node] = {}
        """The node of which a word's leaf is the right child."""
        self.heads: dict[int, int] = {}

    @cached_property
    def _children(self) -> dict[int, list[int]]:
        """The words below each head, once the tree is complete."""
        children = defaultdict[int, list[int]](list)
        for word in sorted(self.heads):
            children[self.heads[word]].append(word)
        return children

    def stacks(self) -> dict[str, list[int]]:
        return {"open": [node.left for node in self.open]}

    def read(self, word: int) -> None:
        """Do what the tags of a word say."""
        tags = self.tags[word - 1]
        self.complete = word
        if tags.leaf == "r":
            self.recorder.note(f"'r': the leaf of {named(word)} is the right child that the last open node waits for.")
            self.filled[word] = self.open[-1]
            self._fill()
        else:
            self.recorder.note(f"'l': the leaf of {named(word)} is a left child, that of the node after it.")
        if word < len(self.tags):
            self._join(word, tags.inner)
        elif tags.inner == ".":
            self.recorder.note("'.': no node comes after the last word.")
        else:
            self.recorder.repair(f"'{tags.inner}' is left out, since no node comes after the last word")

    def _fill(self) -> None:
        """Complete the last open node and, while one is a right child itself, the one before it."""
        while True:
            node = self.open.pop()
            node.right = self.complete
            head, word = node.arc
            self.heads[word], self.complete = head, head
            text = f"The node joins {named(node.left)} with {named(node.right)}, and its head is on the"
            self.recorder.note(f"{text} {_SIDES[node.side]}: arc {arrow(head, word)}.")
            self.recorder.arc(head, word)
            if node.child == "l":
                return
            self.recorder.note("It is a right child: the node before it is complete too.")

    def _join(self, word: int, inner: str) -> None:
        """Open the node after a word; what is complete is its left child."""
        if inner == ".":
            self.recorder.repair("'.' stands for no node, as after the last word; here it is read as 'l<'")
            inner = "l<"
        node = _Node(self.complete, *inner)
        sides = f"{named(node.left)} on its left and its head on the {_SIDES[node.side]}"
        text = f"the next node, a {_SIDES[node.child]} child, has {sides}"
        self.recorder.note(f"'{inner}': {text}; it waits for its right child.")
        if node.left == 0 and node.side == ">":
            self.recorder.repair("the root is a dependent of nothing, so the head of the node is on the left")
            node.side = "<"
        if not self.open and node.child == "r":
            self.recorder.repair("no open node waits for a right child, so it is a left child")
            node.child = "l"
        self.open.append(node)
        self.after[word] = node

    def leave(self) -> None:
        """Complete what is open after the last word with what there is."""
        while self.open:
            self.recorder.repair(f"no right child came for the last open node, which takes {named(self.complete)}")
            self._fill()

    def move_lifted(self) -> None:
        """Move all words that were lifted, as they stand in the projective tree."""
        self.recorder.note("Words that were lifted go back below their heads.")
        for word, tags in enumerate(self.tags, 1):
            if not tags.lift:
                continue
            lifted, below = self.heads[word], self.words_below(word)
            text = f"'^{tags.lift}': {named(word)} was lifted to {named(lifted)}"
            if tags.lift > len(below):
                self.recorder.repair(f"{text}, but there are not so many words below that; it stays there")
                continue
            head = below[tags.lift - 1]
            counts = f"number {tags.lift} of the words below that, top-down, is {named(head)}"
            self.recorder.lose(lifted, word)
            self.recorder.note(f"{text}, and {counts}: arc {arrow(head, word)} in place of {arrow(lifted, word)}.")
            self.recorder.arc(head, word)

    def words_below(self, word: int) -> list[int]:
        """The first words below the head of a word, top-down and from left to right, without the word's own."""
        found: list[int] = []
        level = [self.heads[word]]
        while level and len(found) < MOST:
            level = [other for head in level for other in self._children[head] if other != word]
            found += level
        return found


def parts(labels: Sequence[str], _: Layout) -> list[list[Part]]:
    """What each tag stands for."""
    tree = _Tree(Recorder([()] * len(labels), labels, [frozenset()] * len(labels), once=True, tags=()))
    for word in range(1, len(labels) + 1):
        tree.read(word)
    return [_parts(word, label, tree) for word, label in enumerate(labels, 1)]


def _parts(word: int, label: str, tree: _Tree) -> list[Part]:
    tags = _Tags.of(label)
    other = tree.filled[word].left if tags.leaf == "r" else tree.after[word].right
    found = [Part(tags.leaf, f"a {_SIDES[tags.leaf]} child: joined with {named(other)} first")]
    if tags.inner == ".":
        found.append(Part(".", "no node comes after the last word"))
    else:
        after = tree.after[word]
        text = f"the next node joins {named(after.left)} with {named(after.right)}: arc {arrow(*after.arc)}"
        found.append(Part(tags.inner, f"{text}; it is a {_SIDES[after.child]} child"))
    if tags.lift:
        head = tree.words_below(word)[tags.lift - 1]
        text = f"lifted to {named(tree.heads[word])}; the head is number {tags.lift} of the words below that"
        found.append(Part(f"^{tags.lift}", f"{text}, {named(head)}"))
    return found
