"""Progress bars: in notebooks, on terminals, or nowhere."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import Protocol, TypeVar

T = TypeVar("T")


class Bar(Protocol):
    """A bar that is open; `close` removes it or leaves its last state, as is usual where it is shown."""

    def update(
        self,
        *,
        done: float | None = None,
        total: float | None = None,
        label: str | None = None,
        status: str | None = None,
    ) -> None:
        """Show what is given; the rest stays as it was."""

    def close(self) -> None:
        """Show nothing more."""


def open_bar(label: str, total: float | None = None, shown: bool | None = None) -> Bar:
    """A bar, to be closed: in a notebook and, if `shown`, on a terminal; if not `shown`, or elsewhere, nowhere."""
    if shown is not False and in_notebook():
        from arctag.progress.notebook import NotebookBar

        return NotebookBar(label, total)
    if shown and sys.stderr.isatty():
        from arctag.progress.terminal import TerminalBar

        return TerminalBar(label, total)
    return _Nowhere()


def track(items: Iterable[T], label: str, total: int | None = None, shown: bool | None = None) -> Iterator[T]:
    """Pass the items on, and show how many there were."""
    bar = open_bar(label, total, shown)
    try:
        for number, item in enumerate(items, 1):
            yield item
            bar.update(done=number)
    finally:
        bar.close()


def in_notebook() -> bool:
    """Whether this is the kernel of a notebook: Jupyter, VS Code, Colab. Nothing is imported to find out."""
    shell = sys.modules.get("IPython")
    return shell is not None and getattr(shell.get_ipython(), "kernel", None) is not None


class _Nowhere:
    def update(self, **_: object) -> None:
        """Nothing is shown."""

    def close(self) -> None:
        """There is nothing to close."""
