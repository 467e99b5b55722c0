from __future__ import annotations

from arctag.draw.canvas import Canvas, Pen


def test_canvas_joins_lines_that_meet() -> None:
    canvas = Canvas(3)
    canvas.horizontal(1, 0, 4, Pen())
    canvas.vertical(2, 0, 2, Pen())
    canvas.vertical(0, 1, 2, Pen())
    canvas.vertical(4, 0, 1, Pen())
    assert list(canvas.lines()) == ["  │ │", "╭─┼─╯", "│ │"]


def test_canvas_draws_each_style_and_the_plain_junction_between_them() -> None:
    canvas = Canvas(2)
    canvas.horizontal(0, 0, 2, Pen(1))
    canvas.horizontal(1, 0, 2, Pen(2))
    canvas.vertical(1, 0, 1, Pen(3))
    assert list(canvas.lines()) == ["┄┬┄", "━┴━"]


def test_canvas_write_keeps_marks_with_their_letter() -> None:
    canvas = Canvas(1)
    canvas.write(0, 1, "\u200e图e\u0301")
    canvas.write(0, 5, "x")
    assert canvas.line(0) == " \u200e图e\u0301 x"


def test_canvas_colours_runs_and_resets() -> None:
    canvas = Canvas(1)
    canvas.horizontal(0, 0, 1, Pen(0, "\x1b[94m"))
    canvas.write(0, 3, "a")
    assert canvas.line(0) == "\x1b[94m──\x1b[0m a"


def test_canvas_below_continues_only_what_runs_down() -> None:
    canvas = Canvas(2)
    canvas.vertical(0, 0, 1, Pen())
    canvas.horizontal(0, 0, 3, Pen())
    assert canvas.below(0) == ("│", 1)
    assert canvas.below(1) == ("", 0)
