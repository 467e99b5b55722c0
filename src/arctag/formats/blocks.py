"""What CoNLL-U and SDP share: sentences are blocks of lines, comments first, a blank line after."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from arctag.errors import FormatError, InputError
from arctag.formats.files import describe, lines
from arctag.graph import Graph
from arctag.sentence import Sentence

OnError = Callable[[FormatError], None]


@dataclass
class Block:
    """The lines of one sentence, before anyone looks at the columns."""

    source: str
    line: int
    """The number of the first token line."""
    comments: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    blanks: int = 0
    fault: FormatError | None = None
    """What was wrong with a line before anyone looked at the columns."""

    def error(self, row: int, found: str, expected: str) -> FormatError:
        """An error that names the line of the given row."""
        return FormatError(self.source, self.line + row, found, expected)


def blocks(path: str | Path, tolerant: bool = False) -> Iterator[Block]:
    """Stream the blocks of a file; a file without a single sentence is an error.

    If tolerant, lines that are not UTF-8 are kept as they are, as a fault of their block.
    """
    source = describe(path)
    block = Block(source, 0)
    seen = False
    number = 0
    faults: list[FormatError] = []
    for number, text in lines(path, faults.append if tolerant else None):
        if not text:
            if block.rows:
                block.blanks += 1
            continue
        if block.blanks:
            yield block
            block = Block(source, 0)
        if faults:
            block.fault = block.fault or faults.pop()
        if text[0] == "#" and "\t" not in text.split(" ", 1)[0]:
            if block.rows:
                found, expected = "a comment between the words of a sentence", "comments above the words"
                block.fault = block.fault or FormatError(source, number, found, expected)
                block.rows.append([text])
            else:
                block.comments.append(text)
        else:
            if not block.rows:
                block.line = number
                seen = True
            block.rows.append(text.split("\t"))
    if block.rows:
        yield block
    elif not seen:
        why = "only comments" if block.comments else "the file is empty"
        raise FormatError(source, number or None, f"no sentence ({why})", "at least one sentence")
    elif block.comments:
        raise FormatError(
            source, number, f"a comment with no sentence at the end ({block.comments[0]!r})", "words below it"
        )


def read_sentences(
    path: str | Path, name: str, graph_of: Callable[[Block], Graph], on_error: OnError | None
) -> Iterator[Sentence]:
    """Stream the sentences of a file in the format of that name, whose graphs `graph_of` reads."""
    for block in blocks(path, tolerant=on_error is not None):
        extra: dict[str, object] = {}
        try:
            if block.fault is not None:
                raise block.fault
            graph = graph_of(block)
        except FormatError as error:
            if on_error is None:
                raise
            on_error(error)
            graph, extra = Graph(0), {"broken": str(error)}
        source = f"{block.source}:{block.line}"
        yield Sentence(block.rows, graph, name, tuple(block.comments), block.blanks, source=source, extra=extra)


def check_relations(graph: Graph, format: str, forbidden: str = "") -> None:
    """Refuse relations that could not be read back."""
    for relation in {relation for relations in graph.relations for relation in relations}:
        if not relation or any(character in relation for character in "\t\n\r" + forbidden):
            raise InputError(
                f"relation {relation!r} cannot be written as {format}: found an empty one, or a tab, line break"
                f"{' or ' if forbidden else ''}{forbidden} in it; rename it first"
            )


def text_of(comments: tuple[str, ...], rows: list[list[str]], blanks: int) -> str:
    """The lines of a sentence, as a file holds them."""
    out = list(comments)
    out.extend(map("\t".join, rows))
    return "\n".join(out) + "\n" * (blanks + 1)
