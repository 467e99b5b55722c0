"""What CoNLL-U and SDP share: sentences are blocks of lines, comments first, a blank line after."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from arctag.errors import FormatError, InputError
from arctag.formats.files import Run, paragraphs, text_paragraphs
from arctag.formats.streams import Input, name_of
from arctag.graph import Graph
from arctag.sentence import Sentence

OnError = Callable[[FormatError], None]
GraphOf = Callable[["Block"], Graph]


@dataclass
class Block:
    """The lines of one sentence, before anyone looks at the columns."""

    source: str
    line: int
    """The number of the first token line."""
    comments: list[str]
    lines: list[str]
    """The token lines as they stand; a block can travel to another process, which looks at the columns there."""
    blanks: int = 0
    fault: FormatError | None = None
    """What was wrong with a line before anyone looked at the columns."""

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


def _blocks(runs: Iterable[Run], source: str, kind: str, faults: deque[FormatError] | None) -> Iterator[Block]:
    """The blocks of runs of lines; `faults`, if they are tolerated, fill up as lines are read that are no text."""
    waiting: list[str] = []  # comments with an empty line after them: they belong to the sentence that follows
    end, seen = 0, False
    for number, text, blanks in runs:
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


def read_sentences(
    blocks: Iterable[Block], name: str, graph_of: GraphOf, on_error: OnError | None
) -> Iterator[Sentence]:
    """The sentences of blocks in the format of that name, whose graphs `graph_of` reads."""
    for block in blocks:
        fault = ""
        try:
            if block.fault is not None:
                raise block.fault
            graph = graph_of(block)
        except FormatError as error:
            if on_error is None:
                raise
            on_error(error)
            graph, fault = Graph.without_arcs(0), str(error)
        source = f"{block.source}:{block.line}"
        yield Sentence(block.rows, graph, name, tuple(block.comments), block.blanks, source=source, error=fault)


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
