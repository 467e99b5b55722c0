"""`arctag bulk` without its command line: sources are cut into shards, a pool of actors parses and writes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from time import perf_counter

import ray

from arctag.errors import InputError
from arctag.parsing.inputs import Remaining, Reporter, read_chunks
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
class Totals(Done):
    """What came of a run so far."""

    shards: int = 0
    """How many were parsed now."""
    found: int = 0
    """How many an earlier run had parsed."""
    errors: int = 0
    given_up: int = 0
    """Shards that no actor survived."""
    complete: bool = False
    """Whether all shards are there."""
    lost_actors: int = 0
    all_bytes: float | None = None
    """About how much the inputs are; None if that is unknown."""
    bytes_found: float = 0.0
    """About how much of them an earlier run had parsed."""
    started: float = field(default_factory=perf_counter)
    first: float = 0.0
    """When the first actor was given something."""

    def add(self, done: Done) -> None:
        """Add what came of a shard."""
        self.shards += 1
        self.documents += done.documents
        self.sentences += done.sentences
        self.words += done.words
        self.bytes += done.bytes
        self.changes += done.changes
        self.errors += len(done.messages)
        self.lost.update(done.lost)

    @property
    def seconds(self) -> float:
        """Since the first actor was given something."""
        return perf_counter() - (self.first or perf_counter())

    @property
    def rest(self) -> float | None:
        """About how many seconds the rest takes; None if that is unknown."""
        if self.all_bytes is None or not self.bytes:
            return None
        return max(0.0, self.all_bytes - self.bytes - self.bytes_found) * self.seconds / self.bytes


def run_folder(sources: Sequence[Source], settings: Settings, output: str, shard_words: int = WORDS) -> Folder:
    """The output of a run: its key tells it from those of others."""
    if "://" not in output:
        output = str(Path(output).absolute())  # other processes have other working folders
    key = sha256(f"{run_key(sources, settings)} {shard_words} {settings.main}".encode()).hexdigest()
    return Folder(output, settings.to, key)


def run(
    sources: Sequence[Source],
    settings: Settings,
    folder: Folder,
    sizes: Sizes,
    actors: Actors,
    reporter: Reporter,
    on_done: Callable[[Done, Totals], None],
    shard_words: int = WORDS,
    on_idle: Callable[[], None] = lambda: None,
) -> Totals:
    """Parse what is not there yet; the folder has been begun, and Ray is connected."""
    there = folder.shards()
    totals = Totals(found=len(there), all_bytes=sizes.total)
    count = 0

    def missing() -> Iterator[Shard]:
        nonlocal count
        chunks = read_chunks([Remaining(0, folder.path, sources)], reporter, strict=len(sources) == 1)
        totals.first = perf_counter()
        for shard in cut(chunks, shard_words, sizes.of):
            count = shard.number + 1
            if shard.number in there:
                totals.bytes_found += shard.bytes
            else:
                yield shard

    pool = Pool(lambda: _started(settings, folder, actors, len(sources) == 1), actors.count, on_idle)
    header = b""
    for done in pool.run(missing()):
        totals.lost_actors = pool.lost
        if done.fault:
            totals.given_up += 1
        else:
            header = header or done.header
            if done.header and done.header != header:
                raise InputError(DIFFERENT_COLUMNS)
            totals.add(done)
        on_done(done, totals)
    if not totals.given_up:
        folder.finish(count)
        totals.complete = True
    return totals


def _started(settings: Settings, folder: Folder, actors: Actors, alone: bool) -> object:
    """A new actor, which loads the model."""
    remote = ray.remote(num_cpus=actors.cpus, num_gpus=actors.gpus, max_restarts=0, max_task_retries=0)(ShardWorker)
    return remote.remote(settings, folder, alone)

