"""Room for requests: what is taken is given back."""

from __future__ import annotations

from contextlib import ExitStack, suppress

import pytest

from arctag.serve.capacity import Busy, Capacity, Slot
from arctag.serve.limits import Limits


def unused() -> None:
    raise AssertionError("nothing has to make room")


def test_capacity_a_slot_is_released() -> None:
    capacity = Capacity(Limits(requests=1, body=10, bodies=1))
    for _ in range(3):
        with capacity.slot(unused) as slot, capacity.slot(unused) as other:
            slot.receive(10)
            slot.admit()
            assert (capacity.requests, capacity.bytes) == (1, 10)
            with pytest.raises(Busy):
                other.admit()
            with pytest.raises(Busy):
                other.receive(1)
        assert (capacity.requests, capacity.bytes) == (0, 0)


def test_capacity_a_slot_is_released_after_an_error() -> None:
    capacity = Capacity(Limits(requests=1))
    with suppress(KeyError), capacity.slot(unused) as slot:
        slot.admit()
        raise KeyError
    assert capacity.requests == 0


def test_capacity_those_that_wait_for_their_client_make_room_the_oldest_first() -> None:
    capacity, dropped = Capacity(Limits(requests=3)), []
    with ExitStack() as stack:

        def enter(name: str) -> Slot:
            slot = stack.enter_context(capacity.slot(lambda: dropped.append(name)))
            slot.admit()
            return slot

        enter("busy")
        for name in ("first", "second"):
            stack.enter_context(enter(name).waiting())
        for name in ("third", "fourth"):
            enter(name)
        assert (capacity.requests, dropped) == (3, ["first", "second"])
        with pytest.raises(Busy):
            enter("fifth")
    assert (capacity.requests, dropped) == (0, ["first", "second"])


def test_capacity_small_requests_hold_nothing() -> None:
    capacity = Capacity(Limits(body=3_200, bodies=1))
    with capacity.slot(unused) as large, capacity.slot(unused) as small:
        large.receive(3_300)
        small.receive(60)
        small.receive(40)
        assert capacity.bytes == 3_200
        with pytest.raises(Busy):
            small.receive(1)
