"""`checked`: a dictionary from JSON or TOML as a dataclass, every value checked against its type by msgspec."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from arctag.errors import InputError, UnknownName

T = TypeVar("T")
_MESSAGE = re.compile(r"(?:Expected )?(?P<problem>.+?)(?:, got .+)? - at `\$\.?(?P<path>.+)`")
_STEP = re.compile(r"[^.\[\]]+")


def checked(value: Mapping[str, Any], kind: type[T], source: str) -> T:
    """A dataclass from plain values; `InputError` names the source, the key, the value and what was expected.

    Keys that the class does not have are ignored.
    """
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise _explained(str(error), value, kind, source) from error
    except InputError as error:  # from the class itself
        raise InputError(f"{source}: {error}") from error


def choices(kind: type, key: str) -> tuple[str, ...]:
    """The values that a field of type `Literal` may have; none for other fields."""
    hint = get_type_hints(kind)[key]
    literals = [part for part in (hint, *get_args(hint)) if get_origin(part) is Literal]
    return get_args(literals[0]) if literals else ()


def _explained(message: str, value: Mapping[str, Any], kind: type, source: str) -> InputError:
    match = _MESSAGE.fullmatch(message)
    if match is None:  # a key is missing, say
        return InputError(f"{source}: {message.replace('`', '')}")
    path, wrong = match["path"], _at(value, match["path"])
    if isinstance(wrong, str) and message.startswith("Invalid enum value"):
        return UnknownName(f"value for {path} in {source}:", wrong, choices(kind, path))
    expected = match["problem"].replace("`", "").replace(" | null", "").replace("array", "list")
    return InputError(f"{source}: {path}: found {wrong!r:.50}; expected {expected}")


def _at(value: Any, path: str) -> Any:
    """The value at a path such as `spaces[0].rows[3][1]`."""
    for step in _STEP.findall(path):
        value = value[int(step)] if isinstance(value, (list, tuple)) else value.get(step)
    return value
