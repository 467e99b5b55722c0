"""Limits must make sense."""

from __future__ import annotations

import pytest

from arctag.errors import InputError
from arctag.serve.limits import Limits


@pytest.mark.parametrize(
    ("keys", "line"),
    [({"requests": 0}, "the queue must be a number greater than 0, not 0"),
     ({"body": -1}, "the largest request must be a number greater"),
     ({"seconds": 0.0}, "the time limit must be a number greater than 0, not 0.0"),
     ({"seconds": float("nan")}, "the time limit must be a number greater than 0, not nan"),
     ({"seconds": float("inf")}, "the time limit must be a number greater than 0, not inf")],
)  # fmt: skip
def test_limits_must_make_sense(keys: dict[str, int], line: str) -> None:
    with pytest.raises(InputError, match=line):
        Limits(**keys)
