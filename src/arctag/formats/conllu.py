"""CoNLL-U: ten columns, the graph in DEPS (`4:nsubj|6:nsubj:xsubj`), ranges and empty nodes kept."""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np

from arctag.formats.blocks import Block, BlockFormat, GraphOf, check_relations, text_of
from arctag.graph import Graph, Relations
from arctag.sentence import Row, Sentence

_NAME = "conllu"
_ID = re.compile(r"[1-9][0-9]*|(?:0|[1-9][0-9]*)\.[1-9][0-9]*")
_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?")
_LONGEST_KNOWN = 512  # words: the ids of shorter sentences are kept from one to the next
_RANGE = re.compile(r"([1-9][0-9]{0,8})-([1-9][0-9]{0,8})")


class Conllu(BlockFormat):
    """Ten columns; a sentence that has another graph than it was read with differs in DEPS alone."""

    name = _NAME
    suffixes = (".conllu", ".conll", ".conllu.txt")
    beginning = re.compile(rb"# ?(?:sent_id|text|newdoc|newpar|global\.columns)\b|1(?:-[0-9]+)?\t")

    def graph_reader(self, words_only: bool) -> GraphOf:
        """Check ids and columns; the graph is in DEPS."""
        if words_only:
            return lambda block: Graph.without_arcs(len(_index(block)) - 1)
        singles: dict[str, Relations] = {}  # one tuple per relation name, shared by all arcs of the file
        return lambda block: _graph(block, _index(block), singles)

    def text(self, sentence: Sentence) -> str:
        """The sentence as CoNLL-U text, the blank line after it included."""
        if sentence.format != _NAME:
            return text_of(_comments_from_other(sentence), _rows_from_other(sentence), 1)
        if not sentence.edited:
            return text_of(sentence.comments, sentence.rows, sentence.blanks)
        return text_of(sentence.comments, _rows_with_graph(sentence), sentence.blanks)

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


def _index(block: Block) -> dict[str, int]:
    """Check columns and ids; give the node number of each id."""
    rows = block.rows
    known = len(rows) <= _LONGEST_KNOWN
    if known and set(map(len, rows)) == {10} and [row[0] for row in rows] == _plain_ids(len(rows)):
        return _plain_index(len(rows))
    index = {"0": 0}
    word, empty, covered = 0, 0, 0
    for i, row in enumerate(block.rows):
        if len(row) != 10:
            raise block.error(i, f"{len(row)} column{'s' * (len(row) != 1)}", "10 columns with tabs between them")
        name = row[0]
        if name == str(word + 1):  # the common case first
            word, empty = word + 1, 0
        elif match := _RANGE.fullmatch(name):
            covered = _range_end(block, i, name, int(match[1]), int(match[2]), word, covered)
            continue
        elif name == f"{word}.{empty + 1}":
            empty += 1
        else:
            raise block.error(i, *_bad_id(name, word, index))
        index[name] = len(index)
    if not word and not covered:
        raise block.error(0, "a sentence of empty nodes only", "at least one word")
    if covered > word:
        raise block.error(len(block.rows) - 1, f"a range up to {covered} in a sentence of {word} words", "its words")
    return index


@lru_cache(maxsize=_LONGEST_KNOWN)
def _plain_ids(n: int) -> list[str]:
    """The ids of a sentence of n words without ranges or empty nodes, as nearly all are."""
    return [str(i) for i in range(1, n + 1)]


@lru_cache(maxsize=_LONGEST_KNOWN)
def _plain_index(n: int) -> dict[str, int]:
    return {str(i): i for i in range(n + 1)}


def _range_end(block: Block, i: int, name: str, first: int, last: int, word: int, covered: int) -> int:
    """Check a range; give its last word."""
    if first != word + 1:
        raise block.error(i, f"range {name!r} after word {word}", f"a range that starts with {word + 1}")
    if last <= first:
        raise block.error(i, f"range {name!r}", "a range that ends after its first word")
    if first <= covered:
        raise block.error(i, f"range {name!r} inside another", f"a range that starts after word {covered}")
    return last


