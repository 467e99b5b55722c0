"""Plane assignment: split the arcs of a graph into planes whose arcs do not conflict.

What conflicts is a `Rule`. Under `strict` any two crossing arcs conflict; under `relaxed` only
those that point the same way. The bit encodings allow one head per word and plane besides.

The greedy assignment of the paper takes arcs in order and gives each the first plane it fits.
That equals filling one plane after the other, going each time through the arcs still left, and
so needs the state of a single plane. A plane's arcs do not cross, hence they nest: the open ones
form a stack, and its top shows whether a new arc crosses. Time is linear in arcs for
each plane, whatever the length of the sentence.
"""

from __future__ import annotations

import numpy as np

from arctag.encodings.best_planes import improve
from arctag.encodings.labels import Arcs, OffsetArray
from arctag.encodings.rules import BY_DEPENDENT, BY_LEFT_END, MANY_HEADS, ONE_HEAD_EACH_WAY, Crossing, Rule
from arctag.encodings.sorting import by_left_end
from arctag.graph import Graph, IntArray
from arctag.kernel import kernel


@kernel
def _fill_by_left_end(
    todo: IntArray, heads: IntArray, dependents: IntArray, plane: IntArray, number: int,
    relaxed: bool, one_head: int, stack: IntArray, taken: IntArray,
) -> int:  # fmt: skip
    """Fill one plane from arcs sorted by (left end, right end); give the number of arcs left over.

    `stack[way]` holds the right ends of open arcs, the nearest on top. Arcs with the same left end
    come with growing right ends; they wait, and are pushed together once the left end moves on.
    """
    rest = 0
    top = np.zeros(2, dtype=np.int64)
    waiting = np.zeros(2, dtype=np.int64)
    last = np.full(2, -1, dtype=np.int64)
    for k in range(len(todo)):
        arc = todo[k]
        head, dependent = heads[arc], dependents[arc]
        left, right = min(head, dependent), max(head, dependent)
        way = 1 if relaxed and head > dependent else 0
        if left != last[way]:
            low, high = top[way] - waiting[way], top[way] - 1
            while low < high:  # those that waited came in growing order: turn them round
                stack[way, low], stack[way, high] = stack[way, high], stack[way, low]
                low += 1
                high -= 1
            waiting[way] = 0
            last[way] = left
            while top[way] > 0 and stack[way, top[way] - 1] <= left:
                top[way] -= 1
        before = top[way] - waiting[way]
        side = 1 if one_head == ONE_HEAD_EACH_WAY and head > dependent else 0
        crosses = before > 0 and stack[way, before - 1] < right
        if crosses or (one_head != MANY_HEADS and taken[side, dependent] == number):
            todo[rest] = arc
            rest += 1
            continue
        plane[arc] = number
        taken[side, dependent] = number
        stack[way, top[way]] = right
        top[way] += 1
        waiting[way] += 1
    return rest


@kernel
def _inside(lefts: IntArray, rights: IntArray, count: int, position: int) -> bool:
    """Whether the position lies strictly inside one of the intervals, which are disjoint and sorted."""
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        if rights[middle] > position:
            high = middle
        else:
            low = middle + 1
    return low < count and lefts[low] < position


@kernel
def _cover(lefts: IntArray, rights: IntArray, count: int, left: int, right: int) -> int:
    """Add an interval that ends to the right of all others, swallowing those it contains."""
    while count > 0 and lefts[count - 1] >= left:
        count -= 1
    lefts[count] = left
    rights[count] = right
    return count + 1


@kernel
def _fill_by_dependent(
    todo: IntArray, heads: IntArray, dependents: IntArray, plane: IntArray, number: int,
    relaxed: bool, open_left: IntArray, open_right: IntArray, lefts: IntArray, rights: IntArray,
) -> int:  # fmt: skip
    """Fill one plane from arcs sorted by (dependent, head); give the number of arcs left over.

    An arc to the left opens at its dependent and waits on a stack for its head. An arc to the
    right ends at its dependent; it crosses a finished arc if its head lies inside that one, and,
    under strict crossing, an open one that begins between its ends.
    """
    rest, opened, covered = 0, 0, 0
    current, waiting = -1, 0
    closing = -1  # the leftmost start of the arcs that end at the current word
    for k in range(len(todo)):
        arc = todo[k]
        head, dependent = heads[arc], dependents[arc]
        if dependent != current:
            low, high = opened - waiting, opened - 1
            while low < high:  # those that waited came in growing order: turn them round
                open_right[low], open_right[high] = open_right[high], open_right[low]
                low += 1
                high -= 1
            waiting = 0
            if closing >= 0:
                covered = _cover(lefts, rights, covered, closing, current)
                closing = -1
            current = dependent
            while opened > 0 and open_right[opened - 1] <= dependent:
                opened -= 1
                if not relaxed:
                    if open_right[opened] < dependent:
                        covered = _cover(lefts, rights, covered, open_left[opened], open_right[opened])
                    else:
                        closing = open_left[opened]
        before = opened - waiting
        if head < dependent:
            crosses = _inside(lefts, rights, covered, head)
            if not relaxed and before > 0 and open_left[before - 1] > head:
                crosses = True
        else:
            crosses = before > 0 and open_right[before - 1] < head
        if crosses:
            todo[rest] = arc
            rest += 1
            continue
        plane[arc] = number
        if head < dependent:
            closing = head if closing < 0 else min(closing, head)
        else:
            open_left[opened] = dependent
            open_right[opened] = head
            opened += 1
            waiting += 1
    return rest


