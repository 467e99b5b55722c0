"""Progress bars: in a notebook, on a terminal, or nowhere."""

from __future__ import annotations

import io
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from arctag.progress import in_notebook, notebook, open_bar, track
from arctag.training.events import Evaluated, Finished, Labelled, Started, Stepped
from arctag.training.shown import EventBar


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What a notebook would show, in place of one."""
    states: list[str] = []

    def display(html: str, display_id: bool) -> Any:
        assert display_id
        states.append(html)
        return SimpleNamespace(update=states.append)

    kernel, module, inner = SimpleNamespace(kernel=object()), ModuleType("IPython"), ModuleType("IPython.display")
    module.get_ipython = lambda: kernel  # type: ignore[attr-defined]
    inner.HTML, inner.display = str, display  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "IPython", module)
    monkeypatch.setitem(sys.modules, "IPython.display", inner)
    monkeypatch.setattr(notebook, "_DELAY", 0.0)
    monkeypatch.setattr(notebook, "_INTERVAL", 0.0)
    return states


def test_progress_in_a_notebook_moves_a_bar(shown: list[str]) -> None:
    assert in_notebook()
    assert list(track("abc", "<reading>", 3)) == ["a", "b", "c"]
    assert [state.partition("&gt;: ")[2].partition("<")[0] for state in shown] == [
        "1 of 3",
        "2 of 3",
        "3 of 3",
        "3 of 3",
    ]
    assert 'value="3" max="3"' in shown[-1]
    assert "<reading>" not in shown[-1]


def test_progress_of_unknown_length_has_no_end(shown: list[str]) -> None:
    list(track("ab", "reading"))
    assert "max=" not in shown[-1]
    assert "reading: 2<" in shown[-1]


def test_progress_is_not_shown_for_what_is_quick(shown: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notebook, "_DELAY", 1e9)
    assert list(track("abc", "reading")) == ["a", "b", "c"]
    assert shown == []


def test_progress_can_be_switched_off(shown: list[str]) -> None:
    list(track("abc", "reading", shown=False))
    assert shown == []


def test_progress_of_a_training_run(shown: list[str]) -> None:
    bar = EventBar(open_bar("reading"))
    bar.on(Labelled("teacher", 1200))
    assert "labelling: 0 · 1,200 words" in shown[-1]
    bar.on(Started(10, 100, {}, 5, "cpu", steps=4, epochs=2, resumed=0))
    bar.on(Stepped(1, 3, 0.5, 90))
    assert "epoch 1: 3 of 8 · loss 0.500" in shown[-1]
    bar.on(Evaluated(1, 0.5, {"graph.LF": 81.2, "graph.UF": 90.0}, True, 1.0, 100.0))
    assert "graph 81.20<" in shown[-1]
    bar.on(Finished(None, {"dev": {"graph.LF": 81.2, "epoch": 1}}))  # type: ignore[arg-type]
    assert "trained: 3 of 8 · best: epoch 1  graph 81.20" in shown[-1]


def test_progress_on_a_terminal_is_shown_if_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = io.StringIO()
    terminal.isatty = lambda: True  # type: ignore[method-assign]
    monkeypatch.setattr(sys, "stderr", terminal)
    list(track("abc", "reading", 3))
    assert terminal.getvalue() == ""
    list(track("abc", "reading", 3, shown=True))
    assert "reading" in terminal.getvalue()


def test_progress_without_a_notebook_shows_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    assert not in_notebook()
    assert list(track("abc", "reading", shown=True)) == ["a", "b", "c"]
    assert capfd.readouterr() == ("", "")


def test_progress_stops_with_its_reader(shown: list[str]) -> None:
    items = track("abc", "reading")
    next(items)
    items.close()  # type: ignore[attr-defined]
    assert "reading: 0<" not in "".join(shown[1:])
