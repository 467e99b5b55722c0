"""What CoNLL-U and SDP share: a sentence is a block of lines, comments first, a blank line after."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from arctag.errors import FormatError, InputError
from arctag.formats.base import Format
from arctag.formats.files import Paragraph, paragraphs, text_paragraphs
from arctag.formats.streams import Input, OnError, name_of
from arctag.graph import Graph
from arctag.sentence import Sentence

GraphOf = Callable[["Block"], Graph]


@dataclass
class Block:
    """The chunks of a graph file: the lines of one sentence, whose columns are not looked at yet."""

    source: str
    line: int
    """The number of the first token line."""
    comments: list[str]
    lines: list[str]
    """The token lines as they stand."""
    blanks: int = 0
    """Empty lines after the sentence."""
    fault: FormatError | None = None
    """What is wrong with a line, whatever its columns."""

    @property
    def text(self) -> str:
        """Its lines."""
        return "\n".join([*self.comments, *self.lines])

    @property
    def words(self) -> int:
        """About how many words it has."""
        return len(self.lines)

    @cached_property
    def rows(self) -> list[list[str]]:
        """The columns of each line."""
        return [line.split("\t") for line in self.lines]

    def error(self, row: int, found: str, expected: str) -> FormatError:
        """An error that names the line of the given row."""
        return FormatError(self.source, self.line + row, found, expected)


def blocks(source: Input, tolerant: bool = False) -> Iterator[Block]:
    """Stream the blocks of a file; a file without a single sentence is an error.

    If tolerant, lines that are not UTF-8 are kept as they are, as a fault of their block; and so is the end of a file
    that breaks off.
    """
    faults: deque[FormatError] | None = deque() if tolerant else None
    on_bad = None if faults is None else faults.append
    return _blocks(paragraphs(source, on_bad), name_of(source), "file", faults)


def text_blocks(text: str, source: str, tolerant: bool = False) -> Iterator[Block]:
    """The blocks of a file's text that is in memory; `source` is what messages call it."""
    return _blocks(text_paragraphs(text), source, "text", deque() if tolerant else None)


def _blocks(
    paragraphs: Iterable[Paragraph], source: str, kind: str, faults: deque[FormatError] | None
) -> Iterator[Block]:
    """The blocks of paragraphs; `faults`, if they are tolerated, fills up as lines are read that are not UTF-8."""
    waiting: list[str] = []  # comments with an empty line after them: they belong to the sentence that follows
    end, seen = 0, False
    for number, text, blanks in paragraphs:
        at, end = 0, number + len(text) + blanks - 1
        while at < len(text) and _is_comment(text[at]):
            at += 1
        if at == len(text):
            waiting.extend(text)
            continue
        block = Block(source, number + at, [*waiting, *text[:at]], text[at:], blanks)
        if faults:
            _take_faults(block, faults, number + len(text) - 1)
        if min(block.lines) < "$":  # a line that starts with '#', or with what sorts before it: look closer
            _check_comments(block)
        waiting, seen = [], True
        yield block
    if fault := _fault_at_end(source, kind, end, seen, waiting, faults):
        if faults is None or not waiting:  # there is nothing to pass on
            raise fault
        yield Block(source, end, waiting, [], 0, fault)


def _take_faults(block: Block, faults: deque[FormatError], last: int) -> None:
    """Give a block the first of the faults in its lines; one without a line is that the file breaks off there."""
    while faults and (block.blanks == 0 if faults[0].line is None else faults[0].line <= last):
        fault = faults.popleft()
        block.fault = block.fault or fault


def _fault_at_end(
    source: str, kind: str, end: int, seen: bool, waiting: list[str], faults: deque[FormatError] | None
) -> FormatError | None:
    """What is wrong after the last sentence, if anything is."""
    if faults:
        return faults[0]
    if not seen:
        why = "only comments" if waiting else f"the {kind} is empty"
        return FormatError(source, end or None, f"no sentence ({why})", "at least one sentence")
    if waiting:
        return FormatError(source, end, f"a comment with no sentence at the end ({waiting[0]!r})", "words below it")
    return None


def _is_comment(line: str) -> bool:
    """A line that starts with '#', unless that is a word: then a tab comes before any space."""
    return line[0] == "#" and "\t" not in line.split(" ", 1)[0]


def _check_comments(block: Block) -> None:
    for i, line in enumerate(block.lines):
        if _is_comment(line):
            fault = block.error(i, "a comment between the words of a sentence", "comments above the words")
            block.fault = block.fault or fault
            return


class BlockFormat(Format[Block]):
    """A format whose sentences are blocks; what is left to each is its columns."""

    beginning: re.Pattern[bytes]
    """How files begin."""

    def recognises(self, start: bytes) -> bool:
        """Whether a file begins so."""
        return self.beginning.match(start) is not None

    def chunks(self, source: Input, tolerant: bool = False) -> Iterator[Block]:
        """The blocks of a file."""
        return blocks(source, tolerant)

    def sentences(
        self, chunks: Iterable[Block], words_only: bool = False, on_error: OnError | None = None
    ) -> Iterator[Sentence]:
        """A sentence for each block."""
        graph_of = self.graph_reader(words_only)
        for block in chunks:
            error = ""
            try:
                if block.fault is not None:
                    raise block.fault
                graph = graph_of(block)
            except FormatError as fault:
                if on_error is None:
                    raise
                on_error(fault)
                graph, error = Graph.without_arcs(0), str(fault)
            source = f"{block.source}:{block.line}"
            yield Sentence(
                block.rows, graph, self.name, tuple(block.comments), block.blanks, source=source, error=error
            )

    @abstractmethod
    def graph_reader(self, words_only: bool) -> GraphOf:
        """A function that checks the columns of a block and reads its graph, or with `words_only` none of its arcs."""


def check_relations(graph: Graph, format: str, forbidden: str = "") -> None:
    """Refuse relations that could not be read back."""
    for relations in set(graph.relations):
        for relation in relations:
            _check_relation(relation, format, forbidden)


@lru_cache(maxsize=10_000)
def _check_relation(relation: str, format: str, forbidden: str) -> None:
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
