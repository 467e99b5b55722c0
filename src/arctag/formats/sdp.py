"""SDP 2015: id, form, lemma, pos, top, pred, frame, then one column per predicate with its arguments.

A top is an arc from the virtual root with the relation `root`.
"""

from __future__ import annotations

import re

import numpy as np

from arctag.blocks.flat import graphs_of
from arctag.blocks.runs import Run
from arctag.cells import Flags, Spans
from arctag.columns import Header
from arctag.errors import InputError
from arctag.formats import sdp_kernel as k
from arctag.formats.block_format import BlockFormat, Fault, Read, Scanned, check_relations, text_of
from arctag.formats.losses import lost_cells, lost_layers
from arctag.formats.rendering import rendered
from arctag.formats.sdp_rendering import with_arguments
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
    title = "SDP"
    one_graph = True
    suffixes = (".sdp",)
    header = f"{_HEADER}\n"
    beginning = re.compile(rb"#SDP 2015\b")

    def read(self, whole: Scanned, skipped: Flags, words_only: bool) -> Read:
        """Check ids, flags and columns; the graph is in top, pred and the arguments."""
        _, data, table, found = whole
        # the relation of a top is not in the file: it is behind its end
        extended = np.concatenate([data, np.frombuffer(TOP[0].encode(), dtype=np.uint8)])
        read = k.read_sentences(extended, *table, found.rows, found.ends, skipped, len(data), words_only)
        return Read(*read[:6], Spans(extended, read[6], read[7]), *read[8:])

    def explain(self, rows: list[Row], fault: Fault, header: Header | None) -> tuple[str, str]:  # noqa: ARG002
        """What was found in a row at fault, and what was expected."""
        return _explained(rows, fault)

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

    def run(self, run: Run) -> bytes | None:
        """The text of a run of sentences that were read as SDP."""
        if run.block.format != _NAME or any(sentence.further_graphs or sentence.further for sentence in run.sentences):
            return None
        parts = [_rendered(part) for part in run.split(lambda sentence: sentence.edited)]
        return None if None in parts else b"".join(filter(None, parts))

    def losses(self, sentence: Sentence) -> dict[str, int]:
        """What writing this sentence as SDP leaves out, counted by kind."""
        own = sentence.format == _NAME
        lost = lost_layers(sentence)
        if own and not sentence.edited:
            return lost
        lost |= _lost_labels(sentence.graph)
        return lost if own else _lost_columns(sentence) | lost


SDP = Sdp()


def _rendered(run: Run) -> bytes | None:
    """The text of sentences of which all or none have another graph than they were read with.

    None where the format has no room for a label, or for so many predicates: that is for `text` to say.
    """
    if not (run.sentences and run.sentences[0].edited):
        return rendered(run, header=_HEADER)
    graphs = graphs_of(run.sentences)
    if any(len(relations) > 1 or relations == ("_",) for relations in graphs.names):
        return None
    roots = graphs.numbers[graphs.arcs.heads == 0]
    if any(graphs.names[number] != TOP for number in np.unique(roots).tolist()):
        return None
    check_relations(graphs.names, _NAME)
    return with_arguments(run, graphs, _HEADER, _MOST_CELLS)


def _explained(rows: list[Row], fault: Fault) -> tuple[str, str]:
    """What is wrong with a row that a kernel has found at fault."""
    row = rows[fault.row]
    match fault.code:
        case k.WRONG_ID:
            return _bad_id(row[0], fault.row + 1)
        case k.FEW_COLUMNS:
            return f"{len(row)} column{'s' * (len(row) != 1)}", f"at least {FIXED} with tabs between them"
        case k.WRONG_TOP:
            return f"{row[k.TOP]!r} in the top column", "'+' or '-'"
        case k.WRONG_PREDICATE:
            return f"{row[k.PREDICATE]!r} in the pred column", "'+' or '-'"
        case k.WRONG_COLUMNS:
            predicates = sum(other[k.PREDICATE] == "+" for other in rows)
            width = FIXED + predicates
            kind, count = "too many" if len(row) > width else "missing", abs(len(row) - width)
            return (
                f"{len(row)} columns: {count} argument column{'s' * (count != 1)} {kind}",
                f"{width} ({FIXED} and one for each of {predicates} predicates)",
            )
        case _:
            return "an empty argument column", "a label or '_'"


def _bad_id(name: str, expected: int) -> tuple[str, str]:
    if not (name.isascii() and name.isdigit()):
        return f"id {name!r}", f"a number ({expected} comes next)"
    if len(name) <= len(str(expected)) and 0 < int(name) < expected:
        return f"id {name} a second time", f"id {expected}"
    return f"id {name} (id {expected} is missing)", f"id {expected}"


def _rows_with_graph(fixed: list[Row], graph: Graph, predicates: list[int]) -> list[Row]:
    check_relations(set(graph.relations), _NAME)
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
        **lost_cells(sentence),
    }


def _lost_labels(graph: Graph) -> dict[str, int]:
    return {
        "labels of root arcs other than 'root'": sum(arc.head == 0 and arc.relations != TOP for arc in graph),
        "arcs with several relations, joined with '+'": sum(arc.head != 0 and len(arc.relations) > 1 for arc in graph),
        f"arcs without a relation, written as '{UNLABELLED}'": sum(
            arc.head != 0 and arc.relations == ("_",) for arc in graph
        ),
    }
