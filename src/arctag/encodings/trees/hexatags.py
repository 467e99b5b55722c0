"""Hexatags: a tree as a binary tree, each node of which has a tag: which child it is, and where its head lies.

After Amini, Liu and Cotterell (2023). The tree is made projective and then binary: each word is joined with its left
dependents, the nearest first, and then with its right ones, the nearest first. From left to right the binary tree is
leaf 0 (the root), inner node 1, leaf 1, inner node 2, leaf 2 and so on. Leaf 0 and inner node 1 are the same in all
trees; a word's label has the tag of its leaf, that of the inner node after it, and the number that leads a lifted word
back to its head (see `unlifting`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from arctag.encodings.base import bad_label
from arctag.encodings.labels import LabelRow, Labels
from arctag.encodings.trees.base import Repairs, TreeEncoding
from arctag.encodings.trees.lifting import lifted
from arctag.encodings.trees.unlifting import MOST, lift_numbers, unlifted
from arctag.graph import BoolArray, IntArray
from arctag.kernel import kernel

LEAVES = "lr"
"""The tags of a leaf: a left child, a right child."""
INNER = (".", "l<", "l>", "r<", "r>")
"""The tags of an inner node: none, then which child it is and on which side its head lies."""
_LABEL = re.compile(rf"(?P<leaf>[lr])(?P<inner>\.|[lr][<>])(?:\^(?P<lift>[1-{MOST}]))?")


@kernel
def _encode(sizes: IntArray, heads: IntArray, lifts: IntArray) -> IntArray:
    """The rows of projective trees."""
    longest = sizes.max() if len(sizes) else 0
    rows = np.zeros((len(heads), 3), dtype=np.int32)
    low = np.empty(longest + 1, dtype=np.int32)  # the first dependent of a word, or itself if that is before it
    high = np.empty(longest + 1, dtype=np.int32)
    left_edge = np.empty(longest + 1, dtype=np.int32)  # the first word below a word, with itself
    right_edge = np.empty(longest + 1, dtype=np.int32)
    first = -1
    for s in range(len(sizes)):
        n = sizes[s]
        for word in range(n + 1):
            low[word], high[word] = word, word
        for word in range(1, n + 1):
            head = heads[first + word]
            low[head] = min(low[head], word)
            high[head] = max(high[head], word)
        for word in range(n + 1):
            left_edge[word] = left_edge[low[word]] if low[word] < word else word
        for word in range(n, -1, -1):
            right_edge[word] = right_edge[high[word]] if high[word] > word else word
        for word in range(1, n + 1):
            head = heads[first + word]
            # a leaf, or the last join of a word, is the child that the word is to its head
            if low[word] < word or (high[word] == word and head < word):
                rows[first + word, 0] = 1
            head_is_right = head > 0 and heads[first + head] < head
            if word < head:
                right = low[head] < word or (high[head] == head and head_is_right)
                rows[first + right_edge[word], 1] = 4 if right else 2
            elif left_edge[word] > 1:
                right = high[head] == word and head_is_right
                rows[first + left_edge[word] - 1, 1] = 3 if right else 1
            rows[first + word, 2] = lifts[first + word]
        first += n
    return rows


@kernel
def _fill(
    first: int, complete: int, top: int, left: IntArray, head_right: BoolArray, is_left: BoolArray, heads: IntArray
) -> tuple[int, int]:
    """Make a subtree the right child that the topmost node lacks: the head of what is complete then, and the top."""
    while True:
        top -= 1
        if head_right[top]:
            heads[first + left[top]] = complete
        else:
            heads[first + complete] = left[top]
            complete = left[top]
        if is_left[top]:
            return complete, top


@kernel
def _decode(rows: IntArray, sizes: IntArray, repairs: npt.NDArray[np.int64]) -> IntArray:
    """The heads of projective trees, whatever the tags."""
    longest = sizes.max() if len(sizes) else 0
    heads = np.empty(len(rows), dtype=np.int32)
    # inner nodes without their right child: the head of the left child, whether the head of the node is on the right,
    # whether the node is a left child, or else the right child of the one before it on the stack
    left = np.empty(longest + 1, dtype=np.int32)
    head_right = np.empty(longest + 1, dtype=np.bool_)
    is_left = np.empty(longest + 1, dtype=np.bool_)
    first = -1
    for s in range(len(sizes)):
        n = sizes[s]
        if n == 0:
            continue
        left[0], head_right[0], is_left[0] = 0, False, True
        complete, top = 0, 1  # the head of the subtree that is complete, and the number of nodes
        for word in range(1, n + 1):
            leaf, inner = rows[first + word, 0], rows[first + word, 1]
            if leaf > 1:
                leaf = 0
                repairs[s] += 1
            if inner > 4:
                inner = 0
                repairs[s] += 1
            complete = word
            if leaf == 1:
                complete, top = _fill(first, complete, top, left, head_right, is_left, heads)
            if word == n:
                repairs[s] += inner > 0
                break
            if inner == 0:
                inner = 1
                repairs[s] += 1
            left[top], head_right[top], is_left[top] = complete, inner == 2 or inner == 4, inner < 3
            if complete == 0 and head_right[top]:
                head_right[top] = False
                repairs[s] += 1
            if top == 0 and not is_left[top]:
                is_left[top] = True
                repairs[s] += 1
            top += 1
        while top > 0:
            complete, top = _fill(first, complete, top, left, head_right, is_left, heads)
            repairs[s] += 1
        first += n
    return heads


@dataclass(frozen=True)
class Hexatag(TreeEncoding):
    """Two tags and a number a word: 'lr<'. At most 9 labels on projective trees.

    First 'l' or 'r': the word's leaf is a left or right child. Then two signs for the inner node after it: 'l' or 'r',
    which child it is, and '<' or '>', whether its head lies on the left or right; '.' after the last word. At the end
    '^' and a number if the word was lifted: 'lr<^2'.
    """

    @property
    def name(self) -> str:
        return "hexatag"

    @property
    def factors(self) -> tuple[int, ...]:
        return (len(LEAVES), len(INNER), MOST + 1)

    def encode_trees(self, sizes: IntArray, heads: IntArray) -> Labels:
        projective = lifted(sizes, heads)
        return Labels.from_matrix(_encode(sizes, projective, lift_numbers(sizes, heads, projective)), sizes)

    def decode_heads(self, labels: Labels) -> tuple[IntArray, Repairs]:
        rows, repairs = labels.fixed_width(len(self.factors), max(self.factors))
        projective = _decode(rows, labels.sizes, repairs)
        return unlifted(labels.sizes, projective, rows[:, 2], repairs), repairs

    def format(self, row: Sequence[int]) -> str:
        leaf, inner, lift = row
        return f"{LEAVES[leaf]}{INNER[inner]}{f'^{lift}' if lift else ''}"

    def parse(self, text: str) -> LabelRow:
        match = _LABEL.fullmatch(text)
        if match is None:
            raise bad_label(self.name, text, "lr<")
        return LEAVES.index(match["leaf"]), INNER.index(match["inner"]), int(match["lift"] or 0)
