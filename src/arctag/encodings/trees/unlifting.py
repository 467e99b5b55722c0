"""Lifted words led back to their heads: a number says where below the word to which it was lifted the head is.

Number k stands for the k-th word below, top-down and from left to right (breadth first), in the projective tree; the
lifted word itself and what is below it are not counted. Only the first `MOST` words are numbered, so that a word takes
constant time. 0 stands for a word that stays where it is.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from arctag.graph import IntArray
from arctag.kernel import kernel

MOST = 9


@kernel
def _link(n: int, first: int, heads: IntArray, child: IntArray, sibling: IntArray) -> None:
    """Fill in the first child of each word, and the next child of the same head; 0 where there is none."""
    child[: n + 1] = 0
    for word in range(n, 0, -1):
        head = heads[first + word]
        sibling[word] = child[head]
        child[head] = word


@kernel
def _words_below(word: int, head: int, child: IntArray, sibling: IntArray, found: IntArray) -> int:
    """Find the first words below a head, but not those below the word, and say how many there are."""
    count, done = 0, 0
    at = head
    while True:
        below = child[at]
        while below > 0 and count < len(found):
            if below != word:
                found[count] = below
                count += 1
            below = sibling[below]
        if done == count or count == len(found):
            return count
        at = found[done]
        done += 1


@kernel
def _lift_numbers(sizes: IntArray, heads: IntArray, projective: IntArray) -> IntArray:
    longest = sizes.max() if len(sizes) else 0
    numbers = np.zeros(len(heads), dtype=np.int32)
    child = np.empty(longest + 1, dtype=np.int32)
    sibling = np.empty(longest + 1, dtype=np.int32)
    found = np.empty(MOST, dtype=np.int32)
    first = -1
    for s in range(len(sizes)):
        n = sizes[s]
        linked = False
        for word in range(1, n + 1):
            if heads[first + word] == projective[first + word]:
                continue
            if not linked:
                _link(n, first, projective, child, sibling)
                linked = True
            count = _words_below(word, projective[first + word], child, sibling, found)
            for i in range(count):
                if found[i] == heads[first + word]:
                    numbers[first + word] = i + 1
        first += n
    return numbers


@kernel
def _unlifted(sizes: IntArray, projective: IntArray, numbers: IntArray, repairs: npt.NDArray[np.int64]) -> IntArray:
    longest = sizes.max() if len(sizes) else 0
    heads = projective.copy()
    child = np.empty(longest + 1, dtype=np.int32)
    sibling = np.empty(longest + 1, dtype=np.int32)
    found = np.empty(MOST, dtype=np.int32)
    first = -1
    for s in range(len(sizes)):
        n = sizes[s]
        linked = False
        for word in range(1, n + 1):
            number = numbers[first + word]
            if number == 0:
                continue
            if not linked:
                _link(n, first, projective, child, sibling)
                linked = True
            count = _words_below(word, projective[first + word], child, sibling, found)
            if number <= count:
                heads[first + word] = found[number - 1]
            else:
                repairs[s] += 1
        first += n
    return heads


def lift_numbers(sizes: IntArray, heads: IntArray, projective: IntArray) -> IntArray:
    """The number of each word of trees that were made projective; 0 also where the head has none."""
    return _lift_numbers(sizes, heads, projective)


def unlifted(sizes: IntArray, projective: IntArray, numbers: IntArray, repairs: npt.NDArray[np.int64]) -> IntArray:
    """The heads that these numbers lead to, all words moved at once: perhaps no trees any more.

    A number, from 0 to `MOST`, that leads to no word is a repair: `repairs` is increased in place.
    """
    return _unlifted(sizes, projective, numbers, repairs)
