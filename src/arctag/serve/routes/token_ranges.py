"""The positions of tokens in a text, for UDPipe's option `ranges`: TokenRange=START:END in MISC."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from arctag.sentence import Row, Sentence


def with_ranges(sentences: Iterable[Sentence], text: str) -> Iterator[Sentence]:
    """The same sentences with the positions of their tokens in the text that they were made from, in characters.

    A tokenizer changes nothing but space, so that the other characters correspond one to one.
    """
    at = 0
    for sentence in sentences:
        rows: list[Row] = []
        last = 0  # the last word of the multiword token before
        for row in sentence.rows:
            first, dash, end_of_token = row[0].partition("-")
            if not dash and int(first) <= last:  # only the token as a whole is in the text
                rows.append(row)
                continue
            last = int(end_of_token or first)
            start, at = _span(text, at, row[1])
            rows.append([*row[:9], f"{'' if row[9] == '_' else row[9] + '|'}TokenRange={start}:{at}"])
        yield sentence.replace(rows=rows)


def _span(text: str, at: int, form: str) -> tuple[int, int]:
    """Where the next token begins and ends."""
    start = _next_letter(text, at)
    at = start
    for letter in form:
        if not letter.isspace():
            at = _next_letter(text, at) + 1
    return start, at


def _next_letter(text: str, at: int) -> int:
    while text[at].isspace():
        at += 1
    return at
