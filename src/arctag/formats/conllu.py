"""CoNLL-U: ten columns, the graph in DEPS (`4:nsubj|6:nsubj:xsubj`), ranges and empty nodes kept."""

from __future__ import annotations

import re

from arctag.blocks.flat import graphs_of
from arctag.blocks.runs import Run
from arctag.cells import Bytes, Flags, Spans
from arctag.formats import conllu_kernel as k
from arctag.formats.block_format import BlockFormat, Fault, Read, check_relations, text_of
from arctag.formats.rendering import deps_cells, rendered, replaced_columns
from arctag.formats.scanning import Paragraphs, Table
from arctag.graph import Graph
from arctag.sentence import Row, Sentence

_NAME = "conllu"
_DEPS = 8
_ID = re.compile(r"[1-9][0-9]*|(?:0|[1-9][0-9]*)\.[1-9][0-9]*")
_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?")


class Conllu(BlockFormat):
    """Ten columns; a sentence that has another graph than it was read with differs in DEPS alone."""

    name = _NAME
    suffixes = (".conllu", ".conll", ".conllu.txt")
    beginning = re.compile(rb"# ?(?:sent_id|text|newdoc|newpar|global\.columns)\b|1(?:-[0-9]+)?\t")

    def read(self, data: Bytes, table: Table, found: Paragraphs, skipped: Flags, words_only: bool) -> Read:
        """Check ids and columns; the graph is in DEPS."""
        read = k.read_sentences(data, *table, found.rows, found.ends, skipped, words_only)
        return Read(*read[:6], Spans(data, read[6], read[7]), *read[8:])

    def explain(self, rows: list[Row], fault: Fault) -> tuple[str, str]:
        """What was found in a row at fault, and what was expected."""
        return _explained(rows, fault)

    def text(self, sentence: Sentence) -> str:
        """The sentence as CoNLL-U text, the blank line after it included."""
        if sentence.format != _NAME:
            return text_of(_comments_from_other(sentence), _rows_from_other(sentence), 1)
        if not sentence.edited:
            return text_of(sentence.comments, sentence.rows, sentence.blanks)
        return text_of(sentence.comments, _rows_with_graph(sentence), sentence.blanks)

    def run(self, run: Run) -> bytes | None:
        """The text of a run of sentences that were read as CoNLL-U."""
        if run.block.format != _NAME:
            return None
        return b"".join(_rendered(part) for part in run.split(lambda sentence: sentence.edited))

    def losses(self, sentence: Sentence) -> dict[str, int]:
        """What writing this sentence as CoNLL-U leaves out, counted by kind."""
        if sentence.format == _NAME:
            return {}
        rows, comments = sentence.node_rows, sentence.comments
        predicates = {i + 1 for i, row in enumerate(rows) if row[5] == "+"}
        return {
            "frames": sum(row[6] != "_" for row in rows),
            "predicates without arguments": len(predicates - set(sentence.graph.heads.tolist())),
            "comments": sum(not c.startswith("#SDP") and c.lstrip("#").strip() != sentence.id for c in comments),
        }


CONLLU = Conllu()


def _rendered(run: Run) -> bytes:
    """The text of sentences of which all or none have another graph than they were read with."""
    columns = replaced_columns(run)
    if run.sentences and run.sentences[0].edited:
        graphs = graphs_of(run.sentences)
        check_relations(graphs.names, _NAME, forbidden="|")
        columns[_DEPS] = deps_cells(run, graphs)
    return rendered(run, columns)


def _explained(rows: list[Row], fault: Fault) -> tuple[str, str]:
    """What is wrong with a row that a kernel has found at fault."""
    row, part = rows[fault.row], fault.part
    name = row[0]
    above = [other[0] for other in rows[: fault.row]]
    word = next((int(other) for other in reversed(above) if other.isdigit()), 0)  # the last one above
    if fault.code in (k.NO_HEAD, k.WRONG_HEAD, k.HEAD_BEYOND, k.WRONG_DEP, k.RANGE_BEYOND):
        words = sum(other[0].isdigit() for other in rows)
    match fault.code:
        case k.WRONG_COLUMNS:
            return f"{len(row)} column{'s' * (len(row) != 1)}", "10 columns with tabs between them"
        case k.RANGE_START:
            return f"range {name!r} after word {word}", f"a range that starts with {word + 1}"
        case k.RANGE_END:
            return f"range {name!r}", "a range that ends after its first word"
        case k.RANGE_INSIDE:
            return f"range {name!r} inside another", f"a range that starts after word {_covered(above)}"
        case k.WRONG_ID:
            return _bad_id(name, word, above)
        case k.NO_WORDS:
            return "a sentence of empty nodes only", "at least one word"
        case k.RANGE_BEYOND:
            covered = _covered([*above, name])
            return f"a range up to {covered} in a sentence of {words} words", "its words"
        case k.NO_HEAD:
            return f"label {row[7]!r} with no head", "a number in HEAD, or '_' in both"
        case k.WRONG_HEAD:
            return f"head {row[6]!r}", "a number or '_'"
        case k.HEAD_BEYOND:
            return f"head {row[6]} in a sentence of {words} words", f"a head from 0 to {words}"
        case k.DEPS_ON_RANGE:
            return f"DEPS {row[8]!r} on a range", "'_'"
        case _:
            return _bad_dep(part, words)


def _covered(ids: list[str]) -> int:
    """The last word of the last range."""
    return next((int(name.partition("-")[2]) for name in reversed(ids) if "-" in name), 0)


def _bad_id(name: str, word: int, above: list[str]) -> tuple[str, str]:
    if not _ID.fullmatch(name):
        return f"id {name!r}", f"a number, a range or an empty node ({word + 1} comes next)"
    if name in above:
        return f"id {name} a second time", f"id {word + 1}"
    return f"id {name} (id {word + 1} is missing)", f"id {word + 1}"


def _bad_dep(part: str, words: int) -> tuple[str, str]:
    name, colon, relation = part.partition(":")
    if not name or not (colon or _NUMBER.fullmatch(part)):
        return f"label {part!r} with no head", "head:label"
    if not relation:
        return f"head {part!r} with no label", "head:label"
    if not _NUMBER.fullmatch(name):
        return f"head {name!r} in {part!r}", "a number"
    return f"head {name} in {part!r}, which no word of the sentence has", f"a head from 0 to {words}"


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


def _rows_with_graph(sentence: Sentence) -> list[Row]:
    deps = iter(deps_column(sentence.graph, sentence.ids))
    return [row if "-" in row[0] else [*row[:8], next(deps), row[9]] for row in sentence.rows]


def _comments_from_other(sentence: Sentence) -> tuple[str, ...]:
    return (f"# sent_id = {sentence.id}", f"# text = {sentence.text}")


def _rows_from_other(sentence: Sentence) -> list[Row]:
    deps = deps_column(sentence.graph, sentence.ids)
    rows = []
    for row, dep in zip(sentence.node_rows, deps, strict=True):
        rows.append([row[0], row[1], row[2], "_", row[3], "_", "_", "_", dep, "_"])
    return rows
