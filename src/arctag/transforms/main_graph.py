"""Another graph of a sentence in place of its main one: a further layer, a column, the basic tree; and back."""

from __future__ import annotations

from collections.abc import Callable

from arctag.columns import DEPREL, HEAD, find_column
from arctag.encodings.labels import Arcs
from arctag.encodings.trees.base import NotATree, tree_heads
from arctag.errors import InputError
from arctag.graph import Graph
from arctag.sentence import Sentence
from arctag.transforms.basic_tree import with_heads

TREE = "tree"
"""The name of the basic tree."""


def with_main(sentence: Sentence, name: str) -> Sentence:
    """The same sentence with the graph of a further layer, or in a column, as its own; `tree` is HEAD and DEPREL."""
    if sentence.error:
        return sentence
    if name in sentence.layers:
        return _without(sentence.with_graph(sentence.graphs[name]), name)
    if name == TREE:
        return sentence.with_graph(tree_graph(sentence))
    if sentence.block is not None and _as_read(sentence, name):
        return sentence.with_arcs(sentence.block.graphs_in(name), sentence.number)
    return sentence.with_graph(sentence.graph_in(name))


def choosing(name: str | None) -> Callable[[Sentence], Sentence]:
    """What puts a named graph in place of the main one, if one is named."""
    return (lambda sentence: sentence) if name is None else (lambda sentence: with_main(sentence, name))


def tree_graph(sentence: Sentence) -> Graph:
    """HEAD and DEPREL as a graph; an error if no word has them."""
    if not sentence.universal:
        raise InputError(f"{sentence.source or sentence.id}: there is no tree in {sentence.format} files")
    heads, relations, words = sentence.column(HEAD), sentence.column(DEPREL), [0]
    words += [node for node, empty in enumerate(sentence.empty, 1) if not empty]
    arcs = [(words[int(head)], i, relations[i - 1]) for i, head in enumerate(heads, 1) if head != "_"]
    if not arcs:
        raise InputError(f"{sentence.source or sentence.id}: there is no tree: HEAD is empty")
    return Graph(len(heads), arcs)


def with_basic(sentence: Sentence, tree: Graph) -> Sentence:
    """The same sentence with this tree in HEAD and DEPREL; an error if it is none."""
    try:
        heads = tree_heads(Arcs.of([tree]))
    except NotATree as error:
        raise InputError(f"{sentence.id}: no tree: {error.what}") from error
    return with_heads(sentence, heads.tolist(), [arc.relations[0] for arc in tree])


def _as_read(sentence: Sentence, name: str) -> bool:
    """Whether a column is as its block has it."""
    number = find_column(name, sentence.format, sentence.header)
    return number is not None and number not in sentence.columns and not sentence.further


def _without(sentence: Sentence, name: str) -> Sentence:
    return sentence.replace(layers={other: graph for other, graph in sentence.layers.items() if other != name})
