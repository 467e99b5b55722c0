"""Where parsed sentences go: one file, standard output, a folder with a file for each input, or pictures."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from types import TracebackType
from zlib import crc32

from arctag import __version__
from arctag.cli.outputs import spare_inputs
from arctag.cli.pictures import SUFFIXES
from arctag.errors import ArctagError, InputError
from arctag.formats import FORMATS, Writer, format_of_name, get_output_format
from arctag.formats.files import cannot_write, descriptor_of, open_output
from arctag.formats.json_lines import JSON
from arctag.formats.resumable import InUse, ResumableFile, Unfinished, part_of
from arctag.formats.streams import document_name
from arctag.parsing.jobs import Done, Part, Settings, Task, cut, make_tasks
from arctag.parsing.sources import Listener, Source, Unit, text_of, without_ending

PICTURES = ("svg", "html", "text")
_ENDINGS = {**dict.fromkeys(JSON.suffixes, JSON.name), **SUFFIXES}
_WORDS = 16_384  # of a task


@dataclass(frozen=True)
class Plan:
    """What is parsed, what is written, and where."""

    sources: list[Source]
    outputs: list[str]
    """A single one, or one for each source."""
    to: str
    folder: bool = False
    """Whether each source has an output of its own."""
    force: bool = False
    """Whether files may be replaced."""


def make_plan(
    found: list[tuple[Source, Path | None]], output: str, to: str | None, resume: bool = False, force: bool = False
) -> Plan:
    """Decide what is written where; beside each source, its place under the folder that was given, if one was.

    Nothing that is there is replaced unless forced: no input, and in a folder no file at all.
    """
    sources = [source for source, _ in found]
    folder = _is_folder(output, any(place is not None for _, place in found))
    chosen = to or _kind_of_output(output, folder, sources[0])
    inputs = [source.path for source in sources if source.given is None]
    if chosen in PICTURES or not folder:
        spare_inputs([output], inputs, force)
        return Plan(sources, [output if not folder else str(Path(output)) + os.sep], chosen, force=force)
    outputs = [str(Path(output) / _output_name(source, place, chosen)) for source, place in found]
    for i, path in enumerate(outputs):
        if path in outputs[:i]:
            other = sources[outputs.index(path)]
            raise InputError(f"{other.path} and {sources[i].path} would both be written to {path}")
    spare_inputs(outputs, inputs, force)
    if not force:
        _spare_files(outputs, sources, resume)
    return Plan(sources, outputs, chosen, True, force)


def _is_folder(output: str, folder_given: bool) -> bool:
    """Whether each input has a file of its own: a folder is named, or a folder was given and the name has no ending."""
    if output.endswith(("/", os.sep)) or Path(output).is_dir():
        return True
    return folder_given and output != "-" and not Path(output).suffix and not Path(output).exists()


def _spare_files(outputs: list[str], sources: list[Source], resume: bool) -> None:
    """`InputError` for files that are already there, but for those that a resumed run has finished."""
    there = [
        output
        for output, source in zip(outputs, sources, strict=True)
        if Path(output).exists() and not (resume and _is_newer(Path(output), source))
    ]
    if there:
        more = f" (and {len(there) - 1} more)" if len(there) > 1 else ""
        hint = "replace it with --force" if resume else "skip what is done with --resume, or replace it with --force"
        raise InputError(f"{there[0]}{more} exists already: choose another folder, {hint}")


def _kind_of_output(output: str, folder: bool, source: Source) -> str:
    own = "conllu" if source.made_here else source.kind
    if output == "-":
        return "text" if sys.stdout.isatty() else own
    ending = Path(output.removesuffix(".gz")).suffix.lower()
    if folder or descriptor_of(output) is not None:
        return own
    known = format_of_name(output) or _ENDINGS.get(ending)
    if known is None and ending:
        endings = ", ".join([*(format.suffixes[0] for format in FORMATS.values()), *_ENDINGS])
        raise InputError(f"cannot tell what to write from the name {output}: end it in one of {endings}, or give --to")
    return known or own


def _output_name(source: Source, place: Path | None, to: str) -> Path:
    """The input's own name with another ending."""
    path = place or Path("text" if source.given is not None else Path(source.path).name)
    if source.given is None and not Path(source.path).is_file():
        path = Path(document_name(source.path))
    return path.with_name(without_ending(path.name) + get_output_format(to).suffixes[0])


