"""What `arctag parse` writes, and where: into one file, a folder with a file for each input, or pictures."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from arctag.cli.outputs import protect_inputs
from arctag.cli.pictures import SUFFIXES
from arctag.errors import InputError
from arctag.formats import COLUMNAR, output_suffixes
from arctag.formats.columnar.formats import check_table_name
from arctag.formats.files import descriptor_of
from arctag.formats.packing import unpacked_name
from arctag.formats.recognition import kind_of_name, without_suffix
from arctag.formats.streams import document_name
from arctag.parsing.outputs import Target, is_complete
from arctag.parsing.sources import Source, suffixes

PICTURES = ("svg", "html", "text")


@dataclass(frozen=True)
class Plan:
    """What is parsed, what is written, and where."""

    sources: list[Source]
    targets: list[Target]
    to: str
    """A format or a kind of picture."""
    folder: bool
    """Whether each source has an output of its own."""

    @property
    def output(self) -> str:
        """The one output of all sources."""
        return self.targets[0].path


def make_plan(sources: list[Source], output: str, to: str | None, resume: bool = False, force: bool = False) -> Plan:
    """Decide what is written where. Unless forced no input is replaced, and in a folder no file at all."""
    folder = _is_folder(output, any(source.below is not None for source in sources))
    to = to or _kind_of_output(output, folder, sources[0])
    apart = folder and to not in PICTURES
    if apart:
        targets = [Target(str(Path(output) / _output_name(source, to)), [source]) for source in sources]
        _refuse_duplicates(targets)
    else:
        targets = [Target(str(Path(output)) + os.sep if folder else output, sources)]
    if to in COLUMNAR:
        for target in targets:
            check_table_name(target.path)
    protect_inputs([target.path for target in targets], [s.path for s in sources if s.text is None], force)
    if apart and not force:
        _protect_files(targets, resume)
    return Plan(sources, targets, to, apart)


def _is_folder(output: str, folder_given: bool) -> bool:
    """Whether each input has a file of its own: a folder is named, or a folder was given and the name has no ending."""
    if output.endswith(("/", os.sep)) or Path(output).is_dir():
        return True
    return folder_given and output != "-" and not Path(output).suffix and not Path(output).exists()


def _kind_of_output(output: str, folder: bool, source: Source) -> str:
    """What to write where `--to` does not say it: by the name of the output, else in the input's own format."""
    if output == "-" and sys.stdout.isatty():
        return "text"
    if output != "-" and not folder and descriptor_of(output) is None:
        pictures = {kind: tuple(suffix for suffix in SUFFIXES if SUFFIXES[suffix] == kind) for kind in PICTURES}
        known = output_suffixes() | pictures
        if kind := kind_of_name(output, known):
            return kind
        if Path(unpacked_name(output)).suffix:
            endings = ", ".join(some[0] for some in known.values())
            raise InputError(
                f"cannot tell what to write from the name {output}: end it in one of {endings}, or give --to"
            )
    return source.output_format


def _output_name(source: Source, to: str) -> Path:
    """The input's own name with another ending."""
    path = source.below or Path(source.path)
    if source.is_stream:
        path = Path(document_name(source.path))
    elif source.below is None:
        path = Path(path.name)
    return path.with_name(without_suffix(path.name, suffixes()) + output_suffixes()[to][0])


def _refuse_duplicates(targets: list[Target]) -> None:
    seen: dict[str, Target] = {}
    for target in targets:
        if (other := seen.setdefault(target.path, target)) is not target:
            one, two = other.sources[0].path, target.sources[0].path
            raise InputError(f"{one} and {two} would both be written to {target.path}")


def _protect_files(targets: list[Target], resume: bool) -> None:
    """`InputError` for files that are already there, but for those that a resumed run has finished."""
    there = [t.path for t in targets if Path(t.path).exists() and not (resume and is_complete(t))]
    if there:
        more = f" (and {len(there) - 1} more)" if len(there) > 1 else ""
        hint = "replace it with --force" if resume else "skip what is done with --resume, or replace it with --force"
        raise InputError(f"{there[0]}{more} exists already: choose another folder, {hint}")
