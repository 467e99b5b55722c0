"""`--sentence`: only the sentences that the user names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import click

from arctag.errors import InputError
from arctag.sentence import Sentence

sentence_option = click.option(
    "--sentence",
    "wanted",
    multiple=True,
    metavar="ID",
    help="Only this sentence: its id or its number, from 1. Repeatable.",
)


def chosen(sentences: Iterable[Sentence], wanted: Iterable[str]) -> Iterator[Sentence]:
    """Those whose id or number is wanted, all if none is named; reading stops when all are found."""
    missing = set(wanted)
    if not missing:
        yield from sentences
        return
    for number, sentence in enumerate(sentences, 1):
        names = {sentence.id, str(number)}
        if names & missing:
            missing -= names
            yield sentence
        if not missing:
            return
    raise InputError(f"no sentence with the id or number {', '.join(sorted(missing))}")
