"""`--sentence`, `--limit` and `--layer`: choosing sentences by id, number or count, and one of their graphs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TypeVar

import click

from arctag.errors import InputError
from arctag.sentence import Sentence

T = TypeVar("T")

sentence_option = click.option(
    "--sentence",
    "wanted",
    multiple=True,
    metavar="ID",
    help="Only the sentence with this id or number (from 1); repeatable.",
)


limit_option = click.option("--limit", type=click.IntRange(min=1), help="Only the first N sentences.")
layer_option = click.option(
    "--layer", metavar="NAME", help="Another graph: in this column of CoNLL-U Plus, or `tree` (HEAD and DEPREL)."
)


def chosen(
    items: Iterable[T], wanted: Iterable[str], sentence_of: Callable[[T], Sentence], limit: int | None = None
) -> Iterator[T]:
    """The items whose sentence has a wanted id or number (all if none is named), at most `limit`.

    Nothing is read after the last one.
    """
    return islice(_named(items, wanted, sentence_of), limit)


def _named(items: Iterable[T], wanted: Iterable[str], sentence_of: Callable[[T], Sentence]) -> Iterator[T]:
    missing = set(wanted)
    if not missing:
        yield from items
        return
    for number, item in enumerate(items, 1):
        names = {sentence_of(item).id, str(number)}
        if names & missing:
            missing -= names
            yield item
        if not missing:
            return
    raise InputError(f"no sentence with the id or number {', '.join(sorted(missing))}")
