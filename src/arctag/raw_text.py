"""Raw text files: streamed, cut into pieces, tokenised; however large the file, little of it is held at a time."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from pathlib import Path

from arctag.errors import FormatError
from arctag.formats.files import OnBad, describe, open_input
from arctag.sentence import Sentence
from arctag.text_pieces import Piece, pieces
from arctag.tokenizer import TextTokenizer

_STRETCH = 1 << 16  # bytes read at a time
_ESCAPED = re.compile("[\udc80-\udcff]")
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def read_text(
    path: str | Path, tokenizer: TextTokenizer, layout: str = "paragraphs", on_bad: OnBad | None = None
) -> Iterator[Sentence]:
    """The sentences of a text file (`-` for standard input, `.gz` too); none in a file without text.

    Lines that are not UTF-8 are told to `on_bad`, and their odd bytes stand as U+FFFD.
    """
    name, source = document_name(path), describe(path)
    for piece in read_pieces(path, layout, on_bad):
        yield from tokenizer.piece_sentences(piece, name, source)


def read_pieces(path: str | Path, layout: str = "paragraphs", on_bad: OnBad | None = None) -> Iterator[Piece]:
    """The pieces of a text file. Each can be tokenised by itself, with `document_name(path)` as its name."""
    return pieces(_stretches(path, on_bad), layout)


def document_name(path: str | Path) -> str:
    """The name of the document in a file, which begins the ids of its sentences: `texts/news.txt.gz` is `news`."""
    return "stdin" if str(path) == "-" else Path(Path(path).name.removesuffix(".gz")).stem


def _stretches(path: str | Path, on_bad: OnBad | None) -> Iterator[str]:
    """The text of a file as it is read; a byte that is not UTF-8 becomes U+FFFD, and its line is told."""
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    line, told, mark = 1, 0, "\ufeff"  # a byte order mark at the very start is no part of the text
    with open_input(path) as file:
        while True:
            raw = file.read1(_STRETCH)  # what is there; a pipe may be slow
            text = decoder.decode(raw, final=not raw)
            if text:
                text, mark = text.removeprefix(mark), ""
            for number, byte in _bad_lines(text, line):
                if number > told and on_bad is not None:  # a line may go on from the stretch before
                    on_bad(FormatError(describe(path), number, f"byte {byte!r}, not UTF-8", "UTF-8 text"))
                told = number
            yield _ESCAPED.sub(_REPLACEMENT, text)
            line += text.count("\n")
            if not raw:
                return


def _bad_lines(text: str, line: int) -> Iterator[tuple[int, bytes]]:
    """The numbers of lines with bytes that are not UTF-8, and the first such byte of each."""
    at = 0
    while bad := _ESCAPED.search(text, at):
        line += text.count("\n", at, bad.start())
        yield line, bad[0].encode("utf-8", "surrogateescape")
        at = text.find("\n", bad.end())
        if at < 0:
            return
