"""CoNLL-U: ten columns, the graph in DEPS (`4:nsubj|6:nsubj:xsubj`), ranges and empty nodes kept."""

from __future__ import annotations

import re

import numpy as np

from arctag.blocks.conllu_kernel import read_sentences
from arctag.blocks.flat import graphs_of
from arctag.blocks.runs import Run
from arctag.cells import Flags, Spans
from arctag.columns import DEPS, MISC, STANDARD, Header, with_misc
from arctag.formats.block_format import BlockFormat, Fault, Read, Scanned, check_relations, text_of
from arctag.formats.conllu_faults import explained
from arctag.formats.losses import lost_cells, lost_layers
from arctag.formats.rendering import deps_cells, rendered, replaced_columns
from arctag.graph import Graph
from arctag.sentence import Row, Sentence

_NAME = "conllu"
_PLACES = np.arange(len(STANDARD))
_BLANK = np.frombuffer(b"_", dtype=np.uint8)


class Conllu(BlockFormat):
    """Ten columns; a sentence that has another graph than it was read with differs in DEPS alone."""

    name = _NAME
    title = "CoNLL-U"
    suffixes: tuple[str, ...] = (".conllu", ".conll", ".conllu.txt")
    beginning = re.compile(rb"# ?(?:sent_id|text|newdoc|newpar)\b|1(?:-[0-9]+)?\t")

    def read(self, whole: Scanned, skipped: Flags, words_only: bool) -> Read:
        """Check ids and columns; the graph is in DEPS."""
        piece, data, table, found = whole
        width, places = len(STANDARD), _PLACES
        if piece.header is not None:
            width, places = len(piece.header.names), np.array(piece.header.places[: len(STANDARD)])
            if places.min() < 0:
                data = np.concatenate([data, _BLANK])
        read = read_sentences(data, *table, found.rows, found.ends, skipped, words_only, width, places)
        return Read(*read[:6], Spans(data, read[6], read[7]), *read[8:])

    def explain(self, rows: list[Row], fault: Fault, header: Header | None) -> tuple[str, str]:
        """What was found in a row at fault, and what was expected."""
        return explained(rows, fault, header)

    def text(self, sentence: Sentence) -> str:
        """The sentence as CoNLL-U text, the blank line after it included."""
        rows = universal_rows(sentence)
        if sentence.header is not None and not sentence.error:
            rows = [row[: len(STANDARD)] for row in rows]
        if sentence.further:
            misc = iter(_misc(sentence))
            rows = [row if "-" in row[0] else [*row[:MISC], next(misc)] for row in rows]
        return text_of(universal_comments(sentence), rows, sentence.blanks if sentence.universal else 1)

    def run(self, run: Run) -> bytes | None:
        """The text of a run of sentences that were read as CoNLL-U."""
        if run.block.format != _NAME or any(sentence.further_graphs for sentence in run.sentences):
            return None
        return b"".join(_rendered(part) for part in run.split(lambda s: (s.edited, bool(s.further))))

    def losses(self, sentence: Sentence) -> dict[str, int]:
        """What writing this sentence as CoNLL-U leaves out, counted by kind."""
        lost = lost_layers(sentence, tags=False) | lost_cells(sentence)
        return lost if sentence.universal else lost | lost_of_sdp(sentence)


CONLLU = Conllu()


def _rendered(run: Run) -> bytes:
    """The text of sentences of which all or none have another graph than they were read with."""
    columns = replaced_columns(run)
    if run.sentences and run.sentences[0].edited:
        columns[DEPS] = deps_cells(run, graphs_of(run.sentences))
    if run.sentences and run.sentences[0].further:
        columns[MISC] = Spans.of([cell for sentence in run.sentences for cell in _misc(sentence)])
    return rendered(run, columns)


def _misc(sentence: Sentence) -> list[str]:
    """MISC of the nodes with the further tags in it."""
    names = list(sentence.further)
    before = sentence.column(MISC) if sentence.universal else ["_"] * sentence.size
    rows = zip(before, *sentence.further.values(), strict=True)
    return [with_misc(cell, dict(zip(names, tags, strict=True))) for cell, *tags in rows]


def deps_column(graph: Graph, ids: list[str]) -> list[str]:
    """The DEPS column of every node."""
    check_relations(set(graph.relations), _NAME, forbidden="|")
    names = ["0", *ids]
    column = ["_"] * len(names)
    several: dict[int, list[str]] = {}  # the arcs of words that have more than one
    last = 0
    for head, dependent, relations in zip(
        graph.heads.tolist(), graph.dependents.tolist(), graph.relations, strict=True
    ):
        text = f"{names[head]}:{relations[0]}"
        if len(relations) > 1:
            text = "|".join([f"{names[head]}:{relation}" for relation in relations])
        if dependent == last:  # arcs are sorted by dependent
            several.setdefault(dependent, [column[dependent]]).append(text)
        else:
            column[dependent] = text
        last = dependent
    for dependent, texts in several.items():
        column[dependent] = "|".join(texts)
    return column[1:]


def universal_rows(sentence: Sentence) -> list[Row]:
    """The columns of CoNLL-U, then further ones of the file."""
    if not sentence.universal:
        return _rows_from_other(sentence)
    if not sentence.edited:
        return sentence.rows
    deps = iter(deps_column(sentence.graph, sentence.ids))
    return [row if "-" in row[0] else [*row[:DEPS], next(deps), *row[MISC:]] for row in sentence.rows]


def universal_comments(sentence: Sentence) -> tuple[str, ...]:
    """The comments of CoNLL-U."""
    if sentence.universal:
        return sentence.comments
    return (f"# sent_id = {sentence.id}", f"# text = {sentence.text}")


def lost_of_sdp(sentence: Sentence) -> dict[str, int]:
    """What SDP has and CoNLL-U has not."""
    rows, comments = sentence.node_rows, sentence.comments
    predicates = {i + 1 for i, row in enumerate(rows) if row[5] == "+"}
    return {
        "frames": sum(row[6] != "_" for row in rows),
        "predicates without arguments": len(predicates - set(sentence.graph.heads.tolist())),
        "comments": sum(not c.startswith("#SDP") and c.lstrip("#").strip() != sentence.id for c in comments),
    }


def _rows_from_other(sentence: Sentence) -> list[Row]:
    deps = deps_column(sentence.graph, sentence.ids)
    rows = []
    for row, dep in zip(sentence.node_rows, deps, strict=True):
        rows.append([row[0], row[1], row[2], "_", row[3], "_", "_", "_", dep, "_"])
    return rows
