"""A builder of ONNX graphs: nodes and weights are added one after another, and go by the names it gives them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import helper, numpy_helper

from arctag import __version__
from arctag.backends.onnx.file import FORMAT, FORMAT_KEY, MICROSOFT, MICROSOFT_OPERATORS

Array = npt.NDArray[Any]
Shape = Sequence[int | str]
OPSET, IR_VERSION = 20, 9


class Graph:
    """Nodes in the order of their work, and weights by name."""

    def __init__(self, prefix: str = "") -> None:
        self.prefix = prefix
        self.nodes: list[onnx.NodeProto] = []
        self.weights: dict[str, Array] = {}
        self._known: dict[object, str] = {}
        self._count = 0

    def name(self, kind: str) -> str:
        """A name that nothing has yet."""
        self._count += 1
        return f"{self.prefix}{kind}{self._count}"

    def weight(self, array: Array) -> str:
        """The name of an array that belongs to the model; the same array twice is kept once."""
        array = np.ascontiguousarray(array).reshape(np.shape(array))  # the first makes a scalar a row
        key = (str(array.dtype), array.shape, blake2b(array.tobytes()).digest())
        if key not in self._known:
            self._known[key] = self.name("weight")
            self.weights[self._known[key]] = array
        return self._known[key]

    def number(self, value: float) -> str:
        """A single-precision constant."""
        return self.weight(np.array(value, dtype=np.float32))

    def integers(self, *values: int) -> str:
        """A row of integers: axes, shapes, sizes."""
        return self.weight(np.array(values, dtype=np.int64))

    def add(self, operator: str, *inputs: str, **attributes: Any) -> str:
        """A node with one result: its name."""
        return self.add_many(operator, *inputs, outputs=1, **attributes)[0]

    def add_many(self, operator: str, *inputs: str, outputs: int, **attributes: Any) -> list[str]:
        """A node with several results."""
        names = [self.name(operator) for _ in range(outputs)]
        domain = MICROSOFT if operator in MICROSOFT_OPERATORS else ""
        self.nodes.append(helper.make_node(operator, list(inputs), names, domain=domain, **attributes))
        return names

    def add_once(self, operator: str, *inputs: str, **attributes: Any) -> str:
        """As `add`, but the same node twice is added once."""
        key = (operator, inputs, tuple(attributes.items()))
        if key not in self._known:
            self._known[key] = self.add(operator, *inputs, **attributes)
        return self._known[key]

    def rename(self, old: str, new: str) -> None:
        """Give a result the name by which others know it."""
        for node in self.nodes:
            for names in (node.input, node.output):
                for i, name in enumerate(names):
                    if name == old:
                        names[i] = new

    def body(self, inputs: Mapping[str, Shape], outputs: Mapping[str, Shape]) -> onnx.GraphProto:
        """As the inner graph of a node."""
        weights = [numpy_helper.from_array(array, name) for name, array in self.weights.items()]
        return helper.make_graph(self.nodes, "graph", _infos(inputs, {}), _infos(outputs, {}), weights)

    def model(
        self, inputs: Mapping[str, Shape], outputs: Mapping[str, Shape], types: Mapping[str, Any]
    ) -> onnx.ModelProto:
        """As a model; what is not in `types` is in single precision."""
        weights = [numpy_helper.from_array(array, name) for name, array in self.weights.items()]
        graph = helper.make_graph(self.nodes, "graph", _infos(inputs, types), _infos(outputs, types), weights)
        domains = [helper.make_opsetid("", OPSET), helper.make_opsetid(MICROSOFT, 1)]
        model = helper.make_model(
            graph, opset_imports=domains, ir_version=IR_VERSION, producer_name="arctag", producer_version=__version__
        )
        helper.set_model_props(model, {FORMAT_KEY: str(FORMAT)})
        return model


def _infos(shapes: Mapping[str, Shape], types: Mapping[str, Any]) -> list[onnx.ValueInfoProto]:
    kinds = {name: helper.np_dtype_to_tensor_dtype(np.dtype(types.get(name, np.float32))) for name in shapes}
    return [helper.make_tensor_value_info(name, kinds[name], shape) for name, shape in shapes.items()]
