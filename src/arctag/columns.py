"""The columns of tables: their names, the header of CoNLL-U Plus, and what is in a cell of DEPS or MISC."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from arctag.errors import FormatError, InputError

STANDARD = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
"""The columns of CoNLL-U."""
HEAD, DEPREL, DEPS, MISC = 6, 7, 8, 9
UNIVERSAL = frozenset({"conllu", "conllup"})
"""The formats whose first ten columns, counted as `Sentence.column` does, are those of CoNLL-U."""
_SDP = ("ID", "FORM", "LEMMA", "XPOS")  # and others, which hold the graph
_NEEDED = ("ID", "FORM")
_LINE = re.compile(r"# ?global\.columns *=(.*)")
_FURTHER = re.compile(r"[^\s:]+:\S+")
_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?")


@dataclass(frozen=True)
class Header:
    """The first line of a CoNLL-U Plus file, which names its columns.

    Columns are counted as in CoNLL-U, whatever their order in the file: the ten standard ones, then the further ones.
    """

    text: str
    """As it stands in the file, with its line end and the empty lines that follow."""
    names: tuple[str, ...]
    """The columns, in the order of the file."""

    @classmethod
    def of(cls, names: Sequence[str]) -> Header:
        """The header of a new file."""
        return cls(f"# global.columns = {' '.join(names)}\n", tuple(names))

    @classmethod
    def read(cls, text: str, source: str) -> Header:
        """The header in the first line of a file; a `FormatError` if it cannot be one."""
        line = text.rstrip("\n")
        match = _LINE.fullmatch(line)
        if match is None:
            raise FormatError(
                source, 1, f"no header ({line!r:.50})", "'# global.columns = ID FORM …' on the first line"
            )
        names = tuple(match[1].split())
        expected = f"{', '.join(STANDARD)}, or further ones as NAMESPACE:COLUMN"
        for name in names:
            if name not in STANDARD and not _FURTHER.fullmatch(name):
                raise FormatError(source, 1, f"the unknown column {name!r}", expected)
            if names.count(name) > 1:
                raise FormatError(source, 1, f"the column {name} more than once", "each column once")
        if missing := [name for name in _NEEDED if name not in names]:
            raise FormatError(source, 1, f"no column {missing[0]}", "ID and FORM at least")
        return cls(text, names)

    @cached_property
    def further(self) -> tuple[str, ...]:
        """The columns that CoNLL-U does not have."""
        return tuple(name for name in self.names if name not in STANDARD)

    @cached_property
    def places(self) -> tuple[int, ...]:
        """Where each column is in the file, counted from 0; -1 for standard ones that it does not have."""
        return tuple(self.names.index(name) if name in self.names else -1 for name in (*STANDARD, *self.further))

    def standard(self, row: list[str]) -> list[str]:
        """A row of the file with its cells in the order of `places`; '_' where there is no cell."""
        return [row[place] if 0 <= place < len(row) else "_" for place in self.places]


def column_names(format: str, header: Header | None) -> tuple[str, ...]:
    """The names of the columns, as `Sentence.column` counts them."""
    if header is not None:
        return (*STANDARD, *header.further)
    return STANDARD if format in UNIVERSAL else _SDP


def find_name(name: str, names: Sequence[str]) -> int | None:
    """The place of a name among others: whatever its case, the part before a colon may be left out."""
    wanted = name.casefold()
    exact = [i for i, known in enumerate(names) if known.casefold() == wanted]
    found = exact or [i for i, known in enumerate(names) if known.casefold().partition(":")[2] == wanted]
    if len(found) > 1:
        raise InputError(f"{name} is the name of several columns: {', '.join(names[i] for i in found)}")
    return found[0] if found else None


def find_column(name: str, format: str, header: Header | None, filled: Container[int] = frozenset[int]()) -> int | None:
    """The number of a column of a file; `filled` are those that it did not have and a sentence has."""
    number = find_name(name, column_names(format, header))
    if number is None or header is None or header.places[number] >= 0 or number in filled:
        return number
    return None


def no_column(source: str, name: str, format: str, header: Header | None, further: Iterable[str] = ()) -> InputError:
    """The error of a column that is not there."""
    own = header.names if header is not None else column_names(format, None)
    return InputError(f"{source}: there is no column {name}; there are {', '.join([*own, *further])}")


def misc_value(cell: str, key: str) -> str:
    """The value of a key in MISC; '_' if there is none."""
    return next((part[len(key) + 1 :] for part in cell.split("|") if part.startswith(f"{key}=")), "_") or "_"


def with_misc(cell: str, values: Mapping[str, str]) -> str:
    """MISC with other values of some keys, each in its place; '_' stands for none."""
    new = {key: f"{key}={value}" if value != "_" else "" for key, value in values.items()}
    parts = []
    for part in cell.split("|") if cell != "_" else ():
        key = part.partition("=")[0]
        parts.append(new.pop(key, "") if key in values else part)
    return "|".join(filter(None, [*parts, *new.values()])) or "_"


def heads_in(cell: str, nodes: Mapping[str, int]) -> Iterator[tuple[int, str]]:
    """The heads and relations in a cell (`4:nsubj|6:nsubj:xsubj`); `nodes` are the numbers of ids.

    What is wrong with it is a `ValueError` with what was found and expected.
    """
    for part in cell.split("|") if cell != "_" else ():
        name, _, relation = part.partition(":")
        if name not in nodes or not relation:
            raise ValueError(*bad_dep(part, sum("." not in known for known in nodes) - 1))
        yield nodes[name], relation


def bad_dep(part: str, words: int) -> tuple[str, str]:
    """What is wrong with a part of a cell that should be a head and a relation, and what was expected."""
    name, colon, relation = part.partition(":")
    if not name or not (colon or _NUMBER.fullmatch(part)):
        return f"label {part!r} with no head", "head:label"
    if not relation:
        return f"head {part!r} with no label", "head:label"
    if not _NUMBER.fullmatch(name):
        return f"head {name!r} in {part!r}", "a number"
    return f"head {name} in {part!r}, which no word of the sentence has", f"a head from 0 to {words}"
