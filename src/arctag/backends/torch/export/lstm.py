"""BiLSTMs as loops over steps, both directions alike.

Rows are read in the order of the numbers `steps` [steps, sequences]; behind the end of a sequence
these may be anything, since nothing is taken from there: a step never sees a later one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from arctag.backends.torch.export.dense import Dense
from arctag.backends.torch.export.graph import Array, Graph, Shape


class Path(NamedTuple):
    """One direction: which row each step reads, and from which step each result is taken (inputs of the graph)."""

    steps: str
    """[steps, sequences]."""
    places: str
    """[results]: step × sequences + sequence."""


class Weights(NamedTuple):
    """One direction's weights as torch has them: the gates in the order input, forget, cell, output."""

    inputs: Array
    """[4 × size, input size]."""
    states: Array
    """[4 × size, size]."""
    bias: Array
    """[4 × size]: both of torch's, added up."""


WORD_PATHS = Path("forward", "forward_places"), Path("backward", "backward_places")
CHAR_PATHS = Path("chars_forward", "chars_last"), Path("chars_backward", "chars_last")


def bilstm(dense: Dense, rows: str, layer: Any, paths: tuple[Path, Path]) -> str:
    """One of torch's bidirectional LSTM layers: [rows, d] → [results, 2 × size]."""
    both = _weights(layer, ""), _weights(layer, "_reverse")
    results = [_direction(dense, rows, weights, path) for weights, path in zip(both, paths, strict=True)]
    return dense.graph.add("Concat", *results, axis=-1)


def _weights(layer: Any, end: str) -> Weights:
    names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    inputs, states, bias, more = (getattr(layer, f"{name}_l0{end}").numpy(force=True) for name in names)
    return Weights(inputs, states, bias + more)


def _direction(dense: Dense, rows: str, weights: Weights, path: Path) -> str:
    graph, size = dense.graph, weights.states.shape[1]
    order = _sigmoids_first(size)
    gates = dense.linear(rows, weights.inputs[order].T, order=path.steps)
    start = graph.add("Expand", graph.number(0), _state_shape(graph, path, size))
    body = _step(type(dense), weights.states[order].T, weights.bias[order], graph.name("step"))
    states = graph.add_many("Scan", start, start, gates, outputs=3, body=body, num_scan_inputs=1)[2]
    return graph.add("Gather", graph.add("Reshape", states, graph.integers(-1, size)), path.places)


def _sigmoids_first(size: int) -> Array:
    """Torch's i, f, g, o as i, f, o, g: the three that a sigmoid is taken of side by side."""
    gates = np.arange(4 * size).reshape(4, size)
    return gates[[0, 1, 3, 2]].ravel()


def _state_shape(graph: Graph, path: Path, size: int) -> str:
    sequences = graph.add("Shape", path.steps, start=1, end=2)
    return graph.add("Concat", sequences, graph.integers(size), axis=0)


def _step(make: type[Dense], weights: Array, bias: Array, prefix: str) -> object:
    """The graph of one step: state, cell and what the gates get from the input → new state, new cell, state again."""
    graph, size = Graph(f"{prefix}_"), len(weights)
    state, cell, gates = (graph.name(kind) for kind in ("state", "cell", "gates"))
    total = graph.add("Add", make(graph).state(state, weights, bias), gates)
    switches, fresh = graph.add_many("Split", total, graph.integers(3 * size, size), outputs=2, axis=-1)
    take, keep, show = graph.add_many("Split", graph.add("Sigmoid", switches), outputs=3, axis=-1, num_outputs=3)
    taken = graph.add("Mul", take, graph.add("Tanh", fresh))
    new_cell = graph.add("Add", graph.add("Mul", keep, cell), taken)
    new_state = graph.add("Mul", show, graph.add("Tanh", new_cell))
    result = graph.add("Identity", new_state)
    sequences = f"{prefix}_sequences"
    each: Shape = (sequences, size)
    inputs: dict[str, Shape] = {state: each, cell: each, gates: (sequences, 4 * size)}
    return graph.body(inputs, {new_state: each, new_cell: each, result: each})
