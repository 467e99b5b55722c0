"""The grid and the results, as the pages of the report need them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from harness.environment import machine_name
from harness.grid import Encoder, Grid, Run, Treebank
from harness.store import RUN, Result
from harness.summary import Key, Summary, key_of_run


@dataclass(frozen=True)
class Context:
    """The grid and the results."""

    grid: Grid
    results: Sequence[Result]
    samples: int
    """Of the bootstrap."""
    folder: Path
    """Where pictures are written."""

    def of_kind(self, kind: str) -> list[Result]:
        """The results of a kind, by name."""
        return [result for result in self.results if result["kind"] == kind]

    @cached_property
    def summary(self) -> Summary:
        """Training runs by cell."""
        return Summary.of(self.of_kind(RUN), self.samples)

    @cached_property
    def runs(self) -> list[Run]:
        """All training runs of the grid."""
        return self.grid.runs()

    @cached_property
    def wanted(self) -> set[Key]:
        """The cells of the grid."""
        return {key_of_run(run) for run in self.runs}

    @property
    def baseline(self) -> str:
        """The first baseline parser."""
        return next((name for name, parser in self.grid.parsers.items() if parser.baseline), "")

    def baseline_key(self, key: Key) -> Key:
        """The baseline's cell with the treebank and encoder of another."""
        return key._replace(parser=self.baseline, variant="", overrides=())

    def groups(self) -> dict[str, list[str]]:
        """Treebanks by group, in the order of the grid."""
        groups: dict[str, list[str]] = {}
        for name, treebank in self.grid.treebanks.items():
            groups.setdefault(treebank.group, []).append(name)
        return groups

    def treebank(self, name: str) -> Treebank:
        """A treebank by its name."""
        return self.grid.treebanks[name]

    def treebanks_of(self, keys: Iterable[Key]) -> list[str]:
        """The treebanks of some cells, in the order of the grid."""
        names = {key.treebank for key in keys}
        return [name for name in self.grid.treebanks if name in names]

    def encoder(self, name: str) -> Encoder:
        """An encoder by its name."""
        return self.grid.encoders[name]

    def key(self, treebank: str, parser: str, variant: str, encoder: str) -> Key:
        """A cell; a baseline's has no variant."""
        return Key(treebank, parser, "" if self.grid.parsers[parser].baseline else variant, encoder)

    def main_rows(self, treebanks: Sequence[str], variant: str, encoder: str) -> list[str]:
        """The parsers of a main table: those that the grid trains on one of its treebanks."""
        return [
            parser
            for parser in self.grid.main_parsers
            if any(self.key(treebank, parser, variant, encoder) in self.wanted for treebank in treebanks)
        ]

    def main_columns(self, treebanks: Iterable[str], variant: str, encoder: str) -> list[str]:
        """The treebanks of a main table: those on which the grid trains one of its parsers."""
        return [
            treebank
            for treebank in treebanks
            if any(
                self.key(treebank, parser, variant, encoder) in self.wanted
                for parser in self.grid.main_parsers
                if not self.grid.parsers[parser].baseline
            )
        ]

    def sort_key(self, key: Key) -> tuple[Any, ...]:
        """The order of rows: that of the grid's parsers, then of its variants."""
        parsers, variants = list(self.grid.parsers), ["", *self.grid.variants]
        return parsers.index(key.parser), variants.index(key.variant), str(key.overrides)

    def rows(self, keys: Iterable[Key]) -> list[Key]:
        """The rows of a table with treebanks as columns: the cells without their treebank, in order."""
        return sorted({key._replace(treebank="") for key in keys}, key=self.sort_key)

    def command(self, patterns: Iterable[str], *encoders: str) -> str:
        """The command that trains what matches."""
        return f"python experiments/run.py --only {' '.join(patterns)}{self.encoder_option(*encoders)}"

    def main_command(self, variant: str, encoder: str) -> str:
        """The command that trains the cells of a main table."""
        names = [variant, *([self.baseline] if self.baseline else [])]
        return self.command([f"'*--{name}--{encoder}--*'" for name in names], encoder)

    def encoder_option(self, *encoders: str) -> str:
        """The option with the folders of pretrained encoders, where a command needs it."""
        names = [f"{name}=FOLDER" for name in encoders if not self.encoder(name).encoder]
        return f" --encoders {' '.join(names)}" if names else ""

    def by_machine(self, results: Iterable[Result]) -> dict[str, list[Result]]:
        """Results by the name of their machine."""
        machines: dict[str, list[Result]] = {}
        for result in results:
            machines.setdefault(machine_name(result["environment"]), []).append(result)
        return dict(sorted(machines.items()))

    def short(self, parser: str) -> str:
        """A parser's name in a table: ours, and that of the paper."""
        short = self.grid.parsers[parser].short
        return f"{parser} ({short})" if short != parser else parser

    def row_name(self, key: Key) -> str:
        """A parser with its variant."""
        parts = [self.short(key.parser)]
        if key.variant:
            parts.append(self.grid.variants[key.variant].title)
        parts += [f"{name} = {value}" for name, value in key.overrides]
        return ", ".join(parts)
