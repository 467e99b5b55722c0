"""Writing sentences, in whatever format: headers, damaged sentences, and what is lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from arctag.formats.base import OutputFormat
from arctag.formats.files import open_output
from arctag.formats.recognition import kind_of_name
from arctag.formats.table import FORMATS, get_output_format, output_formats
from arctag.sentence import Sentence


class Writer:
    """Turns sentences into the text of a file, which begins with `header`."""

    def __init__(self, format: str) -> None:
        self._format = get_output_format(format)
        self.header = self._format.header
        self.lost: Counter[str] = Counter()
        """What the format had no room for, by kind."""

    def text(self, sentence: Sentence) -> str:
        """The text of a sentence; what is lost is counted."""
        format = self._format_for(sentence)
        if losses := format.losses(sentence):
            self.lost.update({kind: count for kind, count in losses.items() if count})
        return format.text(sentence)

    def _format_for(self, sentence: Sentence) -> OutputFormat:
        """What could not be read cannot be converted: it is written as it was read, unless the format has a way."""
        if sentence.error and self._format.name in FORMATS:
            return FORMATS[sentence.format]
        return self._format


def write(
    sentences: Iterable[Sentence], path: str | Path, format: str | None = None, losses: Counter[str] | None = None
) -> int:
    """Write sentences to a file (`-`: standard output) and return their number.

    The format is the one named, else the one the file's name announces, else the first sentence's.
    What the format has no room for is counted into `losses`. The file appears only when complete.
    """
    named = format or kind_of_name(path, {name: known.suffixes for name, known in output_formats().items()})
    writer = Writer(named) if named else None
    count = 0
    with open_output(path) as file:
        for sentence in sentences:
            writer = writer or Writer(sentence.format)  # one file, one format
            if count == 0:
                file.write(writer.header)
            file.write(writer.text(sentence))
            count += 1
    if writer is not None and losses is not None:
        losses.update(writer.lost)
    return count
