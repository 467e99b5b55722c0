"""Room for requests: what is taken is given back."""

from __future__ import annotations

import pytest

from arctag.errors import InputError
from arctag.serve.limits import Busy, Gate, Limits


def test_limits_a_place_is_given_back() -> None:
    gate = Gate(Limits(requests=1, body=10, bodies=1))
    for _ in range(3):
        with gate.place() as place:
            place.hold(10)
            assert gate.inside == 1
            with pytest.raises(Busy), gate.place():
                pass
            with pytest.raises(Busy):
                place.hold(1)
        assert gate.inside == 0


def test_limits_a_place_is_given_back_after_a_fault() -> None:
    gate = Gate(Limits(requests=1))
    with pytest.raises(KeyError), gate.place():
        raise KeyError
    assert gate.inside == 0


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
