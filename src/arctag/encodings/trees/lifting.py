"""Projective trees out of any trees: a word whose arc crosses others is lifted to a word above its head.

Each word goes to the lowest of its ancestors for which all words in between are the ancestor's own descendants
(pseudo-projective trees, Nivre and Nilsson 2005; here all arcs are lifted at once, so that their order does not
matter). Linear: the words around an ancestor that descend from it form a block, and each block is made of smaller
ones, whose tops are the words to be attached.
"""

from __future__ import annotations

import numpy as np

from arctag.graph import IntArray
from arctag.kernel import kernel


@kernel
def _lifted(sizes: IntArray, heads: IntArray) -> IntArray:
    longest = sizes.max() if len(sizes) else 0
    result = heads.copy()
    size = np.empty(longest + 1, dtype=np.int32)  # words below a word, with itself
    entry = np.empty(longest + 1, dtype=np.int32)  # its number in an order in which ancestors come first
    room = np.empty(longest + 2, dtype=np.int32)
    children = np.empty(longest + 1, dtype=np.int32)
    order = np.empty(longest + 1, dtype=np.int32)
    top_at = np.empty(longest + 2, dtype=np.int32)  # for the first and last word of a block, the block's top
    low = np.empty(longest + 1, dtype=np.int32)
    high = np.empty(longest + 1, dtype=np.int32)
    first = -1
    for s in range(len(sizes)):
        n = sizes[s]
        # the children of each word side by side, then all words with heads before dependents
        room[: n + 2] = 0
        for word in range(1, n + 1):
            room[heads[first + word] + 1] += 1
        for word in range(n + 1):
            room[word + 1] += room[word]
        for word in range(n, 0, -1):
            head = heads[first + word]
            room[head + 1] -= 1
            children[room[head + 1]] = word
        # now room[word + 1] is where the children of a word begin
        order[0] = 0
        count = 1
        done = 0
        while done < count:
            word = order[done]
            start = room[word + 1]
            stop = room[word + 2] if word < n else n
            for i in range(start, stop):
                order[count] = children[i]
                count += 1
            done += 1
        for word in range(n + 1):
            size[word] = 1
        for i in range(n, 0, -1):
            size[heads[first + order[i]]] += size[order[i]]
        entry[0] = 0
        for i in range(n + 1):
            word = order[i]
            at = entry[word] + 1
            start = room[word + 1]
            stop = room[word + 2] if word < n else n
            for j in range(start, stop):
                entry[children[j]] = at
                at += size[children[j]]
        top_at[: n + 2] = 0  # the root, which is below nothing
        for i in range(n, -1, -1):
            word = order[i]
            begin, end = entry[word], entry[word] + size[word]
            left, right = word, word
            while left > 1 and begin < entry[top_at[left - 1]] < end:
                top = top_at[left - 1]
                result[first + top] = word
                left = low[top]
            while right < n and begin < entry[top_at[right + 1]] < end:
                top = top_at[right + 1]
                result[first + top] = word
                right = high[top]
            low[word], high[word] = left, right
            top_at[left], top_at[right] = word, word
        first += n
    return result


def lifted(sizes: IntArray, heads: IntArray) -> IntArray:
    """The heads of projective trees; the same heads where a tree is projective."""
    return _lifted(sizes, heads)
