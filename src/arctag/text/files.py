"""Files of running text: streamed, cut into chunks, tokenised; however large the file, little of it is in memory."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from arctag.errors import FormatError
from arctag.formats.streams import Input, OnError, describe, document_name, name_of, opened
from arctag.sentence import Sentence
from arctag.text.chunks import AUTO, Chunk, chunks
from arctag.text.tokenizer import TextTokenizer

SUFFIXES = (".txt", ".text")
"""How names of text files end."""
_ESCAPED = re.compile("[\udc80-\udcff]")
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def read_text(
    path: str | Path, tokenizer: TextTokenizer, layout: str = AUTO, on_bad: OnError | None = None
) -> Iterator[Sentence]:
    """The sentences of a text file (`-` for standard input, `.gz` and `.xz` too); none in a file without text.

    Lines that are not UTF-8 are reported to `on_bad`, and their bad bytes become U+FFFD.
    """
    name, source = document_name(path), describe(path)
    for chunk in read_chunks(path, layout, on_bad):
        yield from tokenizer.chunk_sentences(chunk, name, source)


def read_chunks(source: Input, layout: str = AUTO, on_bad: OnError | None = None) -> Iterator[Chunk]:
    """The chunks of a text file. Each can be tokenised by itself, with `document_name(path)` as its name.

    A file that breaks off is a `FormatError` after the last chunk that can be read.
    """
    damage: list[FormatError] = []
    yield from chunks(_decoded(source, on_bad, damage.append), layout)
    if damage:
        raise damage[0]


def _decoded(source: Input, on_bad: OnError | None, on_damage: OnError) -> Iterator[str]:
    """The text of a file as it is read; a byte that is not UTF-8 becomes U+FFFD, and its line is reported."""
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    line, reported, mark = 1, 0, "\ufeff"  # a byte order mark at the very start is no part of the text
    for raw in chain(opened(source).buffers(on_damage), (b"",)):
        text = decoder.decode(raw, final=not raw)
        if text:
            text, mark = text.removeprefix(mark), ""
        for number, byte in _bad_lines(text, line):
            if number > reported and on_bad is not None:  # a line may continue from the buffer before
                on_bad(FormatError(name_of(source), number, f"byte {byte!r}, not UTF-8", "UTF-8 text"))
            reported = number
        yield _ESCAPED.sub(_REPLACEMENT, text)
        line += text.count("\n")


def _bad_lines(text: str, line: int) -> Iterator[tuple[int, bytes]]:
    """The numbers of lines with bytes that are not UTF-8, and the first such byte of each."""
    at = 0
    while bad := _ESCAPED.search(text, at):
        line += text.count("\n", at, bad.start())
        yield line, bad[0].encode("utf-8", "surrogateescape")
        at = text.find("\n", bad.end())
        if at < 0:
            return
