"""The ONNX files of an exported model: what goes in and out, and a check before they are run.

A model folder may come from anywhere. ONNX Runtime would follow a file's pointers to other files,
so one that has any is refused, as is one that asks for operators beyond the standard.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from arctag.errors import InputError

FORMAT_KEY, FORMAT = "arctag_format", 1
LARGEST = 2**31 - 2**20  # bytes: what protobuf can hold, and room for words beside the numbers
MICROSOFT, MICROSOFT_OPERATORS = "com.microsoft", frozenset({"MatMulIntegerToFloat"})
"""The few operators of ONNX Runtime itself that are used; it has others that load files."""

SUBWORDS, VECTORS = "pieces", "vectors"  # the name of the first stays as it is in files that exist
NODES, WORD_SHAPES = "nodes", "shapes"
ARC_TABLES = ("arc_heads", "arc_dependents")
RELATION_TABLES = ("relation_heads", "relation_dependents")
RELATION_ARCS = ("heads", "dependents")
RELATION_ANSWERS = ("best", "doubt")
TUPLE_ANSWERS = ("tuple_best", "tuple_second", "tuple_doubt")


def tag_answers(i: int) -> tuple[str, str, str]:
    """The names of the results for encoding i: its best labels, the second ones, and how much these are in doubt."""
    return f"best{i}", f"second{i}", f"doubt{i}"


def is_label_table(name: str) -> bool:
    """Whether the result of that name holds the numbers of labels."""
    return name.startswith(("best", "second", *TUPLE_ANSWERS[:2]))


def read_onnx(path: Path) -> bytes:
    """The bytes of a file that is safe to run; `InputError` for any other."""
    try:
        size = path.stat().st_size
        if size > LARGEST:
            raise InputError(f"{path}: the network cannot be used ({size} bytes)")
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise InputError(f"{path.parent} is not a model folder: {path.name} is missing") from error
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from error
    try:
        _check_model(memoryview(data))
    except (ValueError, IndexError, RecursionError) as error:
        raise InputError(f"{path}: the network cannot be used ({error})") from error
    return data


# Where messages stand inside messages: field number → kind of message. From the ONNX definition (onnx.proto).
_INSIDE = {
    "model": {7: "graph"},
    "graph": {1: "node", 5: "tensor", 15: "sparse"},
    "node": {5: "attribute"},
    "attribute": {5: "tensor", 6: "graph", 10: "tensor", 11: "graph", 22: "sparse", 23: "sparse"},
    "sparse": {1: "tensor", 2: "tensor"},
    "tensor": {},
}
_REFUSED = {
    ("model", 20): "training steps", ("model", 25): "functions of its own",
    ("tensor", 13): "weights in another file", ("tensor", 14): "weights in another file",
}  # fmt: skip
_NAME, _DOMAIN = 4, 7
_TYPE, _RAW = 2, 9
_FLOATS = {1: "<f4", 10: "<f2", 11: "<f8"}  # data types of tensors; bf16 (16) is not used
_NUMBERS = {4: "<f4", 10: "<f8"}  # where a tensor has them one by one, not as raw bytes
_ENDLESS = "Loop"  # may run forever


def _check_model(data: memoryview) -> None:
    """`ValueError` for what an exported model never has."""
    waiting = [("model", data)]
    while waiting:
        kind, message = waiting.pop()
        names: dict[int, str] = {}
        numbers: list[tuple[int, memoryview]] = []
        data_type = 0
        for number, value in _fields(message):
            if (kind, number) in _REFUSED and value not in (0, b""):
                raise ValueError(_REFUSED[kind, number])
            if isinstance(value, int):
                data_type = value if kind == "tensor" and number == _TYPE else data_type
                continue
            if number in _INSIDE[kind]:
                waiting.append((_INSIDE[kind][number], value))
            elif kind == "node" and number in (_NAME, _DOMAIN):
                names[number] = bytes(value).decode("utf-8")
            elif kind == "tensor" and (number == _RAW or number in _NUMBERS):
                numbers.append((number, value))
        for number, some in numbers:
            _check_numbers(some, _FLOATS.get(data_type) if number == _RAW else _NUMBERS[number])
        if kind == "node":
            _check_operator(names.get(_NAME, ""), names.get(_DOMAIN, ""))


def _check_numbers(data: memoryview, kind: str | None) -> None:
    if kind is not None and not np.isfinite(np.frombuffer(data, kind)).all():
        raise ValueError("a weight is not a finite number")


def _check_operator(name: str, domain: str) -> None:
    standard = domain in ("", "ai.onnx") and name != _ENDLESS
    if not standard and not (domain == MICROSOFT and name in MICROSOFT_OPERATORS):
        raise ValueError(f"the operator {name!r}")


def _fields(message: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    """The fields of a protobuf message: numbers, or bytes."""
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        wire = key & 7
        if wire == 0:
            value, at = _varint(message, at)
            yield key >> 3, value
            continue
        if wire == 2:
            length, at = _varint(message, at)
        elif wire in (1, 5):
            length = 8 if wire == 1 else 4
        else:
            raise ValueError("no ONNX model")
        if at + length > len(message):
            raise ValueError("cut off")
        yield key >> 3, message[at : at + length]
        at += length


def _varint(message: memoryview, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        byte = message[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
    raise ValueError("no ONNX model")
