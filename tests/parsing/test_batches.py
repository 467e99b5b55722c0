"""Batches: which sentences go together, and what is worked out ahead."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import active_count, get_ident

import pytest

from arctag.parsing.batches import ahead, batches, in_steps


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


@pytest.mark.parametrize("count", [0, 1, 3])
def test_batches_in_steps_each_step_works_ahead_of_the_next(count: int) -> None:
    done: list[tuple[str, int]] = []
    threads: dict[str, set[int]] = {"first": set(), "second": set()}

    def step(name: str) -> Callable[[int], int]:
        def work(i: int) -> int:
            threads[name].add(get_ident())
            done.append((name, i))
            return i

        return work

    found = []
    for i in in_steps([step("first"), step("second")], range(6), count):
        found.append(i)
        assert ("second", i) in done
        # the result that is asked for was waited for, the ones ahead of it may be under way still
        assert ("first", min(i + count, 5)) in done
    assert found == list(range(6))
    assert [i for name, i in done if name == "first"] == [i for name, i in done if name == "second"] == found
    if count == 0:
        assert threads == {"first": {get_ident()}, "second": {get_ident()}}
    else:
        assert len({get_ident()} | threads["first"] | threads["second"]) == 3


@pytest.mark.parametrize("count", [0, 1])
def test_batches_in_steps_hands_on_errors_and_can_be_left(count: int) -> None:
    threads = active_count()
    with pytest.raises(ZeroDivisionError):
        list(in_steps([lambda i: i, lambda i: 1 // i], [1, 0, 1], count))
    steps = in_steps([str, str.upper], range(100), count)
    assert next(steps) == "0"
    del steps  # threads end
    assert active_count() == threads
