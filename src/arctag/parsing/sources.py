"""What `arctag parse` reads: graph files, tokenised text or running text.

A source is cut into units, which is quick; the units become sentences, which takes longer and can
be done in any process. What cannot be read is reported and passed on as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from arctag.errors import InputError
from arctag.formats import format_of_beginning, get_input_format, input_formats
from arctag.formats.blocks import Block
from arctag.formats.not_text import check_text
from arctag.formats.recognition import kind_of_name, without_suffix
from arctag.formats.streams import Input, Opened, describe, document_name, look
from arctag.formats.tokens import TOKENS as TOKEN_LINES
from arctag.sentence import Sentence
from arctag.text.chunks import pieces
from arctag.text.files import SUFFIXES, read_pieces
from arctag.text.tokenizer import TextTokenizer

TEXT = "text"
"""The name of running text."""
TOKENS = TOKEN_LINES.name
Report = Callable[[str], None]
_LETTERS_PER_WORD = 5


def suffixes() -> dict[str, tuple[str, ...]]:
    """How names of files end that can be parsed."""
    return {TEXT: SUFFIXES, **{name: format.suffixes for name, format in input_formats().items()}}


class Listener(Protocol):
    """What reports trouble with an input."""

    def warn(self, message: str) -> None:
        """Something odd that does not keep the input from being parsed."""

    def fail(self, message: str) -> None:
        """An input that cannot be read, or not to its end."""


Unit = Any
"""What a source is cut into; a format of one's own may have units of its own."""


@dataclass(frozen=True)
class Source:
    """A file, standard input (`-`), or a text given as it is; and what is in it."""

    path: str
    kind: str
    """text, tokens, or the name of a graph format."""
    layout: str = "paragraphs"
    """What lines mean in running text."""
    given: str | None = None
    """The text, if it does not stand in a file."""
    opened: Opened | None = field(default=None, compare=False)
    """What can be read only once, if how it begins was looked at."""

    @property
    def made_here(self) -> bool:
        """Whether rows and ids are ours, not those of a graph file."""
        return self.kind in (TEXT, TOKENS)

    def units(self, trouble: Listener) -> Iterator[Unit]:
        """The file in small parts, in order; up to where it breaks off, if it does. What is no text is refused."""
        if self.given is not None:
            return pieces([self.given], self.layout)
        source = self._checked()
        if self.kind == TEXT:
            return read_pieces(source, self.layout, lambda e: trouble.warn(str(e)), lambda e: trouble.fail(str(e)))
        return get_input_format(self.kind).chunks(source, True)

    def _checked(self) -> Input:
        if self.opened is not None:
            check_text(describe(self.path), self.opened.beginning())
            return self.opened
        source, start = look(self.path)
        check_text(describe(self.path), start)
        return source

    def for_workers(self) -> Source:
        """The source without what cannot travel to another process."""
        return replace(self, opened=None)

    def sentences(self, units: Iterable[Unit], tokenizer: TextTokenizer | None, report: Report) -> Iterator[Sentence]:
        """The sentences of some of the units; those that cannot be read are reported, and marked as broken."""
        if self.kind != TEXT:
            yield from get_input_format(self.kind).sentences(units, True, lambda error: report(str(error)))
            return
        name = "" if self.given is not None else document_name(self.path)
        for unit in units:
            if tokenizer is not None:
                yield from tokenizer.piece_sentences(unit, name, describe(self.path))


def find_source(path: str, kind: str | None = None, layout: str = "paragraphs") -> Source:
    """The source at a path (`-`: standard input), of the kind that is named, or that its name or beginning shows."""
    if known := kind or kind_of_name(path, suffixes()):
        return Source(path, known, layout)
    source, start = look(path)
    return Source(
        path, format_of_beginning(start) or TEXT, layout, opened=source if isinstance(source, Opened) else None
    )


def files_in(folder: Path, without: Path | None = None) -> list[Path]:
    """The files in a folder, and in those inside it, whose names say that they can be parsed.

    A folder inside it that is written to is left out: what an earlier run put there is no input.
    """
    skipped = without.resolve() if without is not None and without.resolve() != folder.resolve() else None
    found = [
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and (skipped is None or skipped not in path.resolve().parents)
        and not path.name.startswith(".")
        and kind_of_name(path, suffixes())
    ]
    if not found:
        endings = [some[0] for some in suffixes().values()]
        known = f"{', '.join(endings[:-1])} or {endings[-1]}"
        raise InputError(f"no file to parse in {folder}: names must end in {known} (or .gz)")
    return found


def size(unit: Unit) -> int:
    """About how many words a unit has."""
    return len(unit.lines) if isinstance(unit, Block) else len(text_of(unit)) // _LETTERS_PER_WORD + 1


def characters(unit: Unit) -> int:
    """How many bytes of its file a unit makes up, or nearly so; for bars that show progress."""
    return len(text_of(unit).encode(errors="surrogateescape")) + 1


def without_ending(name: str) -> str:
    """The name of a file without the endings that say what it holds: `v1.0.txt.gz` is `v1.0`."""
    return without_suffix(name, suffixes())


def text_of(unit: Unit) -> str:
    """The text of a unit as it stands in its file, or nearly so."""
    if isinstance(unit, Block):
        return "\n".join([*unit.comments, *unit.lines])
    return str(unit.text)
