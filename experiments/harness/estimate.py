"""How long a run will take: from the size of its training file, and from finished runs on this machine."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from statistics import median
from typing import Any

from harness.environment import machine_name
from harness.grid import Grid, Run, find_file

_COMPRESSION = 5.5  # by gzip, mean of the treebanks


def work(grid: Grid, run: Run, data: Path) -> float:
    """Megabytes of training file times epochs; 0 where the file is missing."""
    path = find_file(data, grid.treebanks[run.treebank].train)
    if path is None:
        return 0.0
    size = path.stat().st_size * (_COMPRESSION if path.suffix == ".gz" else 1) / 1e6
    return round(size * float(run.keys.get("epochs", 50)), 3)


class Estimates:
    """Seconds a run takes: as measured, or else as the grid estimates."""

    def __init__(self, grid: Grid, data: Path, machine: str, parallel: int) -> None:
        self.grid, self.data, self.machine, self.parallel = grid, data, machine, parallel
        self.rates: dict[tuple[str, str], list[float]] = {}
        self.work: dict[str, float] = {}

    def learn(self, results: Iterable[dict[str, Any]]) -> None:
        """Use results of this machine with the same number of runs at a time; others are ignored."""
        for result in results:
            spent = result.get("seconds", {})
            same = machine_name(result["environment"]) == self.machine and result.get("parallel") == self.parallel
            if same and spent.get("work") and result["treebank"] in self.grid.treebanks:
                rate = max(spent["total"] - self.grid.startup_seconds, 0.0) / spent["work"]
                self.rates.setdefault(self._kind(result["treebank"], result["encoder"]), []).append(rate)

    def _kind(self, treebank: str, encoder: str) -> tuple[str, str]:
        return encoder, self.grid.treebanks[treebank].size

    def seconds(self, run: Run) -> float:
        """The whole run."""
        known = self.rates.get(self._kind(run.treebank, run.encoder))
        rate = median(known) if known else run.rate
        if run.id not in self.work:
            self.work[run.id] = work(self.grid, run, self.data)
        return self.grid.startup_seconds + rate * self.work[run.id]
