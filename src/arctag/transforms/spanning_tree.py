"""The best tree over proposed arcs: of all trees with one word below the root, that with the highest sum of scores.

If every word's best head makes such a tree, none is better. Otherwise (Edmonds 1967, in the form of Gabow et al. 1986)
a path is grown from a word to its best head, to that one's best head, and so on. Where it comes back to itself, the
cycle becomes one node, and an arc into it is worth what would be won or lost by entering there. The arcs into a node
are a heap, and heaps are joined with their nodes: O(m log n) for m arcs and n words, however many cycles there are.

Arcs are compared by *level* first, an integer that makes some things count more than any score: few words below the
root, then few arcs that nobody proposed, then few arcs of score -inf and many of +inf.

Where the proposed arcs do not connect, several trees remain. The top of the one with the best proposed root arc (else
with the most dependents, else the first) is the top of the sentence, and those of the others are attached to it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from arctag.encodings.labels import Arcs, OffsetArray
from arctag.errors import InputError
from arctag.graph import IntArray
from arctag.kernel import kernel

Doubles = npt.NDArray[np.float64]
_NEW, _OPEN, _DONE = 0, 1, 2  # a node that no path has come to; on the path; with a way to the root


class Trees(NamedTuple):
    """The trees of many sentences, word after word."""

    heads: IntArray
    """The head of each word; exactly one word of a sentence has 0."""
    arcs: OffsetArray
    """The number of the arc that was chosen for it, -1 where none could be."""


def spanning_trees(arcs: Arcs, scores: npt.ArrayLike) -> Trees:
    """The best tree of each sentence with one word below the root, over proposed arcs with a score each.

    The result is a tree whatever is given. Self-loops are ignored, and a score that is not a number counts as -inf.
    Words that the arcs do not connect with the others are attached to the top.
    """
    values = np.array(scores, dtype=np.float64)
    if values.shape != arcs.heads.shape:
        raise InputError(f"{values.size} scores for {arcs.heads.size} arcs")
    values[np.isnan(values)] = -np.inf
    return Trees(*_spanning_trees(arcs.sizes, arcs.starts, arcs.heads, arcs.dependents, values))


class _Heaps(NamedTuple):
    """Arcs of a sentence in skew heaps, the best on top: the proposed ones, and then one from the root to each word."""

    heads: OffsetArray
    dependents: OffsetArray
    levels: OffsetArray
    scores: Doubles
    later_levels: OffsetArray
    """What is still to be added to the levels of all arcs below this one."""
    later_scores: Doubles
    left: OffsetArray
    right: OffsetArray


class _Nodes(NamedTuple):
    """The root, the words, and the cycles that became nodes, each with a higher number than its parts."""

    tops: OffsetArray
    """The best of the arcs into each node, -1 where there is none."""
    best: OffsetArray
    """The arc chosen for each node."""
    whole: OffsetArray
    """The node that each is a part of."""
    links: OffsetArray
    """Leads from each node to the outermost that it is in."""
    states: OffsetArray
    path: OffsetArray


@kernel
def _spanning_trees(
    sizes: IntArray, starts: OffsetArray, heads: IntArray, dependents: IntArray, scores: Doubles
) -> tuple[IntArray, OffsetArray]:
    longest, most = 0, 0
    for s in range(len(sizes)):
        longest, most = max(longest, sizes[s]), max(most, starts[s + 1] - starts[s])
    i, f = np.empty((6, most + longest), dtype=np.int64), np.empty((2, most + longest), dtype=np.float64)
    heaps = _Heaps(i[0], i[1], i[2], f[0], i[3], f[1], i[4], i[5])
    i = np.empty((6, 2 * longest + 2), dtype=np.int64)
    nodes = _Nodes(i[0], i[1], i[2], i[3], i[4], i[5])
    words = sizes.sum()
    out_heads, out_arcs = np.empty(words, np.int32), np.empty(words, np.int64)
    first = 0
    for s in range(len(sizes)):
        n, start, end = sizes[s], starts[s], starts[s + 1]
        tree, chosen = out_heads[first : first + n], out_arcs[first : first + n]
        _choose_best_heads(heads[start:end], dependents[start:end], scores[start:end], tree, chosen)
        if not _is_tree(tree, chosen, nodes.states):
            _fill(heads[start:end], dependents[start:end], scores[start:end], n, heaps, nodes)
            _expand(n, _contract(n, heaps, nodes), heaps, nodes)
            for word in range(n):
                arc = nodes.best[word + 1]
                tree[word] = heaps.heads[arc]
                chosen[word] = arc if arc < end - start else -1
            _join(tree, chosen, scores[start:end], nodes.path)
        for word in range(n):
            if chosen[word] >= 0:
                chosen[word] += start
        first += n
    return out_heads, out_arcs


@kernel
def _choose_best_heads(
    heads: IntArray, dependents: IntArray, scores: Doubles, tree: IntArray, chosen: OffsetArray
) -> None:
    chosen[:] = -1
    for i in range(len(heads)):
        best = chosen[dependents[i] - 1]
        if heads[i] != dependents[i] and (best < 0 or scores[i] > scores[best]):
            chosen[dependents[i] - 1] = i
            tree[dependents[i] - 1] = heads[i]


@kernel
def _is_tree(tree: IntArray, chosen: OffsetArray, seen: OffsetArray) -> bool:
    """Whether every word has a head, one of them the root, and there is no cycle."""
    tops = 0
    for i in range(len(tree)):
        if chosen[i] < 0:
            return False
        tops += tree[i] == 0
    if tops != 1:
        return len(tree) == 0
    seen[: len(tree) + 1] = 0
    for first in range(1, len(tree) + 1):
        word = first
        while word > 0 and seen[word] == 0:
            seen[word] = first
            word = tree[word - 1]
        if word > 0 and seen[word] == first:
            return False
    return True


@kernel
def _fill(heads: IntArray, dependents: IntArray, scores: Doubles, n: int, heaps: _Heaps, nodes: _Nodes) -> None:
    """Put the arcs into the heap of their word, and below them one from the root for each word."""
    count, unit = len(heads), 2 * (n + 1)  # more than the levels of n arcs with infinite scores can differ by
    nodes.tops[: 2 * n + 2] = -1
    for i in range(count + n):
        proposed = i < count
        heaps.heads[i] = heads[i] if proposed else 0
        heaps.dependents[i] = dependents[i] if proposed else i - count + 1
        finite = proposed and np.isfinite(scores[i])
        heaps.scores[i] = scores[i] if finite else 0.0
        heaps.levels[i] = 0 if heaps.heads[i] else -unit * unit
        if not proposed:
            heaps.levels[i] -= unit
        elif not finite:
            heaps.levels[i] += 1 if scores[i] > 0 else -1
        heaps.later_levels[i] = 0
        heaps.later_scores[i] = 0.0
        heaps.left[i] = heaps.right[i] = -1
        word = heaps.dependents[i]
        if heaps.heads[i] != word:
            nodes.tops[word] = _merged(nodes.tops[word], i, heaps)


@kernel
def _contract(n: int, heaps: _Heaps, nodes: _Nodes) -> int:
    """Choose the best arc into each node, making nodes of cycles, until each has a way to the root; count the nodes."""
    for node in range(2 * n + 2):
        nodes.links[node] = nodes.whole[node] = node
        nodes.states[node] = _NEW
    nodes.states[0] = _DONE
    count = n + 1
    for word in range(1, n + 1):
        node, length = _outermost(word, nodes.links), 0
        while nodes.states[node] != _DONE:
            nodes.states[node] = _OPEN
            nodes.path[length] = node
            length += 1
            node = _choose(node, heaps, nodes)
            if nodes.states[node] == _OPEN:
                length = _make_node(count, node, length, heaps, nodes)
                node = count
                count += 1
        for i in range(length):
            nodes.states[nodes.path[i]] = _DONE
    return count


@kernel
def _choose(node: int, heaps: _Heaps, nodes: _Nodes) -> int:
    """Take the best arc that enters a node, make the others worth what they are worth beside it, and give its head."""
    arc = nodes.tops[node]
    head = _outermost(heaps.heads[arc], nodes.links)
    while head == node:  # an arc within a cycle; those from the root never are
        arc = _without_top(arc, heaps)
        head = _outermost(heaps.heads[arc], nodes.links)
    nodes.best[node] = arc
    rest = _without_top(arc, heaps)
    _add(rest, -heaps.levels[arc], -heaps.scores[arc], heaps)
    nodes.tops[node] = rest
    return head


@kernel
def _make_node(new: int, first: int, length: int, heaps: _Heaps, nodes: _Nodes) -> int:
    """Make a node of the path from its node `first` on; give the length of what is left of the path."""
    while True:
        length -= 1
        part = nodes.path[length]
        nodes.whole[part] = nodes.links[part] = new
        nodes.tops[new] = _merged(nodes.tops[new], nodes.tops[part], heaps)
        if part == first:
            return length


@kernel
def _expand(n: int, count: int, heaps: _Heaps, nodes: _Nodes) -> None:
    """The arc into a cycle takes the place of the one within it to the same word; outer cycles come first."""
    nodes.states[:count] = _NEW
    for node in range(count - 1, n, -1):
        if nodes.states[node] == _DONE:  # entered by the arc of an outer cycle, as are the parts on the way to its word
            continue
        part = heaps.dependents[nodes.best[node]]
        while part != node:
            nodes.best[part] = nodes.best[node]
            nodes.states[part] = _DONE
            part = nodes.whole[part]


@kernel
def _join(tree: IntArray, chosen: OffsetArray, scores: Doubles, below: OffsetArray) -> None:
    """Attach all words below the root but one to that one."""
    below[: len(tree) + 1] = 0
    for head in tree:
        below[head] += 1
    if below[0] == 1:
        return
    top = -1
    for i in range(len(tree)):
        if tree[i] != 0:
            continue
        if top < 0 or chosen[top] < 0:
            better = top < 0 or chosen[i] >= 0 or below[i + 1] > below[top + 1]
        else:
            better = chosen[i] >= 0 and scores[chosen[i]] > scores[chosen[top]]
        if better:
            top = i
    for i in range(len(tree)):
        if tree[i] == 0 and i != top:
            tree[i] = top + 1
            chosen[i] = -1


@kernel
def _outermost(node: int, links: OffsetArray) -> int:
    """The outermost node that a node is in; the way there is shortened for the next time."""
    while links[node] != node:
        links[node] = links[links[node]]
        node = links[node]
    return node


@kernel
def _better(a: int, b: int, heaps: _Heaps) -> bool:
    """Whether one arc comes before another; of equal ones the first does."""
    if heaps.levels[a] != heaps.levels[b]:
        return bool(heaps.levels[a] > heaps.levels[b])
    if heaps.scores[a] != heaps.scores[b]:
        return bool(heaps.scores[a] > heaps.scores[b])
    return a < b


@kernel
def _add(top: int, level: int, score: float, heaps: _Heaps) -> None:
    """Add to the weights of all arcs of a heap: to the top now, to the others when they are looked at."""
    if top >= 0:
        heaps.levels[top] += level
        heaps.scores[top] += score
        heaps.later_levels[top] += level
        heaps.later_scores[top] += score


@kernel
def _pass_on(arc: int, heaps: _Heaps) -> None:
    """Add to the two arcs below what is still to be added."""
    _add(heaps.left[arc], heaps.later_levels[arc], heaps.later_scores[arc], heaps)
    _add(heaps.right[arc], heaps.later_levels[arc], heaps.later_scores[arc], heaps)
    heaps.later_levels[arc] = 0
    heaps.later_scores[arc] = 0.0


@kernel
def _without_top(top: int, heaps: _Heaps) -> int:
    """The top of what is left of a heap."""
    _pass_on(top, heaps)
    return _merged(heaps.left[top], heaps.right[top], heaps)


@kernel
def _merged(a: int, b: int, heaps: _Heaps) -> int:
    """The top of two heaps joined along their right sides; left and right change places, so that no side stays long."""
    if a < 0 or b < 0:
        return max(a, b)
    if _better(b, a, heaps):
        a, b = b, a
    top = a
    while b >= 0:
        _pass_on(a, heaps)
        other = heaps.right[a]
        heaps.right[a] = heaps.left[a]
        if other >= 0 and _better(other, b, heaps):
            other, b = b, other
        heaps.left[a] = b
        a, b = b, other
    return top
