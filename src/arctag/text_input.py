"""What `arctag parse` reads: graph files with bad sentences passed through, or plain tokenised text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from arctag.errors import FormatError
from arctag.formats import get_format, sniff
from arctag.formats.files import describe, lines
from arctag.sentence import Sentence

TOKENS = "tokens"
"""The name of the plain format: a sentence on each line, spaces between its words."""


def read_any(path: str | Path, format: str | None, report: Callable[[str], None]) -> Iterator[Sentence]:
    """Stream sentences from a file of any kind; what cannot be read is reported and passed on as it is."""
    chosen = format or sniff_input(path)
    if chosen == TOKENS:
        yield from read_tokens(path, report)
        return
    module = get_format(chosen)

    def broken(error: FormatError) -> None:
        report(str(error))

    yield from module.read(path, on_error=broken, words_only=True)


def sniff_input(path: str | Path) -> str:
    """A name that announces plain text means tokens; else the graph formats decide."""
    name = str(path).removesuffix(".gz")
    return TOKENS if name.endswith((".txt", ".tok", ".tokens")) else sniff(path)


def read_tokens(path: str | Path, report: Callable[[str], None] | None = None) -> Iterator[Sentence]:
    """One sentence a line, spaces between words; an empty line separates nothing and is left out.

    With `report`, a line that is not UTF-8 is told and passed on, to be left unparsed.
    """
    faults: list[FormatError] = []
    seen = False
    for number, line in lines(path, faults.append if report else None):
        words = line.split()
        if not words:
            continue
        sentence = Sentence.from_words(words, sent_id=f"{Path(describe(path)).stem}-{number}")
        if faults and report:
            sentence.extra["broken"] = str(faults[0])
            report(str(faults.pop()))
        seen = True
        yield sentence
    if not seen:
        raise FormatError(describe(path), None, "no sentence (the file is empty)", "at least one line of words")
