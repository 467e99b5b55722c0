"""What every page of the report is made from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from harness.environment import machine_name
from harness.grid import Grid, Run, Treebank
from harness.store import CHOICES, ENERGY, LENGTHS, RUN, SPEED
from harness.summary import Key, Result, Summary, key_of_run


@dataclass(frozen=True)
class Context:
    """The grid and the results."""

    grid: Grid
    results: Sequence[Result]
    samples: int
    pictures: Path
    """The folder of pictures."""

    @cached_property
    def summary(self) -> Summary:
        """Training runs by cell."""
        return Summary.of((r for r in self.results if r["kind"] == RUN), self.samples)

    @cached_property
    def runs(self) -> list[Run]:
        """All training runs of the grid."""
        return self.grid.runs()

    @cached_property
    def wanted(self) -> set[Key]:
        """The cells that the grid asks for."""
        return {key_of_run(run) for run in self.runs}

    @cached_property
    def speeds(self) -> list[Result]:
        """Speeds of parsing."""
        return [r for r in self.results if r["kind"] == SPEED]

    @cached_property
    def lengths(self) -> list[Result]:
        """Time and memory by sentence length."""
        return [r for r in self.results if r["kind"] == LENGTHS]

    @cached_property
    def energies(self) -> list[Result]:
        """Joules an epoch."""
        return [r for r in self.results if r["kind"] == ENERGY]

    @cached_property
    def choices(self) -> list[Result]:
        """Thresholds and candidates that were tried."""
        return [r for r in self.results if r["kind"] == CHOICES]

    @property
    def baseline(self) -> str:
        """The first baseline parser."""
        return next((name for name, parser in self.grid.parsers.items() if parser.baseline), "")

    def groups(self) -> dict[str, list[str]]:
        """Treebanks by group, in the grid's order."""
        found: dict[str, list[str]] = {}
        for name, treebank in self.grid.treebanks.items():
            found.setdefault(treebank.group, []).append(name)
        return found

    def treebank(self, name: str) -> Treebank:
        """A treebank by its name."""
        return self.grid.treebanks[name]

    def key(self, treebank: str, parser: str, variant: str, encoder: str) -> Key:
        """A cell; a baseline's has no variant."""
        return Key(treebank, parser, "" if self.grid.parsers[parser].baseline else variant, encoder)

    def main_rows(self, treebanks: Sequence[str], variant: str, encoder: str) -> list[str]:
        """The parsers of a main table: those that the grid runs on one of its treebanks."""
        return [
            parser
            for parser in self.grid.main_parsers
            if any(self.key(treebank, parser, variant, encoder) in self.wanted for treebank in treebanks)
        ]

    def main_columns(self, treebanks: Iterable[str], variant: str, encoder: str) -> list[str]:
        """The treebanks of a main table: those on which the grid runs one of its parsers."""
        return [
            treebank
            for treebank in treebanks
            if any(
                self.key(treebank, parser, variant, encoder) in self.wanted
                for parser in self.grid.main_parsers
                if not self.grid.parsers[parser].baseline
            )
        ]

    def command(self, variant: str, encoder: str) -> str:
        """What runs a table's cells."""
        patterns = [
            f"'*--{variant}--{encoder}--*'",
            *([f"'*--{self.baseline}--{encoder}--*'"] if self.baseline else []),
        ]
        return f"python experiments/run.py --only {' '.join(patterns)}{self.with_encoder(encoder)}"

    def with_encoder(self, *encoders: str) -> str:
        """The option that says where pretrained encoders are."""
        names = [f"{name}=FOLDER" for name in encoders if not self.grid.encoders[name].encoder]
        return f" --encoders {' '.join(names)}" if names else ""

    def machines(self, results: Iterable[Result]) -> list[str]:
        """The machines that made some results."""
        return sorted({machine_name(result["environment"]) for result in results})

    def short(self, parser: str) -> str:
        """A parser's name in a table: ours, and the paper's."""
        known = self.grid.parsers[parser]
        return f"{parser} ({known.short})" if known.short != parser else parser

    def row_name(self, key: Key) -> str:
        """A parser with its variant."""
        parts = [self.short(key.parser)]
        if key.variant:
            parts.append(self.grid.variants[key.variant].title)
        parts += [f"{name} = {value}" for name, value in key.overrides]
        return ", ".join(parts)
