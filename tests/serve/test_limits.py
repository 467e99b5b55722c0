"""Room for requests: what is taken is given back."""

from __future__ import annotations

from contextlib import ExitStack, suppress

import pytest

from arctag.errors import InputError
from arctag.serve.limits import Busy, Gate, Limits, Place


def unused() -> None:
    raise AssertionError("nobody is in the way")


def test_limits_a_place_is_given_back() -> None:
    gate = Gate(Limits(requests=1, body=10, bodies=1))
    for _ in range(3):
        with gate.place(unused) as place, gate.place(unused) as other:
            place.hold(10)
            place.enter()
            assert (gate.inside, gate.held) == (1, 10)
            with pytest.raises(Busy):
                other.enter()
            with pytest.raises(Busy):
                other.hold(1)
        assert (gate.inside, gate.held) == (0, 0)


def test_limits_a_place_is_given_back_after_a_fault() -> None:
    gate = Gate(Limits(requests=1))
    with suppress(KeyError), gate.place(unused) as place:
        place.enter()
        raise KeyError
    assert gate.inside == 0


def test_limits_those_that_wait_for_their_client_make_room_the_oldest_first() -> None:
    gate, dropped = Gate(Limits(requests=3)), []
    with ExitStack() as stack:

        def enter(name: str) -> Place:
            place = stack.enter_context(gate.place(lambda: dropped.append(name)))
            place.enter()
            return place

        enter("busy")
        for name in ("first", "second"):
            stack.enter_context(enter(name).waiting())
        for name in ("third", "fourth"):
            enter(name)
        assert (gate.inside, dropped) == (3, ["first", "second"])
        with pytest.raises(Busy):
            enter("fifth")
    assert (gate.inside, dropped) == (0, ["first", "second"])


def test_limits_small_requests_hold_nothing() -> None:
    gate = Gate(Limits(body=3_200, bodies=1))
    with gate.place(unused) as large, gate.place(unused) as small:
        large.hold(3_300)
        small.hold(60)
        small.hold(40)
        assert gate.held == 3_200
        with pytest.raises(Busy):
            small.hold(1)


@pytest.mark.parametrize(
    ("keys", "line"),
    [({"requests": 0}, "the queue must be a number more than 0, not 0"),
     ({"body": -1}, "the largest request must be a number more"),
     ({"seconds": 0.0}, "the time limit must be a number more than 0, not 0.0"),
     ({"seconds": float("nan")}, "the time limit must be a number more than 0, not nan"),
     ({"seconds": float("inf")}, "the time limit must be a number more than 0, not inf")],
)  # fmt: skip
def test_limits_must_make_sense(keys: dict[str, int], line: str) -> None:
    with pytest.raises(InputError, match=line):
        Limits(**keys)
