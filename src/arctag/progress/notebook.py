"""A progress bar in a notebook: plain HTML that is replaced now and then, without widgets."""

from __future__ import annotations

from html import escape
from time import perf_counter
from typing import Any

_DELAY = 0.5  # seconds: what is done sooner shows no bar
_INTERVAL = 0.2  # seconds between two states


class NotebookBar:
    """See `Bar`. It appears after half a second, and its last state stays."""

    def __init__(self, label: str, total: float | None = None) -> None:
        self.label, self.total, self.done, self.status = label, total, 0.0, ""
        self._next = perf_counter() + _DELAY
        self._handle: Any = None

    def update(
        self,
        *,
        done: float | None = None,
        total: float | None = None,
        label: str | None = None,
        status: str | None = None,
    ) -> None:
        """Show what is given."""
        self.done = self.done if done is None else done
        self.total = self.total if total is None else total
        self.label = self.label if label is None else label
        self.status = self.status if status is None else status
        if perf_counter() >= self._next:
            self._show()

    def close(self) -> None:
        """Show the last state, if the bar has appeared."""
        if self._handle is not None:
            self._show()

    def _show(self) -> None:
        from IPython.display import HTML, display

        if self._handle is None:
            self._handle = display(HTML(self.html), display_id=True)
        else:
            self._handle.update(HTML(self.html))
        self._next = perf_counter() + _INTERVAL

    @property
    def html(self) -> str:
        """The bar as it stands."""
        value = f' value="{self.done:g}" max="{self.total:g}"' if self.total else ""
        count = f"{self.done:,.0f} of {self.total:,.0f}" if self.total else f"{self.done:,.0f}"
        return (
            f'<div><progress aria-label="{escape(self.label)}"{value} style="vertical-align: middle"></progress> '
            f"{escape(self.label)}: {count}{escape(f' · {self.status}' if self.status else '')}</div>"
        )
