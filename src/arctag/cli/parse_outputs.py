"""Where parsed sentences go: one file, standard output, a folder with a file for each input, or pictures."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Protocol

from arctag import __version__
from arctag.cli.pictures import SUFFIXES, Pair, Pictures
from arctag.errors import ArctagError, InputError
from arctag.formats import FORMATS, format_of_name
from arctag.formats.files import open_output
from arctag.parse_tasks import JSON, Done, Part, Settings, Task, Worker, cut, make_tasks
from arctag.resumable import ResumableFile
from arctag.sources import Source

PICTURES = ("svg", "html", "text")
_ENDINGS = {".json": JSON, ".jsonl": JSON, **SUFFIXES}
_WORDS = 16_384  # of a task


class Listener(Protocol):
    """Who is told of trouble."""

    def passed_through(self, message: str) -> None: ...  # noqa: D102
    def warn(self, message: str) -> None: ...  # noqa: D102
    def fail(self, message: str) -> None: ...  # noqa: D102


@dataclass(frozen=True)
class Plan:
    """What is parsed, what is written, and where."""

    sources: list[Source]
    outputs: list[str]
    """A single one, or one for each source."""
    to: str
    folder: bool = False
    """Whether each source has an output of its own."""


def make_plan(found: list[tuple[Source, Path | None]], output: str, to: str | None) -> Plan:
    """Decide what is written where; beside each source, its place under the folder that was given, if one was."""
    sources = [source for source, _ in found]
    chosen = to or _kind_of_output(output, sources[0])
    folder = output.endswith(("/", os.sep)) or Path(output).is_dir()
    if chosen in PICTURES or not folder:
        return Plan(sources, [output], chosen)
    outputs = [str(Path(output) / _output_name(source, place, chosen)) for source, place in found]
    for i, path in enumerate(outputs):
        if path in outputs[:i]:
            other = sources[outputs.index(path)]
            raise InputError(f"{other.path} and {sources[i].path} would both be written to {path}")
    return Plan(sources, outputs, chosen, True)


def _kind_of_output(output: str, source: Source) -> str:
    own = "conllu" if source.made_here else source.kind
    if output == "-":
        return "text" if sys.stdout.isatty() else own
    return format_of_name(output) or _ENDINGS.get(Path(output.removesuffix(".gz")).suffix.lower(), own)


def _output_name(source: Source, place: Path | None, to: str) -> Path:
    """The input's own name with another ending."""
    path = place or Path("text" if source.path == "-" else Path(source.path).name)
    ending = ".jsonl" if to == JSON else FORMATS[to].SUFFIXES[0]
    return path.with_name(path.name.removesuffix(".gz")).with_suffix(ending)


def draw_pictures(plan: Plan, settings: Settings, trouble: Listener) -> None:
    """Parse everything and draw it."""
    pictures = Pictures(Path(plan.sources[0].path).name, plan.outputs[0])
    worker = Worker(settings)

    def pairs() -> Iterator[Pair]:
        for source in plan.sources:
            for part in cut(source.units(trouble.warn), source, 0, _WORDS):
                for _, sentences in worker.parsed([part], trouble.passed_through):
                    yield from ((sentence, None) for sentence in sentences)

    pictures.draw(pairs(), plan.to)


class Outputs:
    """The files of one run: cuts the sources into tasks, and writes what comes of them, in order."""

    def __init__(self, plan: Plan, settings: Settings, resume: bool, trouble: Listener) -> None:
        self.plan, self.settings, self.resume, self.trouble = plan, settings, resume, trouble
        self.open: dict[int, _Stream | ResumableFile] = {}
        self.failed: set[int] = set()
        self.header = "".join(f"{line}\n" for line in (getattr(FORMATS.get(plan.to), "HEADER", ""),) if line)

    def tasks(self) -> Iterator[Task]:
        """What is to be done, and not yet done before."""
        return make_tasks(self._parts(), _WORDS)

    def _parts(self) -> Iterator[Part]:
        skip = 0
        for i, source in enumerate(self.plan.sources):
            number = i if self.plan.folder else 0
            if self.resume and self.plan.folder and _is_newer(Path(self.plan.outputs[number]), source):
                continue
            try:
                if number not in self.open:
                    self.open[number] = self._opened(number)
                    skip = self.open[number].units
                units = source.units(self.trouble.warn)
                skip -= sum(1 for _ in islice(units, skip))
                yield from cut(units, source, number, _WORDS)
            except (ArctagError, OSError) as error:
                if not self.plan.folder:
                    raise
                self.failed.add(number)
                self.trouble.fail(str(error))

    def _opened(self, number: int) -> _Stream | ResumableFile:
        path = self.plan.outputs[number]
        if path == "-" or (Path(path).exists() and not Path(path).is_file()):
            return _Stream(path)
        if self.plan.folder:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
        sources = [self.plan.sources[number]] if self.plan.folder else self.plan.sources
        return ResumableFile(path, _key(sources, self.settings), self.resume)

    def write(self, done: Done) -> None:
        """Write what a task has made; the outputs before it are then complete."""
        for number, text, units in done.texts:
            self._finish(before=number)
            file = self.open[number]
            file.add(text if file.units else self.header + text, units)

    def _finish(self, before: int) -> None:
        for number in [number for number in self.open if number < before]:
            file = self.open.pop(number)
            if number in self.failed:
                file.give_up()
            else:
                file.finish()

    def __enter__(self) -> Outputs:
        return self

    def __exit__(self, kind: type[BaseException] | None, _: object, __: TracebackType | None) -> None:
        if kind is None:
            self._finish(before=len(self.plan.outputs))
        for file in self.open.values():
            file.close()


class _Stream:
    """Standard output, a pipe or a device: what is written is gone."""

    def __init__(self, path: str) -> None:
        self.stack = ExitStack()
        self.file = self.stack.enter_context(open_output(path))
        self.units = 0

    def add(self, text: str, units: int) -> None:
        self.units += units
        self.file.write(text)

    def close(self) -> None:
        self.stack.close()

    finish = give_up = close


def _is_newer(output: Path, source: Source) -> bool:
    """Whether a file is already there, and complete: a file appears only then."""
    path = Path(source.path)
    return output.is_file() and path.is_file() and output.stat().st_mtime >= path.stat().st_mtime


def _key(sources: list[Source], settings: Settings) -> str:
    """What must be the same for a run to be gone on with: the input, the model, the options."""
    files = [(s.path, *_state(Path(s.path)), s.kind, s.layout, s.given) for s in sources]
    model = (settings.model, *_state(Path(settings.model) / "config.json"))
    # the size of batches and the number of workers change nothing in what is written
    options = {k: v for k, v in asdict(settings.options).items() if k not in ("batch_tokens", "chunk")}
    value = json.dumps([__version__, files, model, options, settings.to])
    return hashlib.sha256(value.encode(errors="surrogateescape")).hexdigest()


def _state(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_size, found.st_mtime_ns
