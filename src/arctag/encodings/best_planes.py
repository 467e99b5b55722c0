"""`planes="best"`: cover more arcs than greedy where that is possible.

Only sentences where greedy leaves arcs out are looked at. Arcs that conflict, directly or through
others, form components; in each, a depth-first search asks whether fewer arcs can be left out,
and then still fewer, down to the least that could do (a word with more heads than planes must lose
some). The search is exact as long as it stays within its budget of steps, which it does on every
graph of four words and on nearly all sentences of real treebanks; past the budget the best answer
so far stays, at first greedy's.
"""

from __future__ import annotations

import numpy as np

from arctag.encodings.labels import OffsetArray
from arctag.encodings.rules import MANY_HEADS, ONE_HEAD, ONE_HEAD_EACH_WAY
from arctag.graph import BoolArray, IntArray
from arctag.kernel import kernel

_STEPS = 2_000_000  # looks at a pair of arcs, for all searches in one component: some milliseconds
_LARGEST = 2_000  # arcs in a sentence; beyond it the table of conflicts costs more than it brings


@kernel
def _conflict(head_a: int, dep_a: int, head_b: int, dep_b: int, one_head: int, relaxed: bool) -> bool:
    """Whether two arcs may not share a plane."""
    same_way = (head_a < dep_a) == (head_b < dep_b)
    if dep_a == dep_b and (one_head == ONE_HEAD or (one_head == ONE_HEAD_EACH_WAY and same_way)):
        return True
    if relaxed and not same_way:
        return False
    left_a, right_a = min(head_a, dep_a), max(head_a, dep_a)
    left_b, right_b = min(head_b, dep_b), max(head_b, dep_b)
    return left_a < left_b < right_a < right_b or left_b < left_a < right_b < right_a


@kernel
def _component(first: int, conflicts: BoolArray, seen: BoolArray, members: IntArray) -> int:
    """Collect what hangs together with `first`, nearest first; give the number of members."""
    members[0] = first
    seen[first] = True
    count, done = 1, 0
    while done < count:
        arc = members[done]
        done += 1
        for other in range(len(seen)):
            if conflicts[arc, other] and not seen[other]:
                seen[other] = True
                members[count] = other
                count += 1
    return count


@kernel
def _search(members: IntArray, conflicts: BoolArray, k: int, drops: int, steps: int, found: IntArray) -> int:
    """Give each member a plane so that at most `drops` have none; give the steps left, -1 if there is no such way."""
    count = len(members)
    choice = np.full(count, -1, dtype=np.int32)  # k means: left out
    used = np.zeros(count + 1, dtype=np.int32)  # planes in use before each member
    dropped = np.zeros(count + 1, dtype=np.int32)
    at = 0
    while at >= 0:
        if at == count:
            for i in range(count):
                found[i] = choice[i] if choice[i] < k else -1
            return steps
        if steps < 0:
            return -1
        steps -= 1
        option = choice[at] + 1
        while option < k:
            if option > used[at]:  # planes are alike: a second fresh one brings nothing new
                option = k
                break
            fits = True
            steps -= at
            for i in range(at):
                if choice[i] == option and conflicts[members[i], members[at]]:
                    fits = False
                    break
            if fits:
                break
            option += 1
        if option > k or (option == k and dropped[at] >= drops):
            choice[at] = -1
            at -= 1
            continue
        choice[at] = option
        used[at + 1] = max(used[at], option + 1) if option < k else used[at]
        dropped[at + 1] = dropped[at] + (1 if option == k else 0)
        at += 1
    return -1


@kernel
def _least_drops(members: IntArray, heads: IntArray, dependents: IntArray, k: int, one_head: int) -> int:
    """How many arcs must be left out because a word has more heads than there are planes."""
    if one_head == MANY_HEADS:
        return 0
    least = 0
    for i in range(len(members)):
        same, earlier = 0, 0
        for j in range(len(members)):
            if dependents[members[i]] != dependents[members[j]]:
                continue
            same_way = (heads[members[i]] < dependents[members[i]]) == (heads[members[j]] < dependents[members[j]])
            if one_head == ONE_HEAD or same_way:
                same += 1
                earlier += 1 if j < i else 0
        if earlier >= k and same > k:
            least += 1
    return least


@kernel
def _improve_sentence(
    heads: IntArray, dependents: IntArray, plane: IntArray, k: int, one_head: int, relaxed: bool
) -> None:
    """Replace the greedy planes of one sentence, component by component."""
    count = len(heads)
    conflicts = np.zeros((count, count), dtype=np.bool_)
    seen = np.zeros(count, dtype=np.bool_)
    for a in range(count):
        if heads[a] == dependents[a]:
            seen[a] = True  # a self-loop has no plane
            continue
        for b in range(a + 1, count):
            if heads[b] != dependents[b] and _conflict(
                heads[a], dependents[a], heads[b], dependents[b], one_head, relaxed
            ):
                conflicts[a, b] = conflicts[b, a] = True
    members = np.empty(count, dtype=np.int32)
    found = np.empty(count, dtype=np.int32)
    for start in range(count):
        if seen[start] or plane[start] >= 0:
            continue  # a component is worth a look only if one of its arcs is left out
        size = _component(start, conflicts, seen, members)
        part = members[:size]
        missing = 0
        for arc in part:
            missing += 1 if plane[arc] < 0 else 0
        least, steps = _least_drops(part, heads, dependents, k, one_head), _STEPS
        while missing > least:
            steps = _search(part, conflicts, k, missing - 1, steps, found)
            if steps < 0:
                break
            missing = 0
            for i in range(size):
                plane[part[i]] = found[i]
                missing += 1 if found[i] < 0 else 0


@kernel
def improve(
    sizes: IntArray, starts: OffsetArray, heads: IntArray, dependents: IntArray,
    plane: IntArray, k: int, one_head: int, relaxed: bool,
) -> None:  # fmt: skip
    """Replace greedy planes, in place, wherever more arcs can be covered."""
    for s in range(len(sizes)):
        start, end = starts[s], starts[s + 1]
        left_out = False
        for i in range(start, end):
            if plane[i] < 0 and heads[i] != dependents[i]:
                left_out = True
        if left_out and end - start <= _LARGEST:
            _improve_sentence(heads[start:end], dependents[start:end], plane[start:end], k, one_head, relaxed)
