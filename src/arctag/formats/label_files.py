r"""Labels as text: one word a line (form, label, relations), a blank line after each sentence.

Any sequence-labelling program can read the first two columns. The relations of a word's arcs
stand in the order of their heads, `|` between arcs, `&` between relations of one arc, both
escaped with a backslash inside a name. For encodings with null arcs a fourth column lists the
planes that hold one. A word that would look like a comment (`# 1`) gets a backslash in front.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from arctag.encodings import Encoding, Labels, encoding
from arctag.errors import InputError
from arctag.formats.blocks import Block, blocks
from arctag.graph import Graph, Relations
from arctag.sentence import Sentence

_ENCODING = "# encoding = "
_SENT_ID = "# sent_id = "
_LIKE_A_COMMENT = re.compile(r"#[^ ]* |\\+#")  # or like one that was escaped
_RELATIONS = re.compile(r"(?:\\.|[^\\|&])+(?:[|&](?:\\.|[^\\|&])+)*")


class Labelled(NamedTuple):
    """A sentence of a label file, decoded."""

    sentence: Sentence
    repairs: int
    """That its labels needed."""
    encoding: Encoding
    labels: list[str]
    nulls: list[set[int]]
    """Of each word, the planes that hold a null arc."""


def text(sentence: Sentence, chosen: Encoding, first: bool = False) -> str:
    """The labels of a sentence as text."""
    labels = chosen.encode(sentence.graph)
    decoded = chosen.decode(labels).graph
    names = {(arc.head, arc.dependent): arc.relations for arc in sentence.graph}
    columns: list[list[Relations]] = [[] for _ in range(sentence.graph.n)]
    for arc in decoded:
        columns[arc.dependent - 1].append(names[arc.head, arc.dependent])
    out = [_ENCODING + chosen.name] if first else []
    out.append(_SENT_ID + sentence.id)
    for i, (word, row) in enumerate(zip(sentence.words, labels, strict=True)):
        cells = ["\\" + word if _LIKE_A_COMMENT.match(word) else word, chosen.format(row), _join(columns[i])]
        if labels.artificial is not None:
            planes = np.flatnonzero(labels.artificial[labels.offsets[i] : labels.offsets[i + 1]]) + 1
            cells.append(",".join(map(str, planes)) or "_")
        out.append("\t".join(cells))
    return "\n".join(out) + "\n\n"


def read(path: str | Path, name: str | None = None) -> Iterator[Labelled]:
    """The sentences of a label file, decoded."""
    chosen = encoding(name) if name else None
    for block in blocks(path):
        for comment in block.comments:
            if comment.startswith(_ENCODING) and name is None:
                chosen = _named(comment[len(_ENCODING) :], block)
        if chosen is None:
            raise block.error(0, "no line '# encoding = NAME'", "one at the top of the file, or --encoding")
        yield _sentence(block, chosen)


def _named(name: str, block: Block) -> Encoding:
    try:
        return encoding(name)
    except InputError as error:
        raise InputError(f"{block.source}: {error}") from error


def _sentence(block: Block, chosen: Encoding) -> Labelled:
    words, rows, nulls, relations = [], [], [], []
    for i, cells in enumerate(block.rows):
        if not 2 <= len(cells) <= 4:
            raise block.error(i, f"{len(cells)} columns", "form, label, and perhaps relations and null planes")
        words.append(_word(block, i, cells[0]))
        try:
            rows.append(chosen.parse(cells[1]))
        except InputError as error:
            expected = f"a label of {chosen.name}: {str(error).split('; ')[-1]}"
            raise block.error(i, f"label {cells[1]!r}", expected) from error
        relations.append(_split(block, i, cells[2]) if len(cells) > 2 else [])
        nulls.append(_planes(block, i, cells[3]) if len(cells) > 3 else set())
    labels = Labels.from_rows(rows)
    if any(nulls):
        marks = [p + 1 in planes for row, planes in zip(rows, nulls, strict=True) for p in range(len(row))]
        labels = Labels(labels.values, labels.offsets, labels.sizes, np.array(marks, dtype=np.bool_))
    decoded = chosen.decode(labels)
    graph = _with_relations(decoded.graph, relations)
    sent_id = next((c[len(_SENT_ID) :] for c in block.comments if c.startswith(_SENT_ID)), None)
    if sent_id and "\r" in sent_id:
        raise block.error(0, f"id {sent_id!r:.50} above it", "one without line breaks")
    sentence = Sentence.from_words(words, graph, sent_id=sent_id)
    return Labelled(sentence, decoded.repairs, chosen, [cells[1] for cells in block.rows], nulls)


def _word(block: Block, i: int, cell: str) -> str:
    if not cell or "\r" in cell:
        raise block.error(i, f"form {cell!r}", "a word")
    return cell[1:] if cell[0] == "\\" and _LIKE_A_COMMENT.match(cell) else cell


def _planes(block: Block, i: int, cell: str) -> set[int]:
    if not re.fullmatch(r"_|\d{1,3}(,\d{1,3})*", cell):
        raise block.error(i, f"null planes {cell!r}", "numbers with commas, or '_'")
    return {int(part) for part in cell.split(",")} if cell != "_" else set()


def _with_relations(graph: Graph, relations: list[list[Relations]]) -> Graph:
    """Give each word's arcs its relations in order; an arc without one is labelled '_'."""
    left = [iter(names) for names in relations]
    found = tuple(next(left[arc.dependent - 1], ("_",)) for arc in graph)
    return Graph.trusted(graph.n, graph.heads, graph.dependents, found)


def _join(arcs: Iterable[Relations]) -> str:
    return "|".join("&".join(re.sub(r"([\\|&])", r"\\\1", name) for name in names) for names in arcs) or "_"


def _split(block: Block, i: int, cell: str) -> list[Relations]:
    if cell == "_":
        return []
    if not _RELATIONS.fullmatch(cell):
        raise block.error(i, f"relations {cell!r}", r"names, '|' between arcs, '&' in one arc, '\|' inside a name")
    parts = re.findall(r"((?:\\.|[^\\|&])+)([|&]?)", cell)
    arcs: list[list[str]] = [[]]
    for name, separator in parts:
        arcs[-1].append(re.sub(r"\\(.)", r"\1", name))
        if separator == "|":
            arcs.append([])
    return [tuple(names) for names in arcs]
