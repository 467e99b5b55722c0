"""`--sentence` and `--limit`: only the sentences that the user names, only the first ones."""

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
    help="Only this sentence: its id or its number, from 1. Repeatable.",
)


limit_option = click.option("--limit", type=click.IntRange(min=1), help="Only the first N sentences.")


def chosen(
    items: Iterable[T], wanted: Iterable[str], sentence_of: Callable[[T], Sentence], limit: int | None = None
) -> Iterator[T]:
    """The first `limit` whose sentence's id or number is wanted, all if none is named; reading stops when all came."""
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
