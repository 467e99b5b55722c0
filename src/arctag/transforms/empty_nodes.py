"""Empty nodes (`8.1`): drop them, collapse them into path labels, expand those again.

Dropping leaves out the nodes and every arc to or from them, as the paper does. Collapsing follows IWPT: a path
from a word through empty nodes to a word becomes one arc whose label is the path, `conj>8.1>obj`. What path
labels cannot hold (the empty node's own columns, a node that no path reaches) is kept in comments, so that
expanding restores the sentence; without the comments (a parser's output) the graph is restored from the labels.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

import numpy as np

from arctag.blocks.runs import runs
from arctag.columns import STANDARD
from arctag.errors import FormatError, InputError
from arctag.graph import Arc, FloatArray, Graph, IntArray
from arctag.sentence import Row, Sentence

_NODE = "# empty_node = "
_ARC = "# empty_arc = "
_EMPTY = re.compile(r"[0-9]{1,9}\.[0-9]{1,9}")
_STEP = re.compile(rf">({_EMPTY.pattern})>")
_FREE_STEPS, _STEPS_PER_ARC = 5_000, 20  # of the search for paths: dense cycles of empty nodes have very many

Triple = tuple[str, str, str]  # head id, dependent id, relation


def keep(sentence: Sentence) -> Sentence:
    """Leave empty nodes as they are."""
    return sentence


def count(sentence: Sentence) -> int:
    """The number of empty nodes; none in a sentence that could not be read."""
    return sum(sentence.empty) if sentence.has_empty and not sentence.error else 0


def drop(sentence: Sentence) -> Sentence:
    """Leave out empty nodes and their arcs."""
    if not sentence.has_empty:
        return sentence
    empty = _empty_ids(sentence)
    triples = [t for t in _triples(sentence) if t[0] not in empty and t[1] not in empty]
    return _rebuilt(sentence, _without(empty, sentence), triples, sentence.comments)


def collapse(sentence: Sentence) -> Sentence:
    """Turn paths through empty nodes into arcs with path labels."""
    if not sentence.has_empty:
        return sentence
    empty = _empty_ids(sentence)
    into: dict[str, list[Triple]] = {}
    for triple in _triples(sentence):
        into.setdefault(triple[1], []).append(triple)
    kept: list[Triple] = []
    orphans: list[str] = []
    budget = _Budget(sentence)
    for word in _ids(sentence):
        for head, dependent, relation in into.get(word, ()) if word not in empty else ():
            if head not in empty:
                kept.append((head, dependent, relation))
                continue
            paths = list(_paths(head, relation, into, empty, budget))
            kept.extend((top, dependent, label) for top, label in paths)
            if not paths:
                orphans.append(f"{_ARC}{head} {dependent} {relation}")
    words = _without(empty, sentence)
    # the DEPS of an edited sentence are in its graph, not in its rows
    nodes = [
        _NODE + "\t".join([*row[:8], _deps(into.get(row[0], [])), *row[9:]]) for row in sentence.rows if row[0] in empty
    ]
    return _rebuilt(sentence, words, kept, (*sentence.comments, *nodes, *orphans), _least_at(sentence, empty))


def treated(sentences: Iterable[Sentence], treatment: Callable[[Sentence], Sentence]) -> list[Sentence]:
    """All sentences, those with empty nodes treated; the others are not looked at one by one."""
    out: list[Sentence] = []
    for run in runs(sentences, frozenset()):
        if isinstance(run, Sentence):
            out.append(treatment(run))
            continue
        first = len(out) - run.start
        out.extend(run.sentences)
        for number in run.start + np.flatnonzero(run.block.empty_nodes[run.start : run.stop]):
            out[first + number] = treatment(out[first + number])
    return out


def _without(empty: set[str], sentence: Sentence) -> list[Row]:
    """The rows of words and ranges; in further columns, which may hold graphs, no empty node is a head any more."""
    rows = [row for row in sentence.rows if row[0] not in empty]
    if sentence.header is None:
        return rows
    end = len(STANDARD)
    return [[*row[:end], *(_without_heads(cell, empty) for cell in row[end:])] for row in rows]


def _without_heads(cell: str, ids: set[str]) -> str:
    return "|".join(part for part in cell.split("|") if part.partition(":")[0] not in ids) or "_"


def _paths(
    node: str, relation: str, into: dict[str, list[Triple]], empty: set[str], budget: _Budget
) -> Iterator[tuple[str, str]]:
    """Every simple path from an ordinary word down to `node`, and on by that relation, as (word, label)."""
    path = {node: relation}  # the nodes from below, and the relation under each
    waiting = [iter(into.get(node, ()))]  # the arcs into each of them that are not yet followed
    while waiting:
        arc = next(waiting[-1], None)
        if arc is None:
            waiting.pop()
            path.popitem()
            continue
        head, _, name = arc
        budget.spend(1)
        if head not in empty:
            budget.spend(len(path))
            yield head, name + "".join(f">{step}>{below}" for step, below in reversed(path.items()))
        elif head not in path:
            path[head] = name
            waiting.append(iter(into.get(head, ())))


class _Budget:
    """The steps that the search of one sentence may take, so that its time stays in proportion to its arcs."""

    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence
        self.left = _FREE_STEPS + _STEPS_PER_ARC * len(sentence.graph)

    def spend(self, steps: int) -> None:
        """Use up some steps; an error if there are no more."""
        self.left -= steps
        if self.left < 0:
            raise InputError(f"{self.sentence.id}: too many paths lead through its empty nodes; drop them instead")


@lru_cache(maxsize=10_000)
def is_path(relation: str) -> bool:
    """Whether a relation is the label of a path over empty nodes."""
    return _STEP.search(relation) is not None


def has_comments(sentence: Sentence) -> bool:
    """Whether `collapse` has put empty nodes or their arcs into the comments."""
    if sentence.block is not None and not sentence.block.has_collapsed_nodes:
        return False
    return any(comment.startswith((_NODE, _ARC)) for comment in sentence.comments)


def expand(sentence: Sentence) -> Sentence:
    """Undo `collapse`: path labels become empty nodes again."""
    comments, nodes, triples = _from_comments(sentence)
    for head, dependent, relation in _triples(sentence):
        steps = _STEP.split(relation)
        if not all(steps):  # looks like a path but lacks a relation: leave it alone
            steps = [relation]
        chain = [head, *steps[1::2], dependent]
        triples.extend(zip(chain, chain[1:], steps[::2], strict=False))
        for name in steps[1::2]:
            nodes.setdefault(name, [name, *"_" * (_width(sentence) - 1)])
    if not nodes:
        return sentence
    known = set(_ids(sentence))
    nodes = {name: row for name, row in nodes.items() if name not in known}
    new = _renumbered(nodes, sentence)
    rows = sorted([*sentence.rows, *([new[name], *row[1:]] for name, row in nodes.items())], key=_order)
    moved = [(new.get(head, head), new.get(dependent, dependent), r) for head, dependent, r in triples]
    return _rebuilt(sentence, rows, list(dict.fromkeys(moved)), comments, _least_with_path(sentence))


def _from_comments(sentence: Sentence) -> tuple[tuple[str, ...], dict[str, Row], list[Triple]]:
    """The user's comments, and the nodes and arcs in the comments that `collapse` wrote."""
    comments: list[str] = []
    nodes: dict[str, Row] = {}
    triples: list[Triple] = []
    for comment in sentence.comments:
        if comment.startswith(_NODE):
            row = _row(comment, sentence)
            nodes[row[0]] = row
            triples.extend((head, row[0], relation) for head, relation in _pairs(row[8]))
        elif comment.startswith(_ARC):
            triples.append(_arc(comment, sentence))
        else:
            comments.append(comment)
    return tuple(comments), nodes, triples


