"""What is wrong with a row of CoNLL-U, in words."""

from __future__ import annotations

import re

from arctag.blocks import conllu_kernel as k
from arctag.columns import DEPREL, DEPS, HEAD, STANDARD, Header, bad_dep
from arctag.formats.block_format import Fault
from arctag.sentence import Row

_ID = re.compile(r"[1-9][0-9]*|(?:0|[1-9][0-9]*)\.[1-9][0-9]*")


def explained(rows: list[Row], fault: Fault, header: Header | None) -> tuple[str, str]:
    """What a kernel has found wrong with a row, and what was expected; rows are as they stand in the file."""
    if fault.code == k.WRONG_COLUMNS:
        width = len(rows[fault.row])
        wanted = len(STANDARD if header is None else header.names)
        expected = f"{wanted} columns with tabs between them" + (", as the header says" if header is not None else "")
        return f"{width} column{'s' * (width != 1)}", expected
    if header is not None:
        rows = list(map(header.standard, rows))
    row = rows[fault.row]
    above = [other[0] for other in rows[: fault.row]]
    if fault.code < k.RANGE_BEYOND:
        return _wrong_id(fault.code, row[0], above)
    words = sum(other[0].isdigit() for other in rows)
    if fault.code == k.RANGE_BEYOND:
        return f"a range up to {_covered([*above, row[0]])} in a sentence of {words} words", "its words"
    return _wrong_heads(fault, row, words)


def _wrong_id(code: int, name: str, above: list[str]) -> tuple[str, str]:
    word = next((int(other) for other in reversed(above) if other.isdigit()), 0)  # the last one above
    match code:
        case k.RANGE_START:
            return f"range {name!r} after word {word}", f"a range that starts with {word + 1}"
        case k.RANGE_END:
            return f"range {name!r}", "a range that ends after its first word"
        case k.RANGE_INSIDE:
            return f"range {name!r} inside another", f"a range that starts after word {_covered(above)}"
        case k.NO_WORDS:
            return "a sentence of empty nodes only", "at least one word"
        case _:
            return _bad_id(name, word, above)


def _bad_id(name: str, word: int, above: list[str]) -> tuple[str, str]:
    if not _ID.fullmatch(name):
        return f"id {name!r}", f"a number, a range or an empty node ({word + 1} comes next)"
    if name in above:
        return f"id {name} a second time", f"id {word + 1}"
    return f"id {name} (id {word + 1} is missing)", f"id {word + 1}"


def _covered(ids: list[str]) -> int:
    """The last word of the last range."""
    return next((int(name.partition("-")[2]) for name in reversed(ids) if "-" in name), 0)


def _wrong_heads(fault: Fault, row: Row, words: int) -> tuple[str, str]:
    match fault.code:
        case k.NO_HEAD:
            return f"label {row[DEPREL]!r} with no head", "a number in HEAD, or '_' in both"
        case k.WRONG_HEAD:
            return f"head {row[HEAD]!r}", "a number or '_'"
        case k.HEAD_BEYOND:
            return f"head {row[HEAD]} in a sentence of {words} words", f"a head from 0 to {words}"
        case k.DEPS_ON_RANGE:
            return f"DEPS {row[DEPS]!r} on a range", "'_'"
        case _:
            return bad_dep(fault.part, words)
