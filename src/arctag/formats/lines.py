"""Files with a sentence on each line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from arctag.errors import FormatError
from arctag.formats.files import lines
from arctag.formats.streams import Input, name_of


@dataclass(frozen=True)
class Line:
    """A line of a file, with its number."""

    source: str
    number: int
    text: str
    fault: FormatError | None = None
    """What is wrong with its bytes."""

    @property
    def data(self) -> bytes:
        """Its text in UTF-8."""
        return f"{self.text}\n".encode(errors="surrogateescape")

    @property
    def words(self) -> int:
        """About how many words it has."""
        return self.text.count(" ") + 1

    def error(self, found: str, expected: str) -> FormatError:
        """An error that names this line."""
        return FormatError(self.source, self.number, found, expected)


def read_lines(source: Input, tolerant: bool = False) -> Iterator[Line]:
    """The lines of a file that are not blank; a file without one is an error.

    If tolerant, a line that is not UTF-8 has a fault; a file that breaks off is an error after its last line.
    """
    name, seen = name_of(source), False
    faults: list[FormatError] = []
    for number, text in lines(source, faults.append if tolerant else None):
        if text.strip():
            seen = True
            fault = next((fault for fault in faults if fault.line == number), None)
            faults[:] = [fault for fault in faults if fault.line is None]
            yield Line(name, number, text, fault)
    if faults:
        raise faults[0]
    if not seen:
        raise FormatError(name, None, "no sentence (the file is empty)", "at least one line of words")
