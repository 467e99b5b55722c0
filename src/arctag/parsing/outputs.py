"""The outputs of a run: opened in turn, resumed where an interrupted run stopped, written in order."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, astuple, dataclass
from pathlib import Path
from types import TracebackType

from arctag import __version__
from arctag.errors import InputError
from arctag.formats import COLUMNAR, get_output_format
from arctag.formats.columnar.formats import ColumnFormat
from arctag.formats.columnar.resumable import ResumableTable
from arctag.formats.files import cannot_write, descriptor_of, open_bytes
from arctag.formats.json_lines import JSON
from arctag.formats.resumable import ResumableFile, part_of
from arctag.parsing.inputs import Remaining
from arctag.parsing.jobs import Result, Settings
from arctag.parsing.sources import Source


@dataclass(frozen=True)
class Target:
    """An output, and the sources whose sentences go there, in order."""

    path: str
    sources: Sequence[Source]


class Outputs:
    """The outputs of one run: each is opened when its turn comes, and finished when the next one is written to."""

    def __init__(
        self, targets: Sequence[Target], settings: Settings, *, folder: bool, resume: bool = False, force: bool = False
    ) -> None:
        """With `folder` each source has an output of its own in a folder, which is created if needed."""
        self._targets, self._settings = targets, settings
        self._folder, self._resume, self._force = folder, resume, force
        self._headers: dict[int, bytes] = {}
        self._open: dict[int, tuple[Remaining, _Stream | ResumableFile]] = {}

    def remaining(self) -> Iterator[Remaining]:
        """What is still to be parsed, output by output; each is opened, and locked, when it is asked for."""
        for number, target in enumerate(self._targets):
            if self._folder and self._resume and is_complete(target):
                continue
            file = self._opened(target)
            rest = Remaining(number, target.path, target.sources, file.chunks, file.checksum)
            self._open[number] = rest, file
            yield rest

    def _opened(self, target: Target) -> _Stream | ResumableFile:
        path = target.path
        table = COLUMNAR.get(self._settings.to)
        if path == "-" or descriptor_of(path) is not None or (Path(path).exists() and not Path(path).is_file()):
            return _Stream(path) if table is None else _TableStream(path, table)
        if self._folder:
            _make_folder(Path(path).parent)
        key = run_key(target.sources, self._settings)
        if table is None:
            return ResumableFile(path, key, self._resume, self._force)
        return ResumableTable(path, key, self._resume, self._force, table)

    def write(self, result: Result) -> None:
        """Write the result of the next job; the outputs before it are then complete."""
        for number, data, chunks, checksum, header in result.rendered:
            self._finish(before=number)
            _, file = self._open[number]
            target = self._targets[number]
            if data and self._headers.setdefault(number, header) != header and len(target.sources) > 1:
                raise InputError(
                    f"cannot write {target.path}: its inputs differ in their columns; "
                    "write each to a file of its own (-o FOLDER/)"
                )
            file.add((b"" if file.chunks else header) + self._separated(data, number), chunks, checksum)

    def _separated(self, data: bytes, number: int) -> bytes:
        """The text as others may follow it: a file may end without an empty line, but only at its own end."""
        alone = len(self._targets[number].sources) == 1 or self._settings.to in (JSON.name, *COLUMNAR)
        return data if alone or not data or data.endswith(b"\n\n") else data + b"\n"

    def _finish(self, before: int) -> None:
        for number in [number for number in self._open if number < before]:
            rest, file = self._open.pop(number)
            if rest.unreadable:
                file.discard()
                continue
            if not file.chunks:  # no sentence: the header alone, packed if the file is
                file.add(_empty_file(self._settings.to), 0)
            file.finish()

    def __enter__(self) -> Outputs:
        return self

    def __exit__(self, kind: type[BaseException] | None, _: object, __: TracebackType | None) -> None:
        try:
            if kind is None:
                self._finish(before=len(self._targets))
        finally:
            for _rest, file in self._open.values():
                file.close()

    @property
    def resumable(self) -> bool:
        """Whether an interrupted run leaves something to resume."""
        files = (file for _, file in self._open.values())
        return self._folder or any(isinstance(file, ResumableFile) and file.chunks for file in files)


class _Stream:
    """Standard output, a pipe or a device: nothing can be resumed."""

    def __init__(self, path: str) -> None:
        self.path, self.stack = path, ExitStack()
        self.file = self.stack.enter_context(open_bytes(path))
        self.chunks = self.checksum = 0

    def add(self, data: bytes, chunks: int, checksum: int = 0) -> None:
        self.chunks, self.checksum = self.chunks + chunks, checksum
        try:
            self._write(data)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise cannot_write(self.path, error) from error

    def _write(self, data: bytes) -> None:
        self.file.write(data)

    def close(self) -> None:
        self.stack.close()

    finish = discard = close


class _TableStream(_Stream):
    """The same for a table, which is made of its rows as they come."""

    def __init__(self, path: str, format: ColumnFormat) -> None:
        from arctag.formats.columnar.transcoding import Transcoder

        super().__init__(path)
        self.table = Transcoder(self.file, format)
        self.stack.callback(self.table.close)

    def _write(self, data: bytes) -> None:
        self.table.add(data)


def _empty_file(format: str) -> bytes:
    """What is written where there is no sentence."""
    if format not in COLUMNAR:
        return get_output_format(format).header.encode()
    from arctag.formats.columnar.transcoding import empty_stream

    return empty_stream()


def is_complete(target: Target) -> bool:
    """Whether a file is there, newer than its source, and no interrupted run has left a part of it."""
    output, source = Path(target.path), Path(target.sources[0].path)
    if part_of(output).exists():
        return False
    return output.is_file() and source.is_file() and output.stat().st_mtime >= source.stat().st_mtime


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder {folder}: {error.strerror}") from error


def run_key(sources: Sequence[Source], settings: Settings) -> str:
    """What must be the same for a run to be resumed: the input, the model, the options."""
    files = [
        (s.path, *_size_and_date(Path(s.path)), s.named_format, s.layout, s.text, *astuple(s.fields)) for s in sources
    ]
    model = (settings.model, *_size_and_date(Path(settings.model) / "config.json"))
    # how many sentences are read or parsed at a time changes nothing in what is written
    options = {k: v for k, v in asdict(settings.options).items() if k not in ("batch_tokens", "read_ahead")}
    value = json.dumps([__version__, files, model, options, settings.to])
    return hashlib.sha256(value.encode(errors="surrogateescape")).hexdigest()


def _size_and_date(path: Path) -> tuple[int, int]:
    try:
        state = path.stat()
    except OSError:
        return 0, 0
    return state.st_size, state.st_mtime_ns
