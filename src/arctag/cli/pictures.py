"""Pictures of sentences, written to a file, a folder or the terminal: shared by `draw` and `parse`."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TextIO

from arctag.draw.look import Look
from arctag.errors import InputError
from arctag.formats.files import open_output
from arctag.formats.packing import unpacked_name
from arctag.sentence import Sentence

Pair = tuple[Sentence, Sentence | None]
"""A sentence, and the gold one if two are compared."""

SUFFIXES = {".svg": "svg", ".html": "html", ".htm": "html", ".txt": "text"}
_LONGEST_NAME = 100
_TEXT_LOOK = ("crossing", "direction", "tags", "colours", "punctuation", "vertical")


@dataclass(frozen=True)
class Pictures:
    """The title of the pictures, where they are written, and how they are drawn."""

    title: str
    output: str
    look: Look = field(default_factory=Look)
    width: int | None = None
    """Columns for text."""
    force: bool = False
    """Whether files that are already in the folder may be replaced."""

    @property
    def folder(self) -> bool:
        """Whether the output is a folder."""
        return self.output.endswith(("/", os.sep)) or Path(self.output).is_dir()

    def kind(self) -> str:
        """svg, html or text, by the name of the output."""
        if self.output == "-":
            return "text"
        if self.folder:
            return "svg"
        suffix = Path(unpacked_name(self.output)).suffix.lower()
        if suffix not in SUFFIXES:
            raise InputError(
                f"cannot tell what to draw from the name {self.output}: end it in .svg, .html or .txt, or give --to"
            )
        return SUFFIXES[suffix]

    def draw(self, pairs: Iterator[Pair], kind: str) -> None:
        """Draw all of them."""
        KINDS[kind](pairs, self)


def _draw_svg(pairs: Iterator[Pair], job: Pictures) -> None:
    if job.folder:
        _draw_svg_folder(pairs, job)
        return
    first, second = next(pairs, None), next(pairs, None)
    if first is None:
        raise InputError(f"{job.title} holds no sentence")
    if second is not None:
        raise InputError(
            "an SVG file holds one sentence: choose one with --sentence or --limit 1, or give a folder: -o pictures/"
        )
    _write_markup([_svg(first, job)], job.output)


def _draw_svg_folder(pairs: Iterator[Pair], job: Pictures) -> None:
    folder = Path(job.output)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot create the folder {folder}: {error.strerror}") from error
    used: set[str] = set()
    for pair in pairs:
        path = folder / f"{_file_name(pair[0].id, used)}.svg"
        if path.exists() and not job.force:
            raise InputError(f"{path} exists already: choose another folder, or replace its files with --force")
        _write_markup([_svg(pair, job)], str(path))


def _svg(pair: Pair, job: Pictures) -> str:
    from arctag.draw import svg

    return svg(pair[0], against=pair[1], **asdict(job.look))


def _file_name(sentence_id: str, used: set[str]) -> str:
    """A name that is safe on every system and not yet used, whatever the case of its letters."""
    base = re.sub(r"[^\w.-]+", "_", sentence_id).strip("._-")[:_LONGEST_NAME] or "sentence"
    name, number = base, 1
    while name.lower() in used:
        number += 1
        name = f"{base}-{number}"
    used.add(name.lower())
    return name


def _draw_html(pairs: Iterator[Pair], job: Pictures) -> None:
    from arctag.draw import html_parts

    _refuse_folder(job)
    _write_markup(html_parts(pairs, title=job.title, **asdict(job.look)), job.output)


def _write_markup(parts: Iterable[str], output: str) -> None:
    with open_output(output) as file:
        file.writelines(parts)


def _draw_text(pairs: Iterator[Pair], job: Pictures) -> None:
    from arctag.draw import text
    from arctag.draw.measure import terminal_text

    _refuse_folder(job)
    if job.look.below is not None:
        raise InputError("text has no place below the words: draw that layer by itself with --layer, or as SVG or HTML")
    look = {name: getattr(job.look, name) for name in _TEXT_LOOK}
    terminal = job.output == "-"
    encoding = (sys.stdout.encoding or "utf-8") if terminal else "utf-8"
    # a picture on the terminal is for reading: it keeps the terminal's encoding
    with nullcontext(sys.stdout) if terminal else open_output(job.output) as file:
        for sentence, gold in pairs:
            picture = text(
                sentence,
                against=gold,
                width=job.width or shutil.get_terminal_size(fallback=(100, 24)).columns,
                colour=terminal and _wants_colour(file),
                encoding=encoding,
                **look,
            )
            file.write(f"# {terminal_text(sentence.id, encoding)}\n{picture}\n")


def _wants_colour(file: TextIO) -> bool:
    return file.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _refuse_folder(job: Pictures) -> None:
    if job.output != "-" and job.folder:
        raise InputError(f"cannot write {job.output}: only SVG pictures go into a folder")


KINDS: dict[str, Callable[[Iterator[Pair], Pictures], None]] = {
    "svg": _draw_svg,
    "html": _draw_html,
    "text": _draw_text,
}
"""Kind of picture → how sentences are drawn; `SUFFIXES` has the file names of each."""