class Outputs:
    """The files of one run: cuts the sources into tasks, and writes what comes of them, in order."""

    def __init__(self, plan: Plan, settings: Settings, resume: bool, trouble: Listener) -> None:
        self.plan, self.settings, self.resume, self.trouble = plan, settings, resume, trouble
        self.open: dict[int, _Stream | ResumableFile] = {}
        self.failed: set[int] = set()
        self.mark = 0

    def tasks(self) -> Iterator[Task]:
        """What is to be done, and not yet done before."""
        return make_tasks(self._parts(), _WORDS)

    def _parts(self) -> Iterator[Part]:
        skip = 0
        for i, source in enumerate(self.plan.sources):
            number = i if self.plan.folder else 0
            if self.resume and self.plan.folder and _is_newer(Path(self.plan.outputs[number]), source):
                continue
            read = 0
            try:
                if number not in self.open:
                    self.open[number] = self._opened(number)
                    skip, self.mark = self.open[number].units, 0
                units = self._marked(source)
                read = sum(1 for _ in islice(units, skip))
                skip -= read
                last = self.plan.folder or i == len(self.plan.sources) - 1
                if last if skip else read and self.mark != self.open[number].mark:  # too short, or another one
                    raise Unfinished(
                        f"cannot resume {self.plan.outputs[number]}: the input is not the same; use --force"
                    )
                for part in cut(units, source, number, _WORDS):
                    read += len(part.units)
                    yield replace(part, mark=self.mark)
            except (InUse, Unfinished):
                raise
            except (ArctagError, OSError) as error:
                if not read and len(self.plan.sources) == 1:
                    raise
                self.trouble.fail(str(error))
                if not read and self.plan.folder:
                    self.failed.add(number)

    def _marked(self, source: Source) -> Iterator[Unit]:
        """The units of a source; those of a stream, which no size or date tells apart, change the mark."""
        stream = source.given is None and not Path(source.path).is_file()
        for unit in source.units(self.trouble):
            if stream:
                self.mark = crc32(text_of(unit).encode(errors="surrogateescape"), self.mark)
            yield unit

    def _opened(self, number: int) -> _Stream | ResumableFile:
        path = self.plan.outputs[number]
        if path == "-" or descriptor_of(path) is not None or (Path(path).exists() and not Path(path).is_file()):
            return _Stream(path)
        if self.plan.folder:
            _make_folder(Path(path).parent)
        sources = [self.plan.sources[number]] if self.plan.folder else self.plan.sources
        return ResumableFile(path, _key(sources, self.settings), self.resume, self.plan.force)

    def write(self, done: Done) -> None:
        """Write what a task has made; the outputs before it are then complete."""
        for number, text, units, mark in done.texts:
            self._finish(before=number)
            file = self.open[number]
            file.add(
                self._between(text) if file.units else Writer(self.plan.to).header + self._between(text), units, mark
            )

    def _between(self, text: str) -> str:
        """The text as others may follow it: a file may end without an empty line, but only at its own end."""
        alone = self.plan.folder or len(self.plan.sources) == 1 or self.plan.to == JSON.name
        return text if alone or not text or text.endswith("\n\n") else text + "\n"

    def _finish(self, before: int) -> None:
        for number in [number for number in self.open if number < before]:
            file = self.open.pop(number)
            if number in self.failed:
                file.give_up()
                continue
            if not file.units:  # no sentence: the header alone, packed if the file is
                file.add(Writer(self.plan.to).header, 0)
            file.finish()

    def __enter__(self) -> Outputs:
        return self

    def __exit__(self, kind: type[BaseException] | None, _: object, __: TracebackType | None) -> None:
        try:
            if kind is None:
                self._finish(before=len(self.plan.outputs))
        finally:
            for file in self.open.values():
                file.close()

    @property
    def kept(self) -> bool:
        """Whether an interrupted run leaves something to resume."""
        return self.plan.folder or any(isinstance(file, ResumableFile) and file.units for file in self.open.values())


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder {folder}: {error.strerror}") from error


class _Stream:
    """Standard output, a pipe or a device: what is written is gone."""

    def __init__(self, path: str) -> None:
        self.path, self.stack = path, ExitStack()
        self.file = self.stack.enter_context(open_output(path))
        self.units = self.mark = 0

    def add(self, text: str, units: int, mark: int = 0) -> None:
        self.units, self.mark = self.units + units, mark
        try:
            self.file.write(text)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise cannot_write(self.path, error) from error

    def close(self) -> None:
        self.stack.close()

    finish = give_up = close


def _is_newer(output: Path, source: Source) -> bool:
    """Whether a file is already there, and complete: nothing is left of the run that wrote it."""
    path = Path(source.path)
    if part_of(output).exists():
        return False
    return output.is_file() and path.is_file() and output.stat().st_mtime >= path.stat().st_mtime


def _key(sources: list[Source], settings: Settings) -> str:
    """What must be the same for a run to be resumed: the input, the model, the options."""
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
