"""Tables and linear layers in two precisions: exact, or with 8-bit integers.

Inputs are quantised row by row: each row has a scale of its own, taken from its largest number. So a word's result does
not depend on the other words of the batch, as it would with one scale for all of them; and since sums of integers are
exact, not even the rounding does.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from arctag.backends.torch.export.graph import Array, Graph

MOST_WEIGHT = 64
"""Weights are from −64 to 64: processors without VNNI add pairs of products in 16 bits, which must not overflow."""
_MIDDLE, _LEVELS = 128, 127
_GELU_LEAST, _GELU_BELOW = 0.171, 16  # GELU is never below −0.17: most levels are for numbers above 0


class Dense(Protocol):
    """How a graph looks numbers up in a table and multiplies by weights."""

    graph: Graph

    def __init__(self, graph: Graph) -> None: ...

    def table(self, weights: Array, numbers: str) -> str:
        """Rows of a table by number: [..., size]."""
        ...

    def linear(self, rows: str, weights: Array, bias: Array | None = None, *, order: str = "", maker: str = "") -> str:
        """[n, in] → [n, out] with weights [in, out].

        With `order`, rows are taken by these numbers, and the result has their shape: [..., out].
        `maker` is the operator that gave the rows, if known.
        """
        ...

    def state(self, rows: str, weights: Array, bias: Array) -> str:
        """The same for rows of numbers from −1 to 1, as the states of an LSTM are."""
        ...


class Exact:
    """Single precision throughout."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    def table(self, weights: Array, numbers: str) -> str:
        """Rows of a table."""
        return self.graph.add("Gather", self.graph.weight(weights.astype(np.float32)), numbers)

    def linear(
        self,
        rows: str,
        weights: Array,
        bias: Array | None = None,
        *,
        order: str = "",
        maker: str = "",  # noqa: ARG002
    ) -> str:
        """A matrix product and a sum."""
        taken = self.graph.add_once("Gather", rows, order) if order else rows
        product = self.graph.add("MatMul", taken, self.graph.weight(weights.astype(np.float32)))
        return _with_bias(self.graph, product, bias)

    def state(self, rows: str, weights: Array, bias: Array) -> str:
        """The same."""
        return self.linear(rows, weights, bias)


class _Rows(NamedTuple):
    """Rows as integers: those, the scale of each row, and the integer that stands for 0."""

    integers: str
    scales: str
    zero: str


class Int8:
    """Tables and weights in 8 bits, products of integers."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._rows: dict[str, _Rows] = {}

    def table(self, weights: Array, numbers: str) -> str:
        """Rows of a table, each with its own scale."""
        graph = self.graph
        scales = np.maximum(np.abs(weights).max(-1, keepdims=True), 1e-30) / _LEVELS
        integers = graph.weight(np.round(weights / scales).astype(np.int8))
        rows = graph.add("Cast", graph.add("Gather", integers, numbers), to=1)
        return graph.add("Mul", rows, graph.add("Gather", graph.weight(scales.astype(np.float32)), numbers))

    def linear(self, rows: str, weights: Array, bias: Array | None = None, *, order: str = "", maker: str = "") -> str:
        """A product of integers, times the scales of row and column."""
        graph = self.graph
        if rows not in self._rows:  # once for all layers that read them
            self._rows[rows] = _gelu_rows(graph, rows) if maker == "Gelu" else _any_rows(graph, rows)
        integers, scales, zero = self._rows[rows]
        if order:
            integers, scales = (graph.add_once("Gather", table, order) for table in (integers, scales))
        product = self._product(integers, zero, weights, graph.number(1))
        return _with_bias(graph, graph.add("Mul", product, scales), bias)

    def state(self, rows: str, weights: Array, bias: Array) -> str:
        """With a fixed scale."""
        scale, zero = self.graph.number(1 / _LEVELS), self.graph.weight(np.array(_MIDDLE, dtype=np.uint8))
        integers = self.graph.add("QuantizeLinear", rows, scale, zero)
        return self._product(integers, zero, weights, scale, "", self.graph.weight(bias.astype(np.float32)))

    def _product(self, integers: str, zero: str, weights: Array, scale: str, *more: str) -> str:
        scales = np.maximum(np.abs(weights).max(0), 1e-30) / MOST_WEIGHT
        columns = self.graph.weight(np.round(weights / scales).astype(np.int8))
        scales_name = self.graph.weight(scales.astype(np.float32))
        return self.graph.add("MatMulIntegerToFloat", integers, columns, scale, scales_name, zero, *more)


def _any_rows(graph: Graph, rows: str) -> _Rows:
    """The largest number of a row, of either sign, is 127 steps from 0."""
    last = graph.integers(-1)
    above, below = graph.add("ReduceMax", rows, last), graph.add("Neg", graph.add("ReduceMin", rows, last))
    largest = graph.add("Max", above, below, graph.number(1e-30))
    return _quantised(graph, rows, graph.add("Mul", largest, graph.number(1 / _LEVELS)), _MIDDLE)


def _gelu_rows(graph: Graph, rows: str) -> _Rows:
    """Few steps below 0, the others above."""
    above = graph.add("ReduceMax", rows, graph.integers(-1))
    scales = graph.add("Mul", above, graph.number(1 / (255 - _GELU_BELOW)))
    scales = graph.add("Max", scales, graph.number(_GELU_LEAST / _GELU_BELOW))
    return _quantised(graph, rows, scales, _GELU_BELOW)


def _quantised(graph: Graph, rows: str, scales: str, zero: int) -> _Rows:
    flat = graph.add("Squeeze", scales, graph.integers(-1))
    middle = graph.weight(np.array(zero, dtype=np.uint8))
    zeros = graph.add("Expand", middle, graph.add("Shape", flat))
    return _Rows(graph.add("QuantizeLinear", rows, flat, zeros, axis=0), scales, middle)


def _with_bias(graph: Graph, rows: str, bias: Array | None) -> str:
    return rows if bias is None else graph.add("Add", rows, graph.weight(bias.astype(np.float32)))
