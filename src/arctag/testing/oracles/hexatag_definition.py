"""Hexatags from the definition: the binary tree is built, node by node."""

from __future__ import annotations

from dataclasses import dataclass

from arctag.encodings.labels import LabelRow
from arctag.encodings.trees.unlifting import MOST
from arctag.testing.oracles.projective import Heads, ancestors, lifted


@dataclass
class _Node:
    """A node of the binary tree: a leaf, or an inner node."""

    last: int
    """The last leaf below it."""
    head_right: bool = False
    is_right: bool = False
    """Whether it is a right child; the topmost node counts as a left one."""


def hexatag(heads: Heads) -> list[LabelRow]:
    """A row: whether the leaf is a right child; the tag of the inner node after it; the number of a lifted word."""
    projective = lifted(heads)
    leaves, inner = _binary(projective)
    return [
        (int(leaves[word].is_right), _tag(inner.get(word)), _number(word, head, projective))
        for word, head in enumerate(heads, 1)
    ]


def _binary(heads: Heads) -> tuple[list[_Node], dict[int, _Node]]:
    """All leaves, and each inner node by the last leaf before it."""
    words = range(len(heads) + 1)
    leaves = [_Node(word) for word in words]
    inner: dict[int, _Node] = {}
    tops = list(leaves)
    for word in sorted(words, key=lambda word: len(ancestors(word, heads)), reverse=True):
        dependents = [other for other, head in enumerate(heads, 1) if head == word]
        for other in reversed([other for other in dependents if other < word]):
            tops[word] = _joined(tops[other], tops[word], True, inner)
        for other in [other for other in dependents if other > word]:
            tops[word] = _joined(tops[word], tops[other], False, inner)
    return leaves, inner


def _joined(left: _Node, right: _Node, head_right: bool, inner: dict[int, _Node]) -> _Node:
    right.is_right = True
    inner[left.last] = _Node(right.last, head_right)
    return inner[left.last]


def _tag(node: _Node | None) -> int:
    """None after the last word; else 1 to 4."""
    return 1 + 2 * node.is_right + node.head_right if node else 0


def _number(word: int, head: int, projective: Heads) -> int:
    """The place of the head among the words below the one to which the word was lifted, by depth, then position."""
    above = {other: ancestors(other, projective) for other in range(1, len(projective) + 1)}
    top = projective[word - 1]
    below = [other for other in above if top in above[other] and word not in (other, *above[other])]
    below.sort(key=lambda other: (len(above[other]), other))
    return below.index(head) + 1 if head in below[:MOST] else 0
