"""What CoNLL-U and SDP share: sentences are blocks of lines, comments first, a blank line after."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from arctag.errors import FormatError, InputError
from arctag.formats.files import describe, lines
from arctag.graph import Graph


@dataclass
class Block:
    """The lines of one sentence, before anyone looks at the columns."""

    source: str
    line: int
    """The number of the first token line."""
    comments: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    blanks: int = 0

    def error(self, row: int, found: str, expected: str) -> FormatError:
        """An error that names the line of the given row."""
        return FormatError(self.source, self.line + row, found, expected)


def blocks(path: str | Path) -> Iterator[Block]:
    """Stream the blocks of a file; a file without a single sentence is an error."""
    source = describe(path)
    block = Block(source, 0)
    seen = False
    number = 0
    for number, text in lines(path):
        if not text:
            if block.rows:
                block.blanks += 1
            continue
        if block.blanks:
            yield block
            block = Block(source, 0)
        if text[0] == "#" and "\t" not in text.split(" ", 1)[0]:
            if block.rows:
                raise FormatError(
                    source, number, "a comment between the words of a sentence", "comments above the words"
                )
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
