"""Which tokens of a doc are the words of which sentence."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, groupby
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from arctag.parsing.parser import Parser
    from arctag.text.tokenizer import TextTokenizer


def sentence_starts(doc: Doc, parser: Parser) -> list[int]:
    """The first token of each sentence: those of the doc, else of the model's tokenizer, else one sentence."""
    if doc.has_annotation("SENT_START"):
        return [sentence.start for sentence in doc.sents]
    return [0] if parser.tokenizer is None else list(_split(doc, parser.tokenizer))


def _split(doc: Doc, tokenizer: TextTokenizer) -> Iterator[int]:
    """Align the sentences of the model's tokenizer with the tokens, by counting characters that are no spaces."""
    yield 0
    text = re.sub(r"[^\S\n]", " ", doc.text)  # so that both sides agree on what a space is
    ends = accumulate(_letters(sentence.text) for sentence in tokenizer.sentences(text))
    end, seen = next(ends, None), 0
    for token in doc:
        if end is not None and seen >= end and not token.text.isspace():
            yield token.i
            while end is not None and seen >= end:
                end = next(ends, None)
        seen += _letters(token.text)


def _letters(text: str) -> int:
    return len("".join(text.split()))


def words_of(doc: Doc, starts: Sequence[int]) -> list[list[int]]:
    """The tokens of each sentence that are words; a sentence without a word is left out."""
    words = (token.i for token in doc if not token.text.isspace())
    return [list(group) for _, group in groupby(words, key=lambda i: bisect_right(starts, i))]


def set_starts(doc: Doc, starts: Sequence[int]) -> None:
    """Set the sentence starts of the doc."""
    marks = np.full((len(doc), 1), -1)
    marks[list(starts)] = 1
    doc.from_array(["SENT_START"], marks.astype(np.uint64))  # type: ignore[arg-type]  # spaCy's type is thinc's own
