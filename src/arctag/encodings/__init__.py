"""Encodings: graphs as one label per word. A new one is a file and a line in `ENCODINGS`."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from typing import Any

from arctag.encodings.base import Decoded, DecodedBatch, Encoding, SimpleEncoding
from arctag.encodings.bits4 import Bits4
from arctag.encodings.bits6 import Bits6
from arctag.encodings.brackets import Brackets
from arctag.encodings.hierarchical import Hierarchical
from arctag.encodings.labels import Arcs, LabelRow, Labels
from arctag.encodings.pos_relative import PosRelative
from arctag.encodings.positional import Absolute, Relative
from arctag.encodings.trees.arc_eager import ArcEager
from arctag.encodings.trees.arc_hybrid import ArcHybrid
from arctag.encodings.trees.arc_standard import ArcStandard
from arctag.encodings.trees.base import NO_HEAD, NotATree, TreeEncoding
from arctag.encodings.trees.bits import TreeBits4, TreeBits7
from arctag.encodings.trees.brackets import TreeBrackets
from arctag.encodings.trees.covington import Covington
from arctag.encodings.trees.hexatags import Hexatag
from arctag.encodings.trees.hierarchical import TreeHierarchical
from arctag.encodings.upos import UPOS, tag_numbers
from arctag.errors import InputError, UnknownName

__all__ = [
    "ENCODINGS", "NO_HEAD", "UPOS", "Arcs", "Decoded", "DecodedBatch", "Encoding", "Entry", "LabelRow", "Labels",
    "NotATree", "SimpleEncoding", "TreeEncoding", "encoding", "register", "standard_names", "tag_numbers", "tree_names",
]  # fmt: skip


@dataclass(frozen=True)
class Entry:
    """A registered encoding: its class, the paper's name for it, the numbers of planes shown by default."""

    make: type[Encoding]
    paper: str
    ks: tuple[int, ...] = ()


ENCODINGS: dict[str, Entry] = {
    "absolute": Entry(Absolute, "A"),
    "relative": Entry(Relative, "R"),
    "pos": Entry(PosRelative, "P"),
    "brackets": Entry(Brackets, "B", (2, 3)),
    "bits4": Entry(Bits4, "B4", (2, 3, 4)),
    "bits6": Entry(Bits6, "B6", (2, 3, 4)),
    "hierarchical": Entry(Hierarchical, "H"),
    "treebits4": Entry(TreeBits4, ""),
    "treebits7": Entry(TreeBits7, ""),
    "treebrackets": Entry(TreeBrackets, "", (1, 2)),
    "treehierarchical": Entry(TreeHierarchical, ""),
    "hexatag": Entry(Hexatag, ""),
    "arcstandard": Entry(ArcStandard, ""),
    "arceager": Entry(ArcEager, ""),
    "archybrid": Entry(ArcHybrid, ""),
    "covington": Entry(Covington, ""),
}
"""Name → entry. With `ks` the name takes a number: 'brackets-3', or the paper's 'B_3'."""

_NAME = re.compile(r"(?P<family>[A-Za-z]\w*?)(?:[-_](?P<k>\d+))?")
MOST_PLANES = 999


def register(name: str, make: type[Encoding], paper: str = "", ks: tuple[int, ...] = ()) -> None:
    """Add an encoding of your own: the one line it takes to appear everywhere."""
    if not re.fullmatch(r"[a-z][a-z0-9]*", name):
        raise InputError(f"encoding name {name!r}: use lower-case letters and digits")
    if name in ENCODINGS or (paper and _family(paper)):
        raise InputError(f"encoding {name!r}: the name, or the short name {paper!r}, is taken")
    parameters = getattr(make, "__dataclass_fields__", None)
    if parameters is None:
        raise InputError(f"encoding {name!r}: write @dataclass(frozen=True) above its class")
    if ks and "k" not in parameters:
        raise InputError(f"encoding {name!r}: its class needs a field `k` to take a number of planes")
    ENCODINGS[name] = Entry(make, paper, ks)


def encoding(name: str, **options: Any) -> Encoding:
    """The encoding of that name ('bits6-4', or the paper's 'B6_4').

    Options an encoding has a field for are passed on (`crossing`, `planes`, `first_null`); an
    option that no encoding knows is an error.
    """
    match = _NAME.fullmatch(name.strip())
    family = _family(match["family"]) if match else None
    if match is None or family is None:
        raise UnknownName("encoding", name, standard_names() + tree_names())
    entry = ENCODINGS[family]
    known = {field.name for e in ENCODINGS.values() for field in fields(e.make)}  # type: ignore[arg-type]
    for option in options:
        if option not in known:
            raise UnknownName("encoding option", option, known - {"k"})
    values = {field.name: options[field.name] for field in fields(entry.make) if field.name in options}  # type: ignore[arg-type]
    if not entry.ks:
        if match["k"] is not None:
            raise InputError(f"encoding {family!r} takes no number of planes (found {name!r})")
        return entry.make(**values)
    planes = match["k"]
    if planes is None or len(planes) > len(str(MOST_PLANES)) or not 1 <= int(planes) <= MOST_PLANES:
        found = "none" if planes is None else f"{planes:.20}"
        raise InputError(
            f"encoding {family!r} needs a number of planes from 1 to {MOST_PLANES}, such as {family}-{entry.ks[0]}; "
            f"found {found}"
        )
    return entry.make(k=int(planes), **values)  # type: ignore[call-arg]


def _family(name: str) -> str | None:
    """The registered name behind a name or one of the paper's."""
    if name in ENCODINGS:
        return name
    for family, entry in ENCODINGS.items():
        if entry.paper and name in (entry.paper, entry.paper.lower()):
            return family
    return None


def standard_names() -> list[str]:
    """The names shown by default: the paper's choice of K, and hierarchical."""
    return [name for family, entry in ENCODINGS.items() if not entry.make.trees_only for name in _names(family, entry)]


def tree_names() -> list[str]:
    """The same of those for trees only."""
    return [name for family, entry in ENCODINGS.items() if entry.make.trees_only for name in _names(family, entry)]


def _names(family: str, entry: Entry) -> list[str]:
    return [f"{family}-{k}" for k in entry.ks] or [family]
