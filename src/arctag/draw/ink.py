"""Which line style and colour an arc has in the terminal."""

from __future__ import annotations

from dataclasses import dataclass

from arctag.draw.canvas import LINE_STYLES, Canvas, Pen
from arctag.draw.compared import CORRECT, EXTRA, MISSING, RELABELLED
from arctag.draw.edges import PLAIN, Edge
from arctag.draw.scene import FURTHER, SHARED

# blue, red, green as in the other pictures, then magenta, yellow, cyan, white; the bright ones, for dark terminals
_PLANE_COLOURS = (94, 91, 92, 95, 93, 96, 97)
_KIND_STYLES = {CORRECT: 0, MISSING: 1, EXTRA: 2, RELABELLED: 3, SHARED: 0, FURTHER: 2}
_KIND_COLOURS = {CORRECT: 0, MISSING: 91, EXTRA: 94, RELABELLED: 95, SHARED: 0, FURTHER: 91}


@dataclass(frozen=True)
class Ink:
    """The choice of pens for a terminal with or without colours and box-drawing characters."""

    colour: bool
    ascii_only: bool

    def pen(self, edge: Edge) -> Pen:
        """The pen that draws an arc."""
        if edge.kind == PLAIN:
            code, style = _PLANE_COLOURS[edge.plane % len(_PLANE_COLOURS)], edge.plane % LINE_STYLES
        else:
            code, style = _KIND_COLOURS[edge.kind], _KIND_STYLES[edge.kind]
        return Pen(style, f"\x1b[{code}m" if self.colour and code else "")

    def label(self, edge: Edge) -> str:
        """The label; with blanks around one that begins with a sign, which would look like part of a line."""
        return edge.label if edge.kind in (PLAIN, CORRECT, SHARED, FURTHER) else f" {edge.label} "

    def sample(self, edge: Edge) -> str:
        """A short line, without its colour."""
        canvas = Canvas(1, self.ascii_only)
        canvas.horizontal(0, 0, 2, Pen(self.pen(edge).style))
        return canvas.line(0)

    @property
    def down_tip(self) -> str:
        """The arrowhead above a word."""
        return "v" if self.ascii_only else "▼"

    @property
    def right_tip(self) -> str:
        """The arrowhead before a word."""
        return ">" if self.ascii_only else "▶"

    @property
    def from_head(self) -> str:
        """What stands before a relation and its head."""
        return "<-" if self.ascii_only else "←"
