"""What is wrong with a request, in plain words: pydantic's messages name its own classes."""

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


def validation_message(error: Mapping[str, Any]) -> str:
    """One line about one of pydantic's errors, and where in the request it is."""
    field, reason = _field(error["loc"]), _reason(error)
    if field:
        return f"{field}: {reason}"
    return reason if error["type"] == "value_error" else f"the request: {reason}"


def _reason(error: Mapping[str, Any]) -> str:
    kind, context = error["type"], error.get("ctx", {})
    if kind in _EXPECTED:
        return f"expected {_EXPECTED[kind]}"
    if kind == "literal_error":
        return f"expected {context['expected']}"
    if kind == "missing":
        return "required, but missing"
    if kind == "extra_forbidden":
        return "unknown key; see /docs"
    if kind == "too_short":
        return f"expected at least {context['min_length']}, found {context['actual_length']}"
    message: str = error["msg"]
    return message.removeprefix("Value error, ")  # from our own validators


def _field(location: Sequence[int | str]) -> str:
    """Where in the request something is wrong: `tokens[0][3]`."""
    field = ""
    for part in location[1:]:  # the first is always 'body'
        field += f"[{part}]" if isinstance(part, int) else f".{part}" if field else part
    return field
