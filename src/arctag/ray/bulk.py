"""`arctag bulk` without its command line: sources are cut into shards, a pool of actors parses and writes them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol

import ray

from arctag.errors import InputError
from arctag.parsing.inputs import Remaining, read_chunks
from arctag.parsing.inputs import Reporter as InputReporter
from arctag.parsing.jobs import Settings
from arctag.parsing.outputs import run_key
from arctag.parsing.sources import Source
from arctag.ray.folder import Folder
from arctag.ray.pool import Pool
from arctag.ray.shards import DIFFERENT_COLUMNS, WORDS, Done, Shard, ShardWorker, cut
from arctag.ray.sizes import Sizes


@dataclass(frozen=True)
class Actors:
    """How many there are, and what each of them takes."""

    count: int
    cpus: float = 1
    gpus: float = 0


@dataclass
class Totals:
    """What came of a run so far."""

    found: int
    """Shards that an earlier run had parsed."""
    all_bytes: float | None
    """About how much the inputs are; None if that is unknown."""
    documents: int = 0
    sentences: int = 0
    words: int = 0
    errors: int = 0
    lost: Counter[str] = field(default_factory=Counter)
    """What the format has no room for."""
    shards: int = 0
    """How many were parsed now."""
    given_up: int = 0
    """Shards that no actor survived."""
    lost_actors: int = 0
    size: float = 0.0
    """About how many bytes of the inputs were parsed now."""
    found_size: float = 0.0
    """About how many an earlier run had parsed."""
    started: float = 0.0
    """When the first actor was ready."""
    complete: bool = False
    """Whether all shards are there."""

    def add(self, done: Done) -> None:
        """Add what came of a shard."""
        if done.fault:
            self.given_up += 1
            return
        self.shards += 1
        self.documents += done.documents
        self.sentences += done.sentences
        self.words += done.words
        self.size += done.size
        self.errors += len(done.messages)
        self.lost.update(done.lost)

    @property
    def seconds(self) -> float:
        """Since the first actor was ready."""
        return perf_counter() - self.started if self.started else 0.0

    @property
    def rest(self) -> float | None:
        """About how many seconds the rest takes; None if that is unknown."""
        if self.all_bytes is None or not self.size:
            return None
        return max(0.0, self.all_bytes - self.size - self.found_size) * self.seconds / self.size


class Reporter(InputReporter, Protocol):
    """What a run is reported to."""

    def count(self, done: Done, totals: Totals) -> None:
        """What came of a shard, and of all so far."""


@dataclass(frozen=True)
class Bulk:
    """Sources that are parsed into a folder of shards."""

    sources: Sequence[Source]
    settings: Settings
    output: str
    """The folder, or its address."""
    shard_words: int = WORDS

    @cached_property
    def folder(self) -> Folder:
        """The folder of shards; its key tells it from those of other runs."""
        key = f"{run_key(self.sources, self.settings)} {self.shard_words}"
        # other processes have other working folders
        path = self.output if "://" in self.output else str(Path(self.output).absolute())
        return Folder(path, self.settings.to, sha256(key.encode()).hexdigest())

    @cached_property
    def sizes(self) -> Sizes:
        """How much the sources are."""
        return Sizes(self.sources)

    def run(self, actors: Actors, reporter: Reporter, on_idle: Callable[[], None] = lambda: None) -> Totals:
        """Parse what is not there yet. The folder has been begun, and Ray is connected.

        `on_idle` is called about once a second.
        """
        there = self.folder.shards()
        totals = Totals(len(there), self.sizes.total)
        count = 0

        def missing() -> Iterator[Shard]:
            nonlocal count
            totals.started = perf_counter()
            for shard in self._shards(reporter):
                count = shard.number + 1
                if shard.number in there:
                    totals.found_size += shard.size
                else:
                    yield shard

        pool = Pool(lambda: self._actor(actors), actors.count, on_idle)
        header = b""
        for done in pool.run(missing()):
            header = header or done.header
            if done.header and done.header != header:
                raise InputError(DIFFERENT_COLUMNS)
            totals.add(done)
            totals.lost_actors = pool.lost
            reporter.count(done, totals)
        if not totals.given_up:
            self.folder.finish(count)
            totals.complete = True
        return totals

    def _shards(self, reporter: Reporter) -> Iterator[Shard]:
        everything = Remaining(0, self.output, self.sources)
        chunks = read_chunks([everything], reporter, strict=len(self.sources) == 1)
        return cut(chunks, self.shard_words, self.sizes.of)

    def _actor(self, actors: Actors) -> object:
        """A new actor, which loads the model. What it does is repeated by the pool, not by Ray."""
        options = {"num_cpus": actors.cpus, "num_gpus": actors.gpus, "max_restarts": 0, "max_task_retries": 0}
        remote: Any = ray.remote(ShardWorker)
        return remote.options(**options).remote(self.settings, self.folder, len(self.sources) == 1)
