"""The exceptions that Arctag raises.

    ArctagError
    ├── InputError           an argument, option or file cannot be used
    │   ├── FormatError      a file does not follow its format: file, line, found, expected
    │   ├── AlignmentError   two files do not hold the same sentences
    │   └── UnknownName      a name that is not in its table; lists the known ones
    └── MissingExtra         an optional package is not installed; names the command that installs it

The command line prints the message on one line and exits with code 2. Any other exception is a bug.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = [
    "AlignmentError", "ArctagError", "ArctagWarning", "FormatError", "InputError", "MissingExtra", "UnknownName",
]  # fmt: skip


class ArctagError(Exception):
    """The base class of all exceptions of Arctag."""


class InputError(ArctagError):
    """An argument, option or file cannot be used."""


class FormatError(InputError):
    """A file does not follow its format; the message names the file, the line, what was found and expected."""

    def __init__(self, source: str, line: int | None, found: str, expected: str) -> None:
        self.source, self.line, self.found, self.expected = source, line, found, expected
        place = source if line is None else f"{source}:{line}"
        super().__init__(f"{place}: found {found}; expected {expected}")

    def __reduce__(self) -> tuple[type[FormatError], tuple[str, int | None, str, str]]:
        return FormatError, (self.source, self.line, self.found, self.expected)  # it may come from another process


class AlignmentError(InputError):
    """Two files that should hold the same sentences do not."""


class UnknownName(InputError):
    """A name that is not in its table; the message lists the known ones."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        known = sorted(known)
        close = get_close_matches(name, known, n=1)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        super().__init__(f"unknown {kind} {name!r}.{hint} Known: {', '.join(known)}")


class ArctagWarning(UserWarning):
    """Something works, but slower or with less than it could."""


class MissingExtra(ArctagError):
    """An optional package is needed and not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs packages that are not installed: pip install 'arctag[{extra}]'")
