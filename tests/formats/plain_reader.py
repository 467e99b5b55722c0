"""The oracle of the readers: CoNLL-U (Plus) and SDP read line by line, word by word, with strings and lists alone.

A whole file goes in as bytes, sentences come out. It is slow, and obvious.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

Arc = tuple[int, int, tuple[str, ...]]
Columns = list[list[str]]
_ID = re.compile(r"[1-9][0-9]*|(0|[1-9][0-9]*)\.[1-9][0-9]*")
_RANGE = re.compile(r"([1-9][0-9]{0,8})-([1-9][0-9]{0,8})")
_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?")
STANDARD = ["ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"]
_HEADER = re.compile(r"# ?global\.columns *=(.*)")
_FIXED = 7  # columns of SDP before the arguments


class PlainSentence(NamedTuple):
    """What is known of a sentence: a damaged one has an error, and no graph."""

    comments: tuple[str, ...]
    rows: Columns
    blanks: int
    line: int
    """The number of the first row."""
    n: int = 0
    arcs: tuple[Arc, ...] = ()
    """(head, dependent, relations), sorted by dependent, then head."""
    error: str = ""
    comment_lines: tuple[int, ...] = ()
    """The numbers of the comments' lines."""
    graph_error: bool = False
    """Whether the error is one of columns, not of lines."""

    def known(self) -> tuple[object, ...]:
        """What a reader must know of it."""
        return self[:7]


class PlainFile(NamedTuple):
    """What a file holds."""

    sentences: list[PlainSentence]
    error: str = ""
    """What is wrong behind the last sentence, where there is no sentence that could have it."""


class Fault(Exception):
    """What is wrong with a row: its number among the rows, what was found, what was expected."""

    def __init__(self, row: int, found: str, expected: str) -> None:
        super().__init__(found)
        self.row, self.found, self.expected = row, found, expected


Graph = tuple[int, list[Arc]]
GraphOf = Callable[[Columns, bool], Graph]


def read_conllu(data: bytes, source: str, words_only: bool = False, damage: str = "") -> PlainFile:
    """Read CoNLL-U; `damage` is why the input breaks off behind these bytes, if it does."""
    return _read(_lines(data), source, words_only, damage, _conllu_graph)


def read_conllup(data: bytes, source: str, words_only: bool = False, damage: str = "") -> PlainFile:
    """The same for CoNLL-U Plus; sound sentences have the columns of CoNLL-U, then the further ones."""
    lines = _lines(data)
    if not any(lines):
        return PlainFile([], _error_at_end([], len(lines), source, damage, True))
    if error := _not_utf8([(1, lines[0])], source):
        return PlainFile([], error)
    text = _text(lines[0])
    match = _HEADER.fullmatch(text)
    if match is None:
        wanted = "'# global.columns = ID FORM …' on the first line"
        return PlainFile([], _message(source, 1, f"no header ({text!r:.50})", wanted))
    names = match[1].split()
    if problem := _header_problem(names):
        return PlainFile([], _message(source, 1, *problem))
    if not any(lines[1:]):
        return PlainFile([], _error_at_end([(1, lines[0])], len(lines), source, damage, True))
    further = [name for name in names if name not in STANDARD]

    def standard(row: list[str]) -> list[str]:
        cells = dict(zip(names, row, strict=False))
        return [cells.get(name, "_") for name in [*STANDARD, *further]]

    def graph_of(rows: Columns, words_only: bool) -> Graph:
        return _conllu_graph([standard(row) for row in rows], words_only, [len(row) for row in rows], len(names))

    read = _read([b"", *lines[1:]], source, words_only, damage, graph_of)
    sentences = [_with_one_header(sentence, source) for sentence in read.sentences]
    return PlainFile([s if s.error else s._replace(rows=list(map(standard, s.rows))) for s in sentences], read.error)


def _header_problem(names: list[str]) -> tuple[str, str] | None:
    for name in names:
        if name not in STANDARD and not re.fullmatch(r"[^\s:]+:\S+", name):
            return f"the unknown column {name!r}", f"{', '.join(STANDARD)}, or further ones as NAMESPACE:COLUMN"
        if names.count(name) > 1:
            return f"the column {name} more than once", "each column once"
    for name in ("ID", "FORM"):
        if name not in names:
            return f"no column {name}", "ID and FORM at least"
    return None


def _with_one_header(sentence: PlainSentence, source: str) -> PlainSentence:
    """The sentence, or one with an error if another header stands above it and its lines are sound."""
    above = [i for i, comment in enumerate(sentence.comments) if _HEADER.match(comment)]
    if not above or (sentence.error and not sentence.graph_error):
        return sentence
    where = sentence.comment_lines[above[0]]
    error = _message(source, where, "a second '# global.columns'", "one on the first line of the file alone")
    return sentence._replace(error=error, n=0, arcs=())


def read_sdp(data: bytes, source: str, words_only: bool = False, damage: str = "") -> PlainFile:
    """The same for SDP."""
    return _read(_lines(data), source, words_only, damage, _sdp_graph)


# Lines and sentences


