"""Words and arcs of a request as sentences and graphs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from arctag.errors import InputError
from arctag.graph import Graph
from arctag.parsing.parser import Parser
from arctag.sentence import Row, Sentence
from arctag.serve.limits import Limits
from arctag.serve.requests.bodies import ArcObject, SentenceObject
from arctag.serve.requests.graph_text import read_graphs

_CELLS = {"lemmas": 2, "xpos": 4, "feats": 5}  # fields of a sentence object, and their columns


def token_sentences(sentences: Iterable[list[str]], limits: Limits) -> Iterator[Sentence]:
    """Sentences that are split into words."""
    for number, words in enumerate(sentences, 1):
        limits.check_sentence(len(words))
        yield Sentence.from_words(words, sent_id=f"s{number}")


def text_sentences(parser: Parser, text: str, layout: str) -> Iterator[Sentence]:
    """The sentences of running text."""
    return parser.needed_tokenizer().sentences(text, layout=layout)


def graph_sentences(text: str, limits: Limits) -> Iterator[Sentence]:
    """The words of a graph file; a sentence that cannot be read is marked as broken."""
    return read_graphs(text, "graphs", limits, words_only=True, on_error=lambda _: None)


def graph_of(n: int, arcs: Sequence[ArcObject], limits: Limits) -> Graph:
    """A graph of n words; `InputError` for arcs that do not fit."""
    limits.check_graph(n, sum(len(arc.relations) for arc in arcs))
    return Graph(n, [(arc.head, arc.dependent, name) for arc in arcs for name in arc.relations])


def picture_sentence(words: list[str], arcs: Sequence[ArcObject], limits: Limits) -> Sentence:
    """A sentence to draw."""
    return Sentence.from_words(words, graph_of(len(words), arcs, limits))


def sentence_of(value: SentenceObject, number: int, limits: Limits) -> Sentence:
    """A sentence object as a sentence, with all its fields.

    It is written as the rows of a CoNLL-U file, whose reader checks ids and heads.
    """
    graph = graph_of(len(value.words), value.arcs, limits)
    name = value.id or f"s{number}"
    if not value.words:
        raise InputError(f"sentence {number} has no words")
    if value.text is not None and ("\n" in value.text or "\r" in value.text):
        raise InputError(f"the text of sentence {number} holds a line break")
    bare = Sentence.from_words(value.words, tags=value.tags, sent_id=name)
    rows = _rows(bare, value, number)
    text = f"# text = {value.text}\n" if value.text is not None else ""
    lines = "".join("\t".join(row) + "\n" for row in rows)
    sentence = next(read_graphs(f"# sent_id = {name}\n{text}{lines}", f"sentence {number}", limits))
    return _with_layers(sentence.with_graph(graph), value, limits)


def _with_layers(sentence: Sentence, value: SentenceObject, limits: Limits) -> Sentence:
    """The sentence with the further graphs and tags of the sentence object."""
    n, layers = len(value.words), value.layers.items()
    graphs = {name: graph_of(n, layer.arcs, limits) for name, layer in layers if layer.arcs is not None}
    tags = {name: layer.tags for name, layer in layers if layer.arcs is None and layer.tags is not None}
    return sentence.with_layers(graphs, tags)


def _rows(bare: Sentence, value: SentenceObject, number: int) -> list[Row]:
    """The rows of a sentence with the ids, the lemmas, the further tags and the tree of the sentence object."""
    for name in ("ids", "tree", *_CELLS):
        column = getattr(value, name)
        if column is not None and len(column) != len(value.words):
            raise InputError(f"sentence {number}: {len(value.words)} words but {len(column)} {name}")
    rows = []
    for i, row in enumerate(bare.rows):
        edge = value.tree[i] if value.tree is not None else None
        head, relation = (str(edge.head), edge.relation) if edge is not None else ("_", "_")
        cells = {0: row[0] if value.ids is None else value.ids[i], 6: head, 7: relation}
        cells |= {place: _cell(getattr(value, name), i) for name, place in _CELLS.items()}
        rows.append([cells.get(place, cell) for place, cell in enumerate(row)])
    return rows


def _cell(column: list[str] | None, place: int) -> str:
    return "_" if column is None else column[place]
