"""SDP 2015: id, form, lemma, pos, top, pred, frame, then one column per predicate with its arguments.

A top is an arc from the virtual root with the relation `root`.
"""

from __future__ import annotations

import re

import numpy as np

from arctag.errors import InputError
from arctag.formats.blocks import Block, BlockFormat, GraphOf, check_relations, text_of
from arctag.graph import Graph, Relations
from arctag.sentence import Row, Sentence

_NAME = "sdp"
_HEADER = "#SDP 2015"
TOP: Relations = ("root",)
FIXED = 7  # columns before the arguments
_MOST_CELLS = 25_000_000  # of a sentence: the columns grow with its words, and so the table with their square
UNLABELLED = "ARG"  # for relation '_', which the format takes for no arc
_SEPARATOR = "+"  # joins several relations between the same two words: the format has room for one


class Sdp(BlockFormat):
    """A column for each predicate; a sentence with another graph differs in top, pred and the arguments alone."""

    name = _NAME
    suffixes = (".sdp",)
    header = f"{_HEADER}\n"
    beginning = re.compile(rb"#SDP 2015\b")

    def graph_reader(self, words_only: bool) -> GraphOf:
        """Check ids, flags and columns; the graph is in top, pred and the arguments."""
        if words_only:
            return _without_arcs
        singles: dict[str, Relations] = {}
        return lambda block: _graph(block, _check_rows(block), singles)

    def text(self, sentence: Sentence) -> str:
        """The sentence as SDP text, the blank line after it included."""
        own = sentence.format == _NAME
        comments = tuple(c for c in sentence.comments if c.rstrip() != _HEADER) if own else (f"#{sentence.id}",)
        if own and not sentence.edited:
            return text_of(comments, sentence.rows, sentence.blanks)
        fixed = [row[:FIXED] for row in sentence.rows] if own else _fixed_from_other(sentence)
        predicates = sorted(set(sentence.graph.heads.tolist()) - {0})
        if len(predicates) * len(fixed) > _MOST_CELLS:
            raise InputError(
                f"{sentence.id}: {len(predicates)} predicates and {len(fixed)} words are too many for SDP, "
                "which has a column for each predicate; write CoNLL-U instead"
            )
        return text_of(comments, _rows_with_graph(fixed, sentence.graph, predicates), sentence.blanks if own else 1)

    def losses(self, sentence: Sentence) -> dict[str, int]:
        """What writing this sentence as SDP leaves out, counted by kind."""
        own = sentence.format == _NAME
        if own and not sentence.edited:
            return {}
        lost = _lost_labels(sentence.graph)
        return lost if own else _lost_columns(sentence) | lost


SDP = Sdp()


def _without_arcs(block: Block) -> Graph:
    _check_rows(block)
    return Graph.without_arcs(len(block.rows))


def _check_rows(block: Block) -> list[int]:
    """Check ids, flags and the number of columns; give the words that are predicates."""
    for i, row in enumerate(block.rows):
        if row[0] != str(i + 1):
            raise block.error(i, *_bad_id(row[0], i + 1))
        if len(row) < FIXED:
            raise block.error(
                i, f"{len(row)} column{'s' * (len(row) != 1)}", f"at least {FIXED} with tabs between them"
            )
        for column, name in ((4, "top"), (5, "pred")):
            if row[column] not in ("+", "-"):
                raise block.error(i, f"{row[column]!r} in the {name} column", "'+' or '-'")
    # only after every flag: a damaged one changes the width of all rows
    predicates = [i + 1 for i, row in enumerate(block.rows) if row[5] == "+"]
    width = FIXED + len(predicates)
    for i, row in enumerate(block.rows):
        if len(row) != width:
            kind = "too many" if len(row) > width else "missing"
            count = abs(len(row) - width)
            raise block.error(
                i,
                f"{len(row)} columns: {count} argument column{'s' * (count != 1)} {kind}",
                f"{width} ({FIXED} and one for each of {len(predicates)} predicates)",
            )
    return predicates


def _bad_id(name: str, expected: int) -> tuple[str, str]:
    if not (name.isascii() and name.isdigit()):
        return f"id {name!r}", f"a number ({expected} comes next)"
    if len(name) <= len(str(expected)) and 0 < int(name) < expected:
        return f"id {name} a second time", f"id {expected}"
    return f"id {name} (id {expected} is missing)", f"id {expected}"


def _graph(block: Block, predicates: list[int], singles: dict[str, Relations]) -> Graph:
    heads: list[int] = []
    dependents: list[int] = []
    relations: list[Relations] = []
    for i, row in enumerate(block.rows):
        if row[4] == "+":
            heads.append(0)
            dependents.append(i + 1)
            relations.append(TOP)
        for head, relation in zip(predicates, row[FIXED:], strict=True):
            if relation == "_":
                continue
            if not relation:
                raise block.error(i, "an empty argument column", "a label or '_'")
            heads.append(head)
            dependents.append(i + 1)
            relations.append(singles.setdefault(relation, (relation,)))
    return Graph.trusted(
        len(block.rows), np.array(heads, dtype=np.int32), np.array(dependents, dtype=np.int32), tuple(relations)
    )


def _rows_with_graph(fixed: list[Row], graph: Graph, predicates: list[int]) -> list[Row]:
    check_relations(graph, _NAME)
    column = {head: FIXED + i for i, head in enumerate(predicates)}
    rows = [
        [str(i + 1), *row[1:4], "-", "+" if i + 1 in column else "-", row[6], *["_"] * len(predicates)]
        for i, row in enumerate(fixed)
    ]
    for head, dependent, relations in graph:
        if head == 0:
            rows[dependent - 1][4] = "+"
        else:
            rows[dependent - 1][column[head]] = UNLABELLED if relations == ("_",) else _SEPARATOR.join(relations)
    return rows


def _fixed_from_other(sentence: Sentence) -> list[Row]:
    rows = []
    for i, row in enumerate(sentence.node_rows):
        tag = row[4] if row[4] != "_" else row[3]
        rows.append([str(i + 1), row[1], row[2], tag, "-", "-", "_"])
    return rows


def _lost_columns(sentence: Sentence) -> dict[str, int]:
    nodes = sentence.node_rows
    return {
        "ranges (multiword tokens)": len(sentence.rows) - len(nodes),
        "empty nodes turned into words": sum(sentence.empty),
        "basic trees": int(any(row[6] != "_" for row in nodes)),
        "feature columns": sum(row[5] != "_" for row in nodes),
        "MISC columns": sum(row[9] != "_" for row in nodes),
        "second tags": sum(row[3] != "_" and row[4] != "_" for row in nodes),
        "comments": len(sentence.comments) - sum(c.startswith("# sent_id") for c in sentence.comments),
    }


def _lost_labels(graph: Graph) -> dict[str, int]:
    return {
        "labels of root arcs other than 'root'": sum(arc.head == 0 and arc.relations != TOP for arc in graph),
        "arcs with several relations, joined with '+'": sum(arc.head != 0 and len(arc.relations) > 1 for arc in graph),
        f"arcs without a relation, written as '{UNLABELLED}'": sum(
            arc.head != 0 and arc.relations == ("_",) for arc in graph
        ),
    }
