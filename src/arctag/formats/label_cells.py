r"""The cells of label files: words, relations, tags, planes with null arcs.

The relations of a word's arcs stand in the order of their heads, `|` between arcs, `&` between relations of one
arc, both escaped with a backslash inside a name. A word that would look like a comment (`# 1`) gets a backslash
in front.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from arctag.encodings import Encoding
from arctag.encodings.labels import LabelRow
from arctag.encodings.upos import UPOS
from arctag.errors import InputError
from arctag.graph import Relations

_LIKE_A_COMMENT = re.compile(r"^(?=#[^ \n]* |\\+#)", re.MULTILINE)  # or like one that was escaped
_RELATIONS = re.compile(r"(?:\\.|[^\\|&])+(?:[|&](?:\\.|[^\\|&])+)*")
_PLANES = re.compile(r"_|\d{1,3}(,\d{1,3})*")


class BadCell(Exception):
    """A cell that cannot be read."""

    def __init__(self, found: str, expected: str) -> None:
        super().__init__(found, expected)
        self.message = found, expected


def escaped(words: str) -> str:
    """Words, one a line, as a label file has them."""
    return _LIKE_A_COMMENT.sub(r"\\", words) if "#" in words else words


def is_escaped(word: str) -> bool:
    """Whether a word has a backslash in front that is not part of it."""
    return word.lstrip("\\").startswith("#") and word.startswith("\\")


def parse_label(cell: str, chosen: Encoding) -> LabelRow:
    """The label of a word."""
    try:
        return chosen.parse(cell)
    except InputError as error:
        raise BadCell(f"label {cell!r}", f"a label of {chosen.name}: {str(error).split('; ')[-1]}") from error


def format_relations(arcs: Sequence[Relations]) -> str:
    """The relations of the arcs of a word."""
    if not arcs:
        return "_"
    return "|".join("&".join(re.sub(r"([\\|&])", r"\\\1", name) for name in names) for names in arcs)


def parse_relations(cell: str) -> list[Relations]:
    """The relations of each arc of a word."""
    if cell == "_":
        return []
    if not _RELATIONS.fullmatch(cell):
        raise BadCell(f"relations {cell!r}", r"names, '|' between arcs, '&' in one arc, '\|' inside a name")
    arcs: list[list[str]] = [[]]
    for name, separator in re.findall(r"((?:\\.|[^\\|&])+)([|&]?)", cell):
        arcs[-1].append(re.sub(r"\\(.)", r"\1", name))
        if separator == "|":
            arcs.append([])
    return [tuple(names) for names in arcs]


def parse_tag(cell: str) -> list[int]:
    """The number of the tag of a word."""
    if cell not in UPOS:
        raise BadCell(f"tag {cell!r}", f"one of {', '.join(UPOS)}")
    return [UPOS.index(cell)]


def format_planes(planes: Iterable[int]) -> str:
    """The planes of a word that hold a null arc, counted from 1."""
    return ",".join(map(str, planes)) or "_"


def parse_planes(cell: str) -> list[int]:
    """The planes of a word that hold a null arc."""
    if not _PLANES.fullmatch(cell):
        raise BadCell(f"null planes {cell!r}", "numbers with commas, or '_'")
    return [int(number) for number in cell.split(",")] if cell != "_" else []
