"""Filling lines of a given width with pieces of text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from arctag.draw.measure import cells


@dataclass(frozen=True)
class Part:
    """A piece of text that stays on one line if it can."""

    text: str
    colour: str = ""
    """The ANSI escape sequence, or nothing."""

    def painted(self) -> str:
        """The text with its colour."""
        return f"{self.colour}{self.text}\x1b[0m" if self.colour else self.text

    def split(self, width: int) -> Iterator[Part]:
        """Parts of at most `width` columns (one letter may be wider)."""
        piece = ""
        for char in self.text:
            if piece and cells(piece) + cells(char) > width:
                yield Part(piece, self.colour)
                piece = ""
            piece += char
        yield Part(piece, self.colour)


def packed(parts: Iterable[Part], width: int, gap: int, indent: int = 0) -> Iterator[str]:
    """The parts in as few lines as they need, `gap` blanks apart; all lines but the first are indented."""
    line, used, fresh = "", 0, True
    for piece in chain.from_iterable(part.split(max(2, width - indent)) for part in parts):
        size = cells(piece.text)
        if not fresh and used + gap + size > width:
            yield line
            line, used, fresh = " " * indent, indent, True
        space = 0 if fresh else gap
        line, used, fresh = line + " " * space + piece.painted(), used + space + size, False
    if not fresh:
        yield line
