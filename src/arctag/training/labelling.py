"""Labelling: teachers read text and write what they find, one after another, into files that can be shared by runs.

A file is named after all that it was made from, so that it never stands for another text or another teacher. Until it
is complete it is not there, and a run that was killed goes on where it stopped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import file_digest, sha256
from pathlib import Path

from arctag.errors import InputError
from arctag.formats import get_output_format
from arctag.formats.conllu import CONLLU
from arctag.formats.conllu_plus import CONLLUP
from arctag.formats.not_text import check_text
from arctag.formats.streams import first_bytes
from arctag.formats.tokens import TOKENS
from arctag.layers import STANDARD
from arctag.parsing.inputs import files_in, read_chunks
from arctag.parsing.jobs import Settings, make_jobs
from arctag.parsing.outputs import Outputs, Target
from arctag.parsing.parser import ParseOptions
from arctag.parsing.sources import DOCUMENTS, TEXT, Source
from arctag.parsing.workers import default_workers, run_jobs
from arctag.training.events import Event, Labelled, Noticed
from arctag.training.teachers import Teacher

AUTO = "auto"
_KEY = 32  # characters of a file's name


@dataclass(frozen=True)
class _Stage:
    """What one teacher reads and writes."""

    teacher: Teacher
    sources: Sequence[Source]
    output: Path


class Labelling:
    """Text on its way through teachers; each of them reads what the one before has written."""

    def __init__(
        self, files: Sequence[str], format: str, teachers: Sequence[Teacher], folder: Path, device: str | None
    ) -> None:
        sources = find_text(files, format)
        if any(source.origin.is_text for source in sources):
            teachers = sorted(teachers, key=lambda teacher: not teacher.cuts_text)  # the first one cuts it into words
            if not teachers[0].cuts_text:
                raise InputError(
                    "no teacher has a tokenizer for running text: give text that is split into words (.tok, or "
                    "--unlabelled-format tokens)"
                )
        self.device, self.to = device, _format(teachers)
        self.stages: list[_Stage] = []
        key = _digest(*(part for source in sources for part in (source.format, _checksum(source.path))))
        for teacher in teachers:
            key = _digest(key, self.to, teacher.checksum, *teacher.written)
            output = folder / f"{key[:_KEY]}{get_output_format(self.to).suffixes[0]}"
            self.stages.append(_Stage(teacher, sources, output))
            sources = [Source(str(output), self.to)]

    @property
    def output(self) -> Path:
        """The file with all layers."""
        return self.stages[-1].output

    def events(self) -> Iterator[Event]:
        """Label what is not labelled yet."""
        done = max((i for i, stage in enumerate(self.stages, 1) if stage.output.is_file()), default=0)
        if done == len(self.stages):
            yield Noticed(f"the text is labelled already: {self.output}")
        for stage in self.stages[done:]:
            yield from self._stage_events(stage)
        for stage in self.stages[:-1]:
            stage.output.unlink(missing_ok=True)

    def _stage_events(self, stage: _Stage) -> Iterator[Event]:
        teacher, problems = stage.teacher, _Problems()
        further = tuple(name for name in teacher.written if name not in STANDARD)
        settings = Settings(teacher.model, self.device, ParseOptions(layers=teacher.written), self.to, further=further)
        yield Noticed(f"{teacher.model} labels {', '.join(teacher.layers)}")
        # what another text or teacher has left there under the same name is no use
        with Outputs([Target(str(stage.output), stage.sources)], settings, folder=True, resume=True, force=True) as out:
            chunks = read_chunks(out.remaining(), problems, strict=True)
            for result in run_jobs(make_jobs(chunks), settings, default_workers(settings)):
                out.write(result)
                problems.texts.extend(result.messages)
                yield Labelled(teacher.model, result.words)
        if problems.texts:
            yield Noticed(f"not labelled: {problems.texts[0]} ({len(problems.texts)} such problems)")


class _Problems:
    """What is wrong with a text."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def warn(self, message: str) -> None:
        """A line that is damaged."""
        self.texts.append(message)

    def fail(self, message: str) -> None:
        """A file that cannot be read to its end: half of a text is not what was asked for."""
        raise InputError(message)


def find_text(files: Sequence[str], format: str) -> list[Source]:
    """The files of a text, and those in folders; `InputError` for what is no text."""
    paths = [path for name in files for path in _files_at(name)]
    sources = [Source(str(path), None if format == AUTO else format) for path in paths]
    for source in sources:
        check_text(source.path, first_bytes(source.path))
        if source.format not in (TEXT, DOCUMENTS, TOKENS.name, CONLLU.name, CONLLUP.name):
            raise InputError(f"{source.path}: {source.format} has no room for labels; convert it with `arctag convert`")
        source.close()
    return sources


def _files_at(name: str) -> list[Path]:
    path = Path(name)
    if path.is_dir():
        return files_in(path)
    if not path.is_file():
        raise InputError(f"no file at {name}: unlabelled text is a file or a folder of files")
    return [path]


def _format(teachers: Sequence[Teacher]) -> str:
    """What holds all layers: CoNLL-U, unless there are others than its own."""
    return CONLLU.name if all(name in STANDARD for teacher in teachers for name in teacher.written) else CONLLUP.name


def _checksum(path: str) -> str:
    with open(path, "rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _digest(*parts: str) -> str:
    return sha256("\n".join(parts).encode()).hexdigest()
