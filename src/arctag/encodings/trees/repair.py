"""Trees out of heads that are none: words without a head, and cycles, are attached to the top of the sentence.

The top is the first word below the root; where there is none, the first word without a head, else the first word of
the sentence. The first word of a cycle is attached, as in Strzyz et al. (2019).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from arctag.graph import IntArray
from arctag.kernel import kernel


@kernel
def _repaired(sizes: IntArray, heads: IntArray, repairs: npt.NDArray[np.int64]) -> IntArray:
    longest = sizes.max() if len(sizes) else 0
    seen = np.zeros(longest + 1, dtype=np.int64)  # the walk on which a word was first met
    fixed = heads.copy()
    first, walk = -1, 0
    for s in range(len(sizes)):
        n = sizes[s]
        top, lost = 0, 0
        for word in range(n, 0, -1):
            head = fixed[first + word]
            if head > n or head < 0 or head == word:
                fixed[first + word] = -1
                lost = word
            elif head == 0:
                top = word
        if top == 0 and n > 0:
            top = lost if lost > 0 else 1
            repairs[s] += 1
            fixed[first + top] = 0
        for word in range(1, n + 1):
            if fixed[first + word] < 0:
                fixed[first + word] = top
                repairs[s] += 1
        seen[: n + 1] = 0
        start = walk
        for word in range(1, n + 1):
            walk += 1
            at = word
            while at > 0 and seen[at] <= start:
                seen[at] = walk
                at = fixed[first + at]
            if at > 0 and seen[at] == walk:  # the words of a walk are met in no order: find the first of the cycle
                least, other = at, fixed[first + at]
                while other != at:
                    least = min(least, other)
                    other = fixed[first + other]
                fixed[first + least] = top
                repairs[s] += 1
        first += n
    return fixed


def repaired(sizes: IntArray, heads: IntArray, repairs: npt.NDArray[np.int64]) -> IntArray:
    """A tree for each sentence: these heads where they are sound; `repairs` is increased in place."""
    return _repaired(sizes, heads, repairs)
