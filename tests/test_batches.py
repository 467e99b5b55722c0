"""Batches: which sentences go together, and what is worked out ahead."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from arctag.batches import ahead, batches


def test_batches_are_bounded_and_complete() -> None:
    lengths = [3, 0, 9, 1, 4, 4, 0, 2]
    found = list(batches(lengths, 8))
    assert sorted(i for batch in found for i in batch) == [0, 2, 3, 4, 5, 7]
    assert all(len(batch) == 1 or max(lengths[i] for i in batch) * len(batch) <= 8 for batch in found)


@pytest.mark.parametrize("count", [0, 1, 3])
def test_batches_ahead_gives_everything_in_order(count: int) -> None:
    taken: list[int] = []

    def items() -> Iterator[int]:
        for i in range(5):
            taken.append(i)
            yield i

    found = [(square, len(taken)) for square in ahead(lambda i: i * i, items(), count)]
    assert found == [(i * i, min(i + 1 + count, 5)) for i in range(5)]
    assert list(ahead(str, [], count)) == []
    with pytest.raises(ZeroDivisionError):
        list(ahead(lambda i: 1 // i, [1, 0], count))
