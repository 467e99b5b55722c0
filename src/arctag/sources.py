"""What `arctag parse` reads: graph files, tokenised text or running text.

A source is cut into units, which is quick; the units become sentences, which takes longer and can
be done in any process. What cannot be read is reported and passed on as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arctag.errors import FormatError, InputError
from arctag.formats import format_of_name, get_format
from arctag.formats.blocks import Block
from arctag.formats.files import describe, first_bytes, lines
from arctag.formats.sdp import HEADER
from arctag.raw_text import document_name, read_pieces
from arctag.sentence import Sentence
from arctag.text_pieces import Piece, pieces
from arctag.tokenizer import TextTokenizer

TEXT = "text"
"""The name of running text."""
TOKENS = "tokens"
"""The name of the plain format: a sentence on each line, spaces between its words."""
Report = Callable[[str], None]
_ENDINGS = {TEXT: (".txt", ".text"), TOKENS: (".tok", ".tokens")}
_CONLLU = re.compile(rb"# ?(?:sent_id|text|newdoc|newpar|global\.columns)\b|1(?:-[0-9]+)?\t")
_LETTERS_PER_WORD = 5


@dataclass(frozen=True)
class Line:
    """A sentence of tokenised text."""

    number: int
    text: str
    fault: FormatError | None = None


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

    @property
    def made_here(self) -> bool:
        """Whether rows and ids are ours, not those of a graph file."""
        return self.kind in (TEXT, TOKENS)

    def units(self, warn: Report) -> Iterator[Unit]:
        """The file in small parts, in order."""
        if self.given is not None:
            return pieces([self.given], self.layout)
        if self.kind == TEXT:
            return read_pieces(self.path, self.layout, lambda error: warn(str(error)))
        if self.kind == TOKENS:
            return _token_lines(self.path)
        units: Iterator[Unit] = get_format(self.kind).units(self.path, True)
        return units

    def sentences(self, units: Iterable[Unit], tokenizer: TextTokenizer | None, report: Report) -> Iterator[Sentence]:
        """The sentences of some of the units; those that cannot be read are reported, and marked as broken."""
        if not self.made_here:
            yield from get_format(self.kind).sentences(units, True, lambda error: report(str(error)))
            return
        name = "" if self.given is not None else document_name(self.path)
        for unit in units:
            if isinstance(unit, Line):
                yield _token_sentence(unit, Path(describe(self.path)).stem, report)
            elif isinstance(unit, Piece) and tokenizer is not None:
                yield from tokenizer.piece_sentences(unit, name, describe(self.path))


def find_source(path: str, kind: str | None = None, layout: str = "paragraphs") -> Source:
    """The source at a path (`-`: standard input), of the kind that is named, or that it looks like."""
    return Source(path, kind or kind_of(path), layout)


def kind_of(path: str) -> str:
    """What a file holds, by its name, else by how it begins."""
    name = path.removesuffix(".gz")
    for kind, endings in _ENDINGS.items():
        if name.endswith(endings):
            return kind
    if (format := format_of_name(path)) is not None:
        return format
    start = first_bytes(path).removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")
    if start.startswith(HEADER.encode()):
        return "sdp"
    return "conllu" if _CONLLU.match(start) else TEXT


def files_in(folder: Path) -> list[Path]:
    """The files in a folder, and in those inside it, whose names say that they can be parsed."""
    endings = tuple(ending for all_of_kind in _ENDINGS.values() for ending in all_of_kind)
    found = [
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and not path.name.startswith(".")
        and (format_of_name(path) or path.name.removesuffix(".gz").endswith(endings))
    ]
    if not found:
        raise InputError(f"no file to parse in {folder}: names must end in .txt, .tok, .conllu or .sdp (or .gz)")
    return found


def size(unit: Unit) -> int:
    """About how many words a unit has."""
    return len(unit.lines) if isinstance(unit, Block) else len(_text(unit)) // _LETTERS_PER_WORD + 1


def characters(unit: Unit) -> int:
    """How many bytes of its file a unit makes up, or nearly so; for bars that show progress."""
    return len(_text(unit).encode(errors="surrogateescape")) + 1


def _text(unit: Unit) -> str:
    if isinstance(unit, Block):
        return "\n".join([*unit.comments, *unit.lines])
    return unit.text if isinstance(unit, (Piece, Line)) else str(unit)


def _token_lines(path: str) -> Iterator[Line]:
    """The lines with words; an empty one separates nothing and is left out."""
    faults: list[FormatError] = []
    seen = False
    for number, text in lines(path, faults.append):
        if text.strip():
            seen = True
            yield Line(number, text, faults.pop() if faults else None)
    if not seen:
        raise FormatError(describe(path), None, "no sentence (the file is empty)", "at least one line of words")


def _token_sentence(line: Line, stem: str, report: Report) -> Sentence:
    sentence = Sentence.from_words(line.text.split(), sent_id=f"{stem}-{line.number}")
    if line.fault is not None:
        sentence.extra["broken"] = str(line.fault)
        report(str(line.fault))
    return sentence
