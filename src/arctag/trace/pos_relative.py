"""PoS-relative positions: each pair of a tag and a number is a head."""

from __future__ import annotations

from collections.abc import Sequence

from arctag.encodings.pos_relative import NAMES, ROOT, ROOT_STEP
from arctag.trace.layout import Layout, Part
from arctag.trace.recorder import Recorder
from arctag.trace.wording import arrow, named


def decode(recorder: Recorder) -> None:
    """Each pair leads from the word to a head, counting the words with a tag."""
    for word, row in enumerate(recorder.rows, 1):
        recorder.begin(word)
        if not row:
            recorder.note(f"The label is empty: {named(word)} has no head.")
        for tag, step in zip(row[::2], row[1::2], strict=True):
            _head(recorder, word, tag, step)
        recorder.end({})


def _head(recorder: Recorder, word: int, tag: int, step: int) -> None:
    text = f"{NAMES[tag]}{step:+}"
    head = _found(recorder.tags, word, tag, step)
    if head is None:
        recorder.repair(f"{text} leads to no word of this sentence; it is left out")
        return
    recorder.note(f"{text} is {_described(tag, step)}: arc {arrow(head, word)}.")
    recorder.arc(head, word)


def _found(tags: Sequence[int], word: int, tag: int, step: int) -> int | None:
    """The word that a pair leads to; None where there is no such word."""
    if tag == ROOT:
        return 0 if step == ROOT_STEP else None
    if step == 0:
        return word if tags[word - 1] == tag else None
    places = range(word + 1, len(tags) + 1) if step > 0 else range(word - 1, 0, -1)
    for place in places:
        if tags[place - 1] == tag:
            step -= 1 if step > 0 else -1
            if step == 0:
                return place
    return None


def parts(labels: Sequence[str], layout: Layout) -> list[list[Part]]:
    """What each pair stands for."""
    explained = []
    for word, label in enumerate(labels, 1):
        texts = label.split(",") if label != "()" else []
        pairs = zip(texts, layout.heads(word, 1), strict=True)
        explained.append([_part(text, head) for text, head in pairs] or [Part("()", "no head")])
    return explained


def _part(text: str, head: int) -> Part:
    sign = max(text.find("+"), text.find("-"))
    tag, step = NAMES.index(text[:sign]), int(text[sign:])
    if tag == ROOT or step == 0:
        return Part(text, f"a head: {_described(tag, step)}")
    return Part(text, f"{_described(tag, step)} is a head: {named(head)}")


def _described(tag: int, step: int) -> str:
    """The head that a pair stands for, in words."""
    if tag == ROOT:
        return "the root"
    if step == 0:
        return "the word itself"
    return f"the {_ordinal(abs(step))} {NAMES[tag]} to the {'left' if step < 0 else 'right'}"


def _ordinal(number: int) -> str:
    """'2nd', '11th'."""
    if number % 100 in (11, 12, 13):
        return f"{number}th"
    return f"{number}{({1: 'st', 2: 'nd', 3: 'rd'}).get(number % 10, 'th')}"