@kernel
def _rename_by_size(plane: IntArray, count: int, first_stays: bool) -> None:
    """Number planes by size, the largest first, the earlier one first among equals."""
    sizes = np.zeros(count, dtype=np.int64)
    for number in plane:
        if number >= 0:
            sizes[number] += 1
    if first_stays and count > 0:
        sizes[0] = len(plane) + 1
    order = np.argsort(-sizes, kind="mergesort")
    rank = np.empty(count, dtype=np.int32)
    for i in range(count):
        rank[order[i]] = i
    for k in range(len(plane)):
        if plane[k] >= 0:
            plane[k] = rank[plane[k]]


@kernel
def _greedy(
    sizes: IntArray, starts: OffsetArray, heads: IntArray, dependents: IntArray,
    in_order: IntArray, order: int, one_head: int, relaxed: bool, by_size: bool, first_stays: bool,
) -> tuple[IntArray, IntArray]:  # fmt: skip
    """The plane of every arc (-1 for self-loops), and the number of planes of every sentence.

    `in_order` holds the numbers of the arcs, those of each sentence in the order in which they are taken.
    """
    plane = np.full(len(heads), -1, dtype=np.int32)
    counts = np.zeros(len(sizes), dtype=np.int32)
    longest, most = 0, 0
    for s in range(len(sizes)):
        longest = max(longest, sizes[s])
        most = max(most, starts[s + 1] - starts[s])
    stack = np.empty((2, most + 1), dtype=np.int32)
    lefts, rights = np.empty(most + 1, dtype=np.int32), np.empty(most + 1, dtype=np.int32)
    taken = np.empty((2, longest + 1), dtype=np.int32)
    arcs = np.empty(most, dtype=np.int32)
    for s in range(len(sizes)):
        left = 0
        for arc in in_order[starts[s] : starts[s + 1]]:
            if heads[arc] != dependents[arc]:
                arcs[left] = arc
                left += 1
        taken[:, : sizes[s] + 1] = -1
        number = 0
        while left > 0:
            if order == BY_LEFT_END:
                left = _fill_by_left_end(arcs[:left], heads, dependents, plane, number, relaxed, one_head, stack, taken)
            else:
                left = _fill_by_dependent(
                    arcs[:left], heads, dependents, plane, number, relaxed, stack[0], stack[1], lefts, rights
                )
            number += 1
        counts[s] = number
        if by_size:
            _rename_by_size(plane[starts[s] : starts[s + 1]], number, first_stays)
    return plane, counts


def _greedy_planes(arcs: Arcs, rule: Rule, by_size: bool) -> tuple[IntArray, IntArray]:
    """The plane of every arc and the number of planes of every sentence, under a rule."""
    # arcs come sorted by dependent
    in_order = by_left_end(arcs) if rule.order == BY_LEFT_END else np.arange(len(arcs.heads), dtype=np.int32)
    return _greedy(
        arcs.sizes, arcs.starts, arcs.heads, arcs.dependents, in_order,
        rule.order, rule.heads, rule.crossing == "relaxed", by_size, rule.first_stays,
    )  # fmt: skip


def assign(arcs: Arcs, rule: Rule, k: int) -> IntArray:
    """The plane (0 to k-1) of every arc; -1 for arcs that no plane has room for, and self-loops."""
    plane, _ = _greedy_planes(arcs, rule, by_size=True)
    plane[plane >= k] = -1
    if rule.planes == "best":
        relaxed = rule.crossing == "relaxed"
        improve(arcs.sizes, arcs.starts, arcs.heads, arcs.dependents, plane, k, rule.heads, relaxed)
    return plane


def assign_planes(graph: Graph, crossing: Crossing = "relaxed") -> IntArray:
    """The greedy plane of every arc of a graph, as many planes as it takes; a self-loop gets plane 0."""
    plane, _ = _greedy_planes(Arcs.of([graph]), Rule(BY_DEPENDENT, MANY_HEADS, crossing), by_size=False)
    return np.maximum(plane, 0)


def plane_counts(arcs: Arcs, crossing: Crossing = "strict") -> IntArray:
    """How many planes the greedy assignment needs for each graph (the paper's statistic: strict)."""
    return _greedy_planes(arcs, Rule(BY_DEPENDENT, MANY_HEADS, crossing), by_size=False)[1]


def count_planes(graph: Graph, crossing: Crossing = "strict") -> int:
    """How many planes the greedy assignment needs for one graph."""
    return int(plane_counts(Arcs.of([graph]), crossing)[0])
