"""What `arctag parse` reads: graph files, tokenised text or running text.

A source is cut into units, which is quick; the units become sentences, which takes longer and can
be done in any process. What cannot be read is reported and passed on as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from arctag.errors import FormatError, InputError
from arctag.formats import FORMATS, format_of_name, get_format, recognised
from arctag.formats.blocks import Block
from arctag.formats.files import lines
from arctag.formats.not_text import check_text
from arctag.formats.streams import Input, Opened, describe, look
from arctag.sentence import Sentence
from arctag.text.chunks import Piece, pieces
from arctag.text.files import document_name, read_pieces
from arctag.text.tokenizer import TextTokenizer

TEXT = "text"
"""The name of running text."""
TOKENS = "tokens"
"""The name of the plain format: a sentence on each line, spaces between its words."""
Report = Callable[[str], None]
_ENDINGS = {TEXT: (".txt", ".text"), TOKENS: (".tok", ".tokens")}
_LETTERS_PER_WORD = 5


@dataclass(frozen=True)
class Line:
    """A sentence of tokenised text."""

    number: int
    text: str
    fault: FormatError | None = None


class Listener(Protocol):
    """What reports trouble with an input."""

    def warn(self, message: str) -> None:
        """Something odd that does not keep the input from being parsed."""

    def fail(self, message: str) -> None:
        """An input that cannot be read, or not to its end."""


Unit = Block | Piece | Line | Any
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
        if self.kind == TOKENS:
            return _token_lines(source, describe(self.path), trouble)
        units: Iterator[Unit] = get_format(self.kind).units(source, True)
        return units

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
        if not self.made_here:
            yield from get_format(self.kind).sentences(units, True, lambda error: report(str(error)))
            return
        name = "" if self.given is not None else document_name(self.path)
        for unit in units:
            if isinstance(unit, Line):
                yield _token_sentence(unit, name, report)
            elif isinstance(unit, Piece) and tokenizer is not None:
                yield from tokenizer.piece_sentences(unit, name, describe(self.path))


def find_source(path: str, kind: str | None = None, layout: str = "paragraphs") -> Source:
    """The source at a path (`-`: standard input), of the kind that is named, or that its name or beginning shows."""
    if known := kind or _kind_of_name(path):
        return Source(path, known, layout)
    source, start = look(path)
    return Source(path, recognised(start) or TEXT, layout, opened=source if isinstance(source, Opened) else None)


def _kind_of_name(path: str) -> str | None:
    """What a file holds, by its name."""
    name = path.lower().removesuffix(".gz")
    named = (kind for kind, endings in _ENDINGS.items() if name.endswith(endings))
    return next(named, None) or format_of_name(path)


def files_in(folder: Path, without: Path | None = None) -> list[Path]:
    """The files in a folder, and in those inside it, whose names say that they can be parsed.

    A folder inside it that is written to is left out: what an earlier run put there is no input.
    """
    skipped = without.resolve() if without is not None and without.resolve() != folder.resolve() else None
    endings = tuple(ending for all_of_kind in _ENDINGS.values() for ending in all_of_kind)
    found = [
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and (skipped is None or skipped not in path.resolve().parents)
        and not path.name.startswith(".")
        and (format_of_name(path) or path.name.lower().removesuffix(".gz").endswith(endings))
    ]
    if not found:
        raise InputError(f"no file to parse in {folder}: names must end in .txt, .tok, .conllu or .sdp (or .gz)")
    return found


def size(unit: Unit) -> int:
    """About how many words a unit has."""
    return len(unit.lines) if isinstance(unit, Block) else len(text_of(unit)) // _LETTERS_PER_WORD + 1


def characters(unit: Unit) -> int:
    """How many bytes of its file a unit makes up, or nearly so; for bars that show progress."""
    return len(text_of(unit).encode(errors="surrogateescape")) + 1


def without_ending(name: str) -> str:
    """The name of a file without the endings that say what it holds: `v1.0.txt.gz` is `v1.0`."""
    name = name[:-3] if name.lower().endswith(".gz") else name
    endings = [
        *(ending for some in _ENDINGS.values() for ending in some),
        *(e for f in FORMATS.values() for e in f.SUFFIXES),
    ]
    known = max((ending for ending in endings if name.lower().endswith(ending)), key=len, default="")
    return name[: len(name) - len(known)] or name


def text_of(unit: Unit) -> str:
    """The text of a unit as it stands in its file, or nearly so."""
    if isinstance(unit, Block):
        return "\n".join([*unit.comments, *unit.lines])
    return unit.text if isinstance(unit, (Piece, Line)) else str(unit)


def _token_lines(source: Input, name: str, trouble: Listener) -> Iterator[Line]:
    """The lines with words; an empty one separates nothing and is left out."""
    faults: list[FormatError] = []
    seen = False
    for number, text in lines(source, faults.append):
        if text.strip():
            seen = True
            bad = [fault for fault in faults if fault.line == number]
            faults[:] = [fault for fault in faults if fault.line is None]
            yield Line(number, text, bad[0] if bad else None)
    for fault in faults:  # the file breaks off
        trouble.fail(str(fault))
    if not seen and not faults:
        raise FormatError(name, None, "no sentence (the file is empty)", "at least one line of words")


def _token_sentence(line: Line, name: str, report: Report) -> Sentence:
    sentence = Sentence.from_words(line.text.split(), sent_id=f"{name}-{line.number}")
    if line.fault is None:
        return sentence
    report(str(line.fault))
    return replace(sentence, error=str(line.fault))
