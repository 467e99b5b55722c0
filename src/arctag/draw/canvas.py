"""A sheet of character cells on which lines that meet become the right box-drawing character."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from arctag.draw.measure import cells

UP, DOWN, LEFT, RIGHT = 1, 2, 4, 8
_HORIZONTAL, _VERTICAL = LEFT | RIGHT, UP | DOWN
_RESET = "\x1b[0m"

LINE_STYLES = 4  # single, dashed, heavy, double
_STRAIGHT = (("─", "│"), ("┄", "┆"), ("━", "┃"), ("═", "║"))
_CORNERS = ("╭╮╰╯", "╭╮╰╯", "┏┓┗┛", "╔╗╚╝")
_JUNCTIONS = {
    DOWN | RIGHT | UP: "├",
    DOWN | LEFT | UP: "┤",
    DOWN | LEFT | RIGHT: "┬",
    UP | LEFT | RIGHT: "┴",
    UP | DOWN | LEFT | RIGHT: "┼",
}
_ASCII_STRAIGHT = (("-", "|"), (".", ":"), ("=", "!"), ("~", "|"))


class Pen(NamedTuple):
    """How a line or a text is drawn."""

    style: int = 0
    colour: str = ""
    """The ANSI escape sequence, or nothing."""


@dataclass
class _Cell:
    mask: int = 0
    pen: Pen = field(default_factory=Pen)
    text: str | None = None
    """What is written here; '' where the left neighbour is two columns wide."""


class Canvas:
    """Rows of cells, each as long as what was drawn in it."""

    def __init__(self, height: int, ascii_only: bool = False) -> None:
        self._rows: list[dict[int, _Cell]] = [{} for _ in range(height)]
        self._ascii_only = ascii_only

    def horizontal(self, row: int, start: int, end: int, pen: Pen) -> None:
        """A line along a row, from the middle of one cell to that of another."""
        start, end = min(start, end), max(start, end)
        for column in range(start, end + 1):
            self._add(row, column, (column > start) * LEFT | (column < end) * RIGHT, pen)

    def vertical(self, column: int, top: int, bottom: int, pen: Pen) -> None:
        """A line down a column, from the middle of one cell to that of another."""
        for row in range(top, bottom + 1):
            self._add(row, column, (row > top) * UP | (row < bottom) * DOWN, pen)

    def write(self, row: int, column: int, text: str, pen: Pen = Pen()) -> None:  # noqa: B008  # immutable
        """Text over what is there; a combining mark shares the cell of its letter."""
        waiting = ""
        last: _Cell | None = None
        for char in text:
            width = cells(char)
            if width == 0 and last is not None:
                last.text = (last.text or "") + char
            elif width == 0:
                waiting += char
            else:
                last = self._rows[row][column] = _Cell(pen=pen, text=waiting + char)
                if width == 2:
                    self._rows[row][column + 1] = _Cell(pen=pen, text="")
                waiting, column = "", column + width

    def line(self, row: int) -> str:
        """The row as text, without blanks at its end."""
        return self.row(row)[0]

    def lines(self) -> Iterator[str]:
        """All rows."""
        return map(self.line, range(len(self._rows)))

    def row(self, row: int) -> tuple[str, int]:
        """The row as text and the number of its columns."""
        return self._painted(self._rows[row])

    def below(self, row: int) -> tuple[str, int]:
        """The same for what would stand between a row and the next: only the lines that run down through it."""
        passing = {column: _Cell(_VERTICAL, cell.pen) for column, cell in self._rows[row].items() if cell.mask & DOWN}
        return self._painted(passing)

    def _add(self, row: int, column: int, mask: int, pen: Pen) -> None:
        cell = self._rows[row].setdefault(column, _Cell(pen=pen))
        if cell.mask and cell.pen.style != pen.style:
            pen = Pen(0, pen.colour)  # where two styles meet, the plain junction
        cell.mask, cell.pen = cell.mask | mask, pen

    def _painted(self, row: dict[int, _Cell]) -> tuple[str, int]:
        parts: list[str] = []
        colour = ""
        width = max(row, default=-1) + 1
        for column in range(width):
            cell = row.get(column)
            wanted = cell.pen.colour if cell else ""
            if wanted != colour:
                parts.append(_RESET * bool(colour) + wanted)
                colour = wanted
            parts.append(self._glyph(cell) if cell else " ")
        return "".join([*parts, _RESET * bool(colour)]), width

    def _glyph(self, cell: _Cell) -> str:
        if cell.text is not None:
            return cell.text
        if self._ascii_only:
            return _ascii_glyph(cell.mask, cell.pen.style)
        return _glyph(cell.mask, cell.pen.style)


def _glyph(mask: int, style: int) -> str:
    if mask in _JUNCTIONS:
        return _JUNCTIONS[mask]
    if not mask & _VERTICAL:
        return _STRAIGHT[style][0] if mask else " "
    if not mask & _HORIZONTAL:
        return _STRAIGHT[style][1]
    return _CORNERS[style][2 * bool(mask & UP) + bool(mask & LEFT)]


def _ascii_glyph(mask: int, style: int) -> str:
    if not mask & _VERTICAL:
        return _ASCII_STRAIGHT[style][0] if mask else " "
    if not mask & _HORIZONTAL:
        return _ASCII_STRAIGHT[style][1]
    return "+"
