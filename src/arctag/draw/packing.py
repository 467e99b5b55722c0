"""Filling lines of a given width with parts of text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from arctag.draw.measure import cells


@dataclass(frozen=True)
class Part:
    """A text that stays on one line if it fits."""

    text: str
    colour: str = ""
    """The ANSI escape sequence, or nothing."""

    def painted(self) -> str:
        """The text with its colour."""
        return f"{self.colour}{self.text}\x1b[0m" if self.colour else self.text

    def split(self, width: int) -> Iterator[Part]:
        """Parts of at most `width` columns (one letter may be wider)."""
        text = ""
        for char in self.text:
            if text and cells(text) + cells(char) > width:
                yield Part(text, self.colour)
                text = ""
            text += char
        yield Part(text, self.colour)


def packed(parts: Iterable[Part], width: int, gap: int, indent: int = 0) -> Iterator[str]:
    """The parts in as few lines as they need, `gap` blanks apart; all lines but the first are indented."""
    line, used, fresh = "", 0, True
    for part in chain.from_iterable(whole.split(max(2, width - indent)) for whole in parts):
        size = cells(part.text)
        if not fresh and used + gap + size > width:
            yield line
            line, used, fresh = " " * indent, indent, True
        space = 0 if fresh else gap
        line, used, fresh = line + " " * space + part.painted(), used + space + size, False
    if not fresh:
        yield line
