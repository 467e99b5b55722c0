"""Another graph of a sentence in place of its main one: a further layer, a column, the basic tree; and back."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from arctag.columns import find_column
from arctag.encodings.labels import Arcs
from arctag.encodings.trees.one_head import leftmost_heads
from arctag.encodings.trees.repair import repaired
from arctag.errors import InputError
from arctag.graph import Graph
from arctag.sentence import Sentence
from arctag.sentence.layers import TREE
from arctag.transforms.basic_tree import with_heads


def with_main(sentence: Sentence, name: str) -> Sentence:
    """The same sentence with the graph of a further layer, or in a column, as its own; `tree` is HEAD and DEPREL."""
    if sentence.error:
        return sentence
    if name in sentence.further_graphs:
        return _without(sentence.with_graph(sentence.graphs[name]), name)
    if name == TREE:
        return sentence.with_graph(sentence.tree)
    if sentence.block is not None and _as_read(sentence, name):
        return sentence.with_arcs(sentence.block.graphs_in(name), sentence.number)
    return sentence.with_graph(sentence.graph_in(name))


def choosing(name: str | None) -> Callable[[Sentence], Sentence]:
    """What puts a named graph in place of the main one, if one is named."""
    return (lambda sentence: sentence) if name is None else (lambda sentence: with_main(sentence, name))


def with_basic(sentence: Sentence, graph: Graph) -> tuple[Sentence, int]:
    """The same sentence with a graph in HEAD and DEPREL, and how many repairs it took to make it a tree.

    A word keeps its leftmost head, and one relation; a word without a head, or on a cycle, is attached to the top.
    """
    if not sentence.universal:
        raise InputError(f"{sentence.source or sentence.id}: there is no tree in {sentence.format} files")
    arcs, repairs = Arcs.of([graph]), np.zeros(1, dtype=np.int64)
    heads = repaired(arcs.sizes, leftmost_heads(arcs, repairs), repairs).tolist()
    relations = ["dep"] * graph.n
    for arc in graph:
        if arc.head == heads[arc.dependent - 1] or relations[arc.dependent - 1] == "dep":
            relations[arc.dependent - 1] = arc.relations[0]
    surplus = sum(len(arc.relations) - 1 for arc in graph)
    return with_heads(sentence, heads, relations), int(repairs[0]) + surplus


def _as_read(sentence: Sentence, name: str) -> bool:
    """Whether a column is as its block has it."""
    number = find_column(name, sentence.format, sentence.header)
    return number is not None and number not in sentence.columns and not sentence.further


def _without(sentence: Sentence, name: str) -> Sentence:
    return sentence.replace(
        further_graphs={other: graph for other, graph in sentence.further_graphs.items() if other != name}
    )
