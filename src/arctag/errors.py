"""Everything Arctag raises on purpose.

    ArctagError
    ├── InputError           something the user gave cannot be used
    │   ├── FormatError      a file is not what its format says: file, line, found, expected
    │   ├── AlignmentError   two files do not hold the same sentences
    │   └── UnknownName      a name that no registry knows; lists the known ones
    └── MissingExtra         an optional part is not installed; says the exact command

The command line prints the message on one line and exits with code 2; anything else is a bug. What works, but not as
well as it could, is an `ArctagWarning`.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = [
    "AlignmentError", "ArctagError", "ArctagWarning", "FormatError", "InputError", "MissingExtra", "UnknownName",
]  # fmt: skip


class ArctagError(Exception):
    """The root of the tree: catch this to catch them all."""


class InputError(ArctagError):
    """Something the user gave cannot be used."""


class FormatError(InputError):
    """A file breaks its format; the message names the file, the line, what was found and expected."""

    def __init__(self, source: str, line: int | None, found: str, expected: str) -> None:
        self.source, self.line, self.found, self.expected = source, line, found, expected
        place = source if line is None else f"{source}:{line}"
        super().__init__(f"{place}: found {found}; expected {expected}")

    def __reduce__(self) -> tuple[type[FormatError], tuple[str, int | None, str, str]]:
        return FormatError, (self.source, self.line, self.found, self.expected)  # it may come from another process


class AlignmentError(InputError):
    """Two files that should hold the same sentences do not."""


class UnknownName(InputError):
    """A name that is not in its registry."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        known = sorted(known)
        close = get_close_matches(name, known, n=1)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        super().__init__(f"unknown {kind} {name!r}.{hint} Known: {', '.join(known)}")


class ArctagWarning(UserWarning):
    """Something that works, but not as well as it could."""


class MissingExtra(ArctagError):
    """An optional part of Arctag is needed and not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs packages that are not installed: pip install 'arctag[{extra}]'")
