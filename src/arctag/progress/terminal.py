"""A progress bar on a terminal, on standard error."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn


class TerminalBar:
    """See `Bar`. It disappears when it is closed; lines that are printed meanwhile stand above it."""

    def __init__(self, label: str, total: float | None = None) -> None:
        columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(),
                   TextColumn("{task.fields[status]}"), TimeRemainingColumn())  # fmt: skip
        self._progress = Progress(*columns, console=Console(stderr=True), transient=True)
        self._progress.start()
        self._task = self._progress.add_task(label, total=total, status="")

    def update(
        self,
        *,
        done: float | None = None,
        total: float | None = None,
        label: str | None = None,
        status: str | None = None,
    ) -> None:
        """Show what is given."""
        self._progress.update(self._task, completed=done, total=total, description=label)
        if status is not None:
            self._progress.update(self._task, status=status)

    def close(self) -> None:
        """Remove it."""
        self._progress.stop()
