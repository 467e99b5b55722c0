"""Graph files that come as text in a request; what is wrong is told as for a file, with field and line."""

from __future__ import annotations

from collections.abc import Iterator

from arctag.errors import FormatError
from arctag.formats import get_format
from arctag.formats.blocks import Block, OnError
from arctag.formats.sdp import HEADER
from arctag.sentence import Sentence
from arctag.serve.limits import Limits


def format_of_text(text: str) -> str:
    """sdp if it begins as such files do, else conllu."""
    return "sdp" if text.lstrip("\ufeff\r\n").startswith(HEADER) else "conllu"


def read_graphs(
    text: str,
    source: str,
    limits: Limits,
    format: str | None = None,
    words_only: bool = False,
    on_error: OnError | None = None,
) -> Iterator[Sentence]:
    """The sentences of a file's text; `source` is what messages call it."""
    blocks = (_bounded(block, limits) for block in text_blocks(text, source))
    found: Iterator[Sentence] = get_format(format or format_of_text(text)).sentences(blocks, words_only, on_error)
    return found


def text_blocks(text: str, source: str) -> Iterator[Block]:
    """The blocks of a file's text, as `formats.blocks` gives them for a file."""
    comments: list[str] = []
    words: list[str] = []
    seen, number = False, 0
    for number, raw in enumerate(text.removeprefix("\ufeff").removesuffix("\n").split("\n"), 1):
        line = raw.removesuffix("\r")
        if line and not words and _is_comment(line):
            comments.append(line)
        elif line:
            words.append(line)
        elif words:
            yield _block(source, number - len(words), comments, words)
            comments, words, seen = [], [], True
    if words:
        yield _block(source, number + 1 - len(words), comments, words)
    elif not seen:
        why = "only comments" if comments else "the text is empty"
        raise FormatError(source, None, f"no sentence ({why})", "at least one sentence")
    elif comments:
        raise FormatError(source, number, f"a comment with no sentence at the end ({comments[0]!r})", "words below it")


def _block(source: str, line: int, comments: list[str], words: list[str]) -> Block:
    block = Block(source, line, comments, words, blanks=1)
    for i, text in enumerate(words):
        if _is_comment(text):
            block.fault = block.error(i, "a comment between the words of a sentence", "comments above the words")
            break
    return block


def _is_comment(line: str) -> bool:
    """A line that starts with '#', unless that is a word: then a tab comes before any space."""
    return line[0] == "#" and "\t" not in line.split(" ", 1)[0]


def _bounded(block: Block, limits: Limits) -> Block:
    """The same block, at fault if reading or scoring it would take too long."""
    if len(block.lines) > limits.words:
        found = f"a sentence of {len(block.lines)} lines"
        block.fault = block.error(0, found, f"at most {limits.words} in this service")
    for i, line in enumerate(block.lines):
        if line.count("|") > limits.heads:
            found = f"{line.count('|')} times '|' in a line"
            block.fault = block.error(i, found, f"at most {limits.heads} in this service")
            break
    return block