def _bad_id(name: str, word: int, index: dict[str, int]) -> tuple[str, str]:
    if not _ID.fullmatch(name):
        return f"id {name!r}", f"a number, a range or an empty node ({word + 1} comes next)"
    if name in index:
        return f"id {name} a second time", f"id {word + 1}"
    return f"id {name} (id {word + 1} is missing)", f"id {word + 1}"


def _check_basic(block: Block, i: int, row: Row, words: int) -> None:
    """HEAD must be empty or a word; a DEPREL needs a HEAD."""
    head = row[6]
    if head == "_":
        if row[7] != "_" and "." not in row[0]:
            raise block.error(i, f"label {row[7]!r} with no head", "a number in HEAD, or '_' in both")
        return
    if not (head.isascii() and head.isdigit()):
        raise block.error(i, f"head {head!r}", "a number or '_'")
    if _too_big(head, words):
        raise block.error(i, f"head {head} in a sentence of {words} words", f"a head from 0 to {words}")


def _too_big(digits: str, limit: int) -> bool:
    """Whether a number in a file passes the limit; Python refuses to turn thousands of digits into an int."""
    digits = digits.lstrip("0") or "0"
    return len(digits) > len(str(limit)) or int(digits) > limit


def _graph(block: Block, index: dict[str, int], singles: dict[str, Relations]) -> Graph:
    heads: list[int] = []
    dependents: list[int] = []
    relations: list[Relations] = []
    node, words = 0, 0
    for i, row in enumerate(block.rows):
        deps = row[8]
        if row[6] not in index or "." in row[6]:
            words = words or int(_last(index))  # goes over the sentence: once
            _check_basic(block, i, row, words)
        if "-" in row[0]:
            if deps != "_":
                raise block.error(i, f"DEPS {deps!r} on a range", "'_'")
            continue
        node += 1
        if deps == "_":
            continue
        if "|" not in deps:  # one arc, as most words have: no detour through a dictionary
            name, _, relation = deps.partition(":")
            if name not in index or not relation:
                _dep(block, i, deps, index)  # says what is wrong
            heads.append(index[name])
            relations.append(singles.get(relation) or singles.setdefault(relation, (relation,)))
            dependents.append(node)
            continue
        merged: dict[int, Relations] = {}
        several: dict[int, dict[str, None]] = {}  # the relations of heads that have more than one, in order
        for part in deps.split("|"):
            head, relation = _dep(block, i, part, index)
            before = merged.setdefault(head, singles.setdefault(relation, (relation,)))
            if before[0] != relation:
                several.setdefault(head, dict.fromkeys(before))[relation] = None
        for head, names in several.items():
            merged[head] = tuple(names)
        for head in sorted(merged):
            heads.append(head)
            relations.append(merged[head])
            dependents.append(node)
    return Graph.trusted(node, np.array(heads, dtype=np.int32), np.array(dependents, dtype=np.int32), tuple(relations))


def _dep(block: Block, i: int, part: str, index: dict[str, int]) -> tuple[int, str]:
    name, colon, relation = part.partition(":")
    head = index.get(name)
    if head is not None and relation:
        return head, relation
    if not name or not (colon or _NUMBER.fullmatch(part)):
        raise block.error(i, f"label {part!r} with no head", "head:label")
    if not relation:
        raise block.error(i, f"head {part!r} with no label", "head:label")
    if not _NUMBER.fullmatch(name):
        raise block.error(i, f"head {name!r} in {part!r}", "a number")
    raise block.error(
        i, f"head {name} in {part!r}, which no word of the sentence has", f"a head from 0 to {_last(index)}"
    )


def _last(index: dict[str, int]) -> str:
    return [name for name in index if "." not in name][-1]


def deps_column(graph: Graph, ids: list[str]) -> list[str]:
    """The DEPS column of every node."""
    check_relations(graph, _NAME, forbidden="|")
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
