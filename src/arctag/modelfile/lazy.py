"""`Lazy`: an entry of a table whose class is imported when it is first used: tables can be read without torch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Generic, TypeVar

from arctag.errors import UnknownName

T = TypeVar("T")
Entry = TypeVar("Entry")


@dataclass(frozen=True)
class Lazy(Generic[T]):
    """Where a class is."""

    place: str
    """`module:Class`."""

    def load_class(self) -> type[T]:
        """Import the class."""
        module, _, name = self.place.partition(":")
        loaded: type[T] = getattr(import_module(module), name)
        return loaded


def look_up(what: str, name: str, table: Mapping[str, Entry]) -> Entry:
    """The entry of that name; `UnknownName` lists the known ones."""
    if name not in table:
        raise UnknownName(what, name, table)
    return table[name]
