"""`trace`: the decoding of one sentence, step by step."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from arctag.encodings import Encoding, LabelRow
from arctag.encodings import encoding as by_name
from arctag.encodings.bits4 import Bits4
from arctag.encodings.upos import sound_tags, tag_numbers
from arctag.errors import InputError
from arctag.trace.families import FAMILIES, family_of
from arctag.trace.recorder import Recorder
from arctag.trace.steps import Trace
from arctag.trace.tree_repair import make_tree


def trace(
    name_or_encoding: str | Encoding,
    labels: Sequence[str],
    n: int | None = None,
    nulls: Sequence[Collection[int]] | None = None,
    tags: Sequence[str] | None = None,
    stacks: bool = True,
) -> Trace:
    """Decode the labels of a sentence and describe each step.

    With `n`, the number of words, the number of labels is checked. `nulls` (bits4 only) lists for each word
    the planes, from 1, whose arc is a null arc: bits do not mark those, so without it they are in the graph.
    `tags` are those of the words (UPOS), for encodings that need them; without tags all words count as X. Without
    `stacks` the steps have none, and a sentence can have any length.
    """
    encoding = by_name(name_or_encoding) if isinstance(name_or_encoding, str) else name_or_encoding
    family = family_of(encoding)
    if family is None:
        known = ", ".join(kind.__name__.lower() for kind in FAMILIES)
        raise InputError(f"the decoding of {encoding.name} cannot be shown step by step; that of these can: {known}")
    if n is not None and n != len(labels):
        raise InputError(f"{n} words need {n} labels; found {len(labels)}")
    rows = [_row(encoding, word, label) for word, label in enumerate(labels, 1)]
    texts = [encoding.format(row) for row in rows]
    # several planes may hold the same null arc, so a repeated arc of bits4 is no fault
    once = not isinstance(encoding, Bits4)
    recorder = Recorder(
        rows, texts, _checked_nulls(encoding, nulls, len(rows)), once, _checked_tags(tags, len(rows)), stacks
    )
    family.decode(recorder)
    if encoding.trees_only:
        make_tree(recorder)
    return Trace(encoding.name, len(rows), tuple(texts), tuple(recorder.steps))


def _row(encoding: Encoding, word: int, label: str) -> LabelRow:
    try:
        return encoding.parse(label)
    except InputError as error:
        raise InputError(f"word {word}: {error}") from error


def _checked_tags(tags: Sequence[str] | None, n: int) -> list[int]:
    """The numbers of the tags of n words."""
    numbers: list[int] = sound_tags(None if tags is None else tag_numbers(tags), n).tolist()
    return numbers


def _checked_nulls(encoding: Encoding, nulls: Sequence[Collection[int]] | None, n: int) -> list[frozenset[int]]:
    if nulls is None:
        return [frozenset()] * n
    if len(nulls) != n:
        raise InputError(f"{n} words need {n} lists of planes with null arcs; found {len(nulls)}")
    last = encoding.k if isinstance(encoding, Bits4) else 0
    for word, planes in enumerate(nulls, 1):
        if wrong := [plane for plane in planes if not 1 <= plane <= last]:
            known = f"its planes are 1 to {last}" if last else "only bits4 has null arcs"
            raise InputError(f"word {word} of {encoding.name}: a null arc in plane {wrong[0]}, but {known}")
    return [frozenset(planes) for planes in nulls]