def _read(lines: list[bytes], source: str, words_only: bool, damage: str, graph_of: GraphOf) -> PlainFile:
    sentences: list[PlainSentence] = []
    comments: list[tuple[int, bytes]] = []  # that no sentence has had yet, with the numbers of their lines
    at = 0
    while at < len(lines):
        if not lines[at]:
            at += 1
        elif _is_comment(lines[at]):
            comments.append((at + 1, lines[at]))
            at += 1
        else:
            end = at
            while end < len(lines) and lines[end]:
                end += 1
            behind = end
            while behind < len(lines) and not lines[behind]:
                behind += 1
            rows = [(number + 1, lines[number]) for number in range(at, end)]
            breaks_off = damage if end == len(lines) else ""  # no empty line: more might have come
            sentences.append(_sentence(comments, rows, behind - end, source, words_only, breaks_off, graph_of))
            damage = "" if breaks_off else damage
            comments, at = [], behind
    error = _error_at_end(comments, len(lines), source, damage, not sentences)
    if not comments:
        return PlainFile(sentences, error)
    texts = tuple(_text(line) for _, line in comments)
    return PlainFile([*sentences, PlainSentence(texts, [], 0, len(lines), error=error)])


def _error_at_end(comments: list[tuple[int, bytes]], end: int, source: str, damage: str, alone: bool) -> str:
    if error := damage or _not_utf8(comments, source):
        return error
    if alone:
        why = "only comments" if comments else "the file is empty"
        return _message(source, end or None, f"no sentence ({why})", "at least one sentence")
    if comments:
        first = repr(_text(comments[0][1]))
        return _message(source, end, f"a comment with no sentence at the end ({first})", "words below it")
    return ""


def _lines(data: bytes) -> list[bytes]:
    """Without their ends; a lone carriage return is none, a byte order mark is no part of the first."""
    data = data.replace(b"\r\n", b"\n").removeprefix(b"\xef\xbb\xbf")
    return data.removesuffix(b"\n").split(b"\n") if data else []


def _is_comment(line: bytes) -> bool:
    """'#' begins a comment, unless it is the first column: then a tab comes before any space."""
    return line.startswith(b"#") and b"\t" not in line.split(b" ")[0]


def _text(line: bytes) -> str:
    return line.decode("utf-8", "surrogateescape")


def _message(source: str, line: int | None, found: str, expected: str) -> str:
    return f"{source}{'' if line is None else f':{line}'}: found {found}; expected {expected}"


def _not_utf8(lines: list[tuple[int, bytes]], source: str) -> str:
    """What is wrong with the first line that is not UTF-8."""
    for number, line in lines:
        try:
            line.decode("utf-8")
        except UnicodeDecodeError as error:
            bad = line[error.start : error.start + 1]
            return _message(source, number, f"byte {bad!r} at position {error.start + 1}, not UTF-8", "UTF-8 text")
    return ""


def _sentence(
    comments: list[tuple[int, bytes]],
    rows: list[tuple[int, bytes]],
    blanks: int,
    source: str,
    words_only: bool,
    damage: str,
    graph_of: GraphOf,
) -> PlainSentence:
    first = rows[0][0]
    columns = [_text(line).split("\t") for _, line in rows]
    sentence = PlainSentence(tuple(_text(line) for _, line in comments), columns, blanks, first)
    sentence = sentence._replace(comment_lines=tuple(number for number, _ in comments))
    if error := damage or _not_utf8(comments + rows, source):
        return sentence._replace(error=error)
    for number, line in rows:
        if _is_comment(line):
            what = "a comment between the words of a sentence"
            return sentence._replace(error=_message(source, number, what, "comments above the words"))
    try:
        n, arcs = graph_of(columns, words_only)
    except Fault as fault:
        message = _message(source, first + fault.row, fault.found, fault.expected)
        return sentence._replace(error=message, graph_error=True)
    return sentence._replace(n=n, arcs=tuple(arcs))


# CoNLL-U


def _conllu_graph(rows: Columns, words_only: bool, widths: list[int] | None = None, width: int = 10) -> Graph:
    """`widths` are those of the rows of a file with a header, which says how wide they are."""
    expected = f"{width} columns with tabs between them" + (", as the header says" if widths else "")
    nodes = _nodes(rows, widths or list(map(len, rows)), width, expected)
    n = len(nodes) - 1
    return n, [] if words_only else _deps_arcs(rows, nodes)


def _nodes(rows: Columns, widths: list[int], width: int, expected: str) -> dict[str, int]:
    """The number of each id."""
    nodes = {"0": 0}
    word, empty, covered = 0, 0, 0
    for i, row in enumerate(rows):
        if widths[i] != width:
            raise Fault(i, f"{widths[i]} column{'s' * (widths[i] != 1)}", expected)
        if row[0] == str(word + 1):
            word, empty = word + 1, 0
            nodes[row[0]] = len(nodes)
        elif match := _RANGE.fullmatch(row[0]):
            covered = _range_end(i, int(match[1]), int(match[2]), word, covered)
        elif row[0] == f"{word}.{empty + 1}":
            empty += 1
            nodes[row[0]] = len(nodes)
        elif not _ID.fullmatch(row[0]):
            raise Fault(i, f"id {row[0]!r}", f"a number, a range or an empty node ({word + 1} comes next)")
        elif row[0] in nodes:
            raise Fault(i, f"id {row[0]} a second time", f"id {word + 1}")
        else:
            raise Fault(i, f"id {row[0]} (id {word + 1} is missing)", f"id {word + 1}")
    if not word and not covered:
        raise Fault(0, "a sentence of empty nodes only", "at least one word")
    if covered > word:
        raise Fault(len(rows) - 1, f"a range up to {covered} in a sentence of {word} words", "its words")
    return nodes