def _renumbered(nodes: dict[str, Row], sentence: Sentence) -> dict[str, str]:
    """Old → new ids without gaps, none beyond the last word: a parser may predict `conj>99.7>obj`."""
    new: dict[str, str] = {}
    here = _empty_ids(sentence)
    words = len(_ids(sentence)) - len(here)
    used = Counter(int(name.partition(".")[0]) for name in here)
    for name in sorted(nodes, key=lambda name: _order(nodes[name])):
        after = min(int(name.partition(".")[0]), words)
        used[after] += 1
        new[name] = f"{after}.{used[after]}"
    return new


def _row(comment: str, sentence: Sentence) -> Row:
    row = comment[len(_NODE) :].split("\t")
    width = _width(sentence)
    if len(row) != width or not _EMPTY.fullmatch(row[0]):
        raise FormatError(
            sentence.source, None, f"{comment!r}", f"an empty node's id and its {width - 1} other columns"
        )
    return row


def _width(sentence: Sentence) -> int:
    return len(STANDARD) + (len(sentence.header.further) if sentence.header is not None else 0)


def _arc(comment: str, sentence: Sentence) -> Triple:
    parts = comment[len(_ARC) :].split(" ", 2)
    if len(parts) != 3:
        raise FormatError(sentence.source, None, f"{comment!r}", "a head, a dependent and a relation")
    return parts[0], parts[1], parts[2]


