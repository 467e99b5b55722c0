"""Graph files that come as text in a request; errors name the field and the line, as those of a file do."""

from __future__ import annotations

from collections.abc import Iterator

from arctag.formats import format_of_beginning, get_format
from arctag.formats.blocks import Block, text_blocks
from arctag.formats.conllu import CONLLU
from arctag.formats.streams import OnError
from arctag.sentence import Sentence
from arctag.serve.limits import Limits

_BEGINNING = 10_000  # characters that are looked at


def format_of_text(text: str) -> str:
    """The format that the text begins like, else CoNLL-U."""
    return format_of_beginning(text[:_BEGINNING].encode("utf-8", "replace")) or CONLLU.name


def read_graphs(
    text: str,
    source: str,
    limits: Limits,
    format: str | None = None,
    words_only: bool = False,
    on_error: OnError | None = None,
) -> Iterator[Sentence]:
    """The sentences of a file's text; `source` is what messages call it."""
    blocks = (_bounded(block, limits) for block in text_blocks(text, source, on_error is not None))
    return get_format(format or format_of_text(text)).sentences(blocks, words_only, on_error)


def _bounded(block: Block, limits: Limits) -> Block:
    """The same block, at fault if reading or scoring it would take too long.

    Each ends with an empty line, whatever was sent: answers are put together from several.
    """
    block.blanks = 1
    if len(block.lines) > limits.words:
        found = f"a sentence of {len(block.lines)} lines"
        block.fault = block.error(0, found, f"at most {limits.words} in this service")
    for i, line in enumerate(block.lines):
        if line.count("|") > limits.heads:
            found = f"{line.count('|')} times '|' in a line"
            block.fault = block.error(i, found, f"at most {limits.heads} in this service")
            break
    return block