def _range_end(i: int, first: int, last: int, word: int, covered: int) -> int:
    name = repr(f"{first}-{last}")
    if first != word + 1:
        raise Fault(i, f"range {name} after word {word}", f"a range that starts with {word + 1}")
    if last <= first:
        raise Fault(i, f"range {name}", "a range that ends after its first word")
    if first <= covered:
        raise Fault(i, f"range {name} inside another", f"a range that starts after word {covered}")
    return last


def _deps_arcs(rows: Columns, nodes: dict[str, int]) -> list[Arc]:
    words = sum("." not in name for name in nodes) - 1
    relations: dict[tuple[int, int], list[str]] = {}  # of each (dependent, head)
    for i, row in enumerate(rows):
        _check_head(i, row, words)
        if "-" in row[0]:
            if row[8] != "_":
                raise Fault(i, f"DEPS {row[8]!r} on a range", "'_'")
        elif row[8] != "_":
            for part in row[8].split("|"):
                head, relation = _dep(i, part, nodes, words)
                known = relations.setdefault((nodes[row[0]], head), [])
                if relation not in known:
                    known.append(relation)
    return [(head, dependent, tuple(names)) for (dependent, head), names in sorted(relations.items())]


def _check_head(i: int, row: list[str], words: int) -> None:
    head, relation = row[6], row[7]
    if head == "_":
        if relation != "_" and "." not in row[0]:
            raise Fault(i, f"label {relation!r} with no head", "a number in HEAD, or '_' in both")
    elif not (head.isascii() and head.isdigit()):
        raise Fault(i, f"head {head!r}", "a number or '_'")
    elif len(head.lstrip("0")) > 9 or int(head) > words:
        raise Fault(i, f"head {head} in a sentence of {words} words", f"a head from 0 to {words}")


def _dep(i: int, part: str, nodes: dict[str, int], words: int) -> tuple[int, str]:
    name, colon, relation = part.partition(":")
    if name in nodes and relation:
        return nodes[name], relation
    if not name or not (colon or _NUMBER.fullmatch(part)):
        raise Fault(i, f"label {part!r} with no head", "head:label")
    if not relation:
        raise Fault(i, f"head {part!r} with no label", "head:label")
    if not _NUMBER.fullmatch(name):
        raise Fault(i, f"head {name!r} in {part!r}", "a number")
    raise Fault(i, f"head {name} in {part!r}, which no word of the sentence has", f"a head from 0 to {words}")


# SDP


def _sdp_graph(rows: Columns, words_only: bool) -> Graph:
    predicates = _predicates(rows)
    arcs: list[Arc] = []
    if words_only:
        return len(rows), arcs
    for i, row in enumerate(rows):
        if row[4] == "+":
            arcs.append((0, i + 1, ("root",)))
        for head, relation in zip(predicates, row[_FIXED:], strict=True):
            if not relation:
                raise Fault(i, "an empty argument column", "a label or '_'")
            if relation != "_":
                arcs.append((head, i + 1, (relation,)))
    return len(rows), arcs


def _predicates(rows: Columns) -> list[int]:
    """The words that are predicates, once ids, flags and the number of columns are right."""
    for i, row in enumerate(rows):
        if row[0] != str(i + 1):
            raise Fault(i, *_bad_sdp_id(row[0], i + 1))
        if len(row) < _FIXED:
            raise Fault(i, f"{len(row)} column{'s' * (len(row) != 1)}", f"at least {_FIXED} with tabs between them")
        for column, name in ((4, "top"), (5, "pred")):
            if row[column] not in ("+", "-"):
                raise Fault(i, f"{row[column]!r} in the {name} column", "'+' or '-'")
    predicates = [i + 1 for i, row in enumerate(rows) if row[5] == "+"]
    width = _FIXED + len(predicates)
    for i, row in enumerate(rows):
        if len(row) != width:
            count = abs(len(row) - width)
            kind = "too many" if len(row) > width else "missing"
            raise Fault(
                i,
                f"{len(row)} columns: {count} argument column{'s' * (count != 1)} {kind}",
                f"{width} ({_FIXED} and one for each of {len(predicates)} predicates)",
            )
    return predicates


def _bad_sdp_id(name: str, expected: int) -> tuple[str, str]:
    if not (name.isascii() and name.isdigit()):
        return f"id {name!r}", f"a number ({expected} comes next)"
    if len(name) <= len(str(expected)) and 0 < int(name) < expected:
        return f"id {name} a second time", f"id {expected}"
    return f"id {name} (id {expected} is missing)", f"id {expected}"
