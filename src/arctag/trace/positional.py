"""Absolute and relative positions: each number of a label is a head."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arctag.trace.layout import Layout, Part
from arctag.trace.recorder import Recorder
from arctag.trace.wording import arrow, counted, named


def decode_absolute(recorder: Recorder) -> None:
    """Each number names a head."""
    for word, row in enumerate(recorder.rows, 1):
        _word(recorder, word, [(str(head), head) for head in row])


def decode_relative(recorder: Recorder) -> None:
    """Each number leads from the word to a head."""
    for word, row in enumerate(recorder.rows, 1):
        _word(recorder, word, [(f"{step:+}" if step else "0", word + step) for step in row])


def _word(recorder: Recorder, word: int, heads: list[tuple[str, int]]) -> None:
    """`heads`: each number as text, and the head it means."""
    recorder.begin(word)
    if not heads:
        recorder.note(f"The label is empty: {named(word)} has no head.")
    for text, head in heads:
        if 0 <= head <= len(recorder.rows):
            recorder.note(f"{text} is {_head(word, head)}: arc {arrow(head, word)}.")
            recorder.arc(head, word)
        else:
            recorder.repair(f"{text} would be word {head}, which this sentence lacks; it is left out")
    recorder.end({})


def absolute_parts(labels: Sequence[str], layout: Layout) -> list[list[Part]]:
    """What each number stands for."""
    return [
        [Part(text, f"a head: {_head(word, head)}") for text, head in numbers] or [Part("()", "no head")]
        for word, numbers in _numbers(labels, layout)
    ]


def relative_parts(labels: Sequence[str], layout: Layout) -> list[list[Part]]:
    """What each number stands for."""
    return [
        [Part(text, f"a head {_distance(head - word)}: {_head(word, head)}") for text, head in numbers]
        or [Part("()", "no head")]
        for word, numbers in _numbers(labels, layout)
    ]


def _numbers(labels: Sequence[str], layout: Layout) -> Iterator[tuple[int, list[tuple[str, int]]]]:
    """For each word the numbers of its label, and the head that each one means; both are in order."""
    for word, label in enumerate(labels, 1):
        texts = label[1:-1].split(",") if label != "()" else []
        yield word, list(zip(texts, layout.heads(word, 1), strict=True))


def _head(word: int, head: int) -> str:
    return "the word itself" if head == word else named(head)


def _distance(step: int) -> str:
    return f"{counted(abs(step), 'place')} to the {'left' if step < 0 else 'right'}" if step else "here"
