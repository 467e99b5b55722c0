"""What is wrong with a request, in our own words: pydantic's speak of its own classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

_EXPECTED = {
    "bool_type": "true or false",
    "float_type": "a number",
    "int_parsing": "a whole number",
    "int_type": "a whole number",
    "list_type": "a list",
    "model_type": 'an object, {"…": …}',
    "string_type": "a string",
}


def in_words(error: Mapping[str, Any]) -> str:
    """One line about one of pydantic's errors, and where in the request it is."""
    where = _place(error["loc"])
    why = _why(error)
    return f"{where}: {why}" if where else why if error["type"] == "value_error" else f"the request: {why}"


def _why(error: Mapping[str, Any]) -> str:
    kind, more = error["type"], error.get("ctx", {})
    if kind in _EXPECTED:
        return f"expected {_EXPECTED[kind]}"
    if kind == "literal_error":
        return f"expected {more['expected']}"
    if kind == "missing":
        return "is needed, and was not given"
    if kind == "extra_forbidden":
        return "there is no such key here; see /docs"
    if kind == "too_short":
        return f"expected at least {more['min_length']}, found {more['actual_length']}"
    message: str = error["msg"]
    return message.removeprefix("Value error, ")  # said by ourselves


def _place(location: Sequence[int | str]) -> str:
    """Where in the request something is wrong: `tokens[0][3]`."""
    place = ""
    for part in location[1:]:  # the first is always 'body'
        place += f"[{part}]" if isinstance(part, int) else f".{part}" if place else part
    return place