def _pairs(deps: str) -> Iterator[tuple[str, str]]:
    for part in deps.split("|") if deps != "_" else ():
        head, _, relation = part.partition(":")
        yield head, relation


def _deps(triples: list[Triple]) -> str:
    return "|".join(f"{head}:{relation}" for head, _, relation in triples) or "_"


def _order(row: Row) -> tuple[int, int]:
    """Ranges before their first word, empty nodes after their word."""
    name = row[0]
    if "-" in name:
        return int(name.split("-")[0]), -1
    major, _, minor = name.partition(".")
    return int(major), int(minor or 0)


def _ids(sentence: Sentence) -> list[str]:
    """The ids of the nodes, from its rows: few sentences are looked at, not a column of a whole block."""
    return [row[0] for row in sentence.node_rows]


def _empty_ids(sentence: Sentence) -> set[str]:
    return {name for name, empty in zip(_ids(sentence), sentence.empty, strict=True) if empty}


def _triples(sentence: Sentence) -> Iterator[Triple]:
    names = ["0", *_ids(sentence)]
    for head, dependent, relation in sentence.graph.triples():
        yield names[head], names[dependent], relation


def _least_at(sentence: Sentence, empty: set[str]) -> float:
    """The least probability of any arc at an empty node: that of every path through one."""
    names = ["0", *_ids(sentence)]
    return _least(sentence.graph, lambda arc: names[arc.head] in empty or names[arc.dependent] in empty)


def _least_with_path(sentence: Sentence) -> float:
    """The least probability of any arc with a path label: that of every arc it is expanded to."""
    return _least(sentence.graph, lambda arc: any(_STEP.search(relation) for relation in arc.relations))


def _least(graph: Graph, concerned: Callable[[Arc], bool]) -> float:
    if graph.probabilities is None:
        return 0.0
    pairs = zip(graph, graph.probabilities.tolist(), strict=True)
    return min((probability for arc, probability in pairs if concerned(arc)), default=0.0)


def _rebuilt(
    sentence: Sentence, rows: list[Row], triples: list[Triple], comments: tuple[str, ...], least: float = 0.0
) -> Sentence:
    """The sentence with other nodes; arcs that it did not have before are as probable as `least`."""
    names = ["0", *(row[0] for row in rows if "-" not in row[0])]
    index = {name: i for i, name in enumerate(names)}
    unknown = {name for triple in triples for name in triple[:2]} - index.keys()
    if unknown:
        raise FormatError(sentence.source, None, f"an arc to or from {min(unknown)!r} in a comment", "a node's id")
    graph = Graph(len(names) - 1, ((index[h], index[d], r) for h, d, r in triples))
    graph.probabilities = _carried_over(sentence, graph, names, least)
    new = sentence.replace(rows=rows, graph=graph, comments=comments, edited=True, further_graphs={}, further={})
    return _with_layers_of(sentence, new, index)


def _with_layers_of(sentence: Sentence, new: Sentence, index: dict[str, int]) -> Sentence:
    """The new sentence with the further layers of the nodes that it shares with another; `index` are its ids."""
    if not (sentence.further_graphs or sentence.further):
        return new
    places = np.array([index.get(name, -1) for name in ("0", *_ids(sentence))], dtype=np.int32)
    size = len(index) - 1
    graphs = {name: _moved(graph, places, size) for name, graph in sentence.graphs.items()}
    columns = {name: ["_"] * (size + 1) for name in sentence.further}
    for name, cells in sentence.further.items():
        for place, cell in zip(places[1:].tolist(), cells, strict=True):
            if place >= 0:
                columns[name][place] = cell
    return new.with_layers(graphs, {name: cells[1:] for name, cells in columns.items()})


def _moved(graph: Graph, places: IntArray, size: int) -> Graph:
    """The arcs between nodes that have a place in another sentence."""
    left = graph.restricted((places[graph.heads] >= 0) & (places[graph.dependents] >= 0))
    return Graph.trusted(size, places[left.heads], places[left.dependents], left.relations, left.probabilities)


def _carried_over(sentence: Sentence, graph: Graph, names: list[str], least: float) -> FloatArray | None:
    old = sentence.graph
    if old.probabilities is None:
        return None
    before = ["0", *_ids(sentence)]
    known = {(before[a.head], before[a.dependent]): p for a, p in zip(old, old.probabilities.tolist(), strict=True)}
    return np.array([known.get((names[a.head], names[a.dependent]), least) for a in graph], dtype=np.float32)


TREATMENTS: dict[str, Callable[[Sentence], Sentence]] = {
    "keep": keep,
    "drop": drop,
    "collapse": collapse,
    "expand": expand,
}
"""Name → what is done with the empty nodes of a sentence."""
