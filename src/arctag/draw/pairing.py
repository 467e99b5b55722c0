"""Bringing together the sentences of a predicted and a gold file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest

from arctag.draw.compared import check_aligned
from arctag.errors import AlignmentError
from arctag.sentence import Sentence


def paired(predicted: Iterable[Sentence], gold: Iterable[Sentence]) -> Iterator[tuple[Sentence, Sentence]]:
    """Each predicted sentence with its gold one; the first that has none, or has other words, is an error."""
    for sentence, expected in zip_longest(predicted, gold):
        if expected is None:
            raise AlignmentError(
                f"sentence {sentence.id} ({sentence.source}) has no gold sentence: the gold file ends before"
            )
        if sentence is None:
            raise AlignmentError(
                f"gold sentence {expected.id} ({expected.source}) has no partner: the other file ends before"
            )
        check_aligned(sentence, expected)
        yield sentence, expected
