"""`encoder.onnx`: a pretrained encoder as torch's own exporter writes it, then in the precision asked for.

All windows of a run are of one length and full, so there is no mask.
"""

from __future__ import annotations

import logging
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from arctag.backends.onnx.file import SUBWORDS, VECTORS
from arctag.backends.onnx.runtime import runtime
from arctag.backends.torch.encoders.transformer import Transformer
from arctag.backends.torch.export import cannot_export
from arctag.backends.torch.export.dense import Dense, Exact
from arctag.backends.torch.export.graph import OPSET, Graph

_WINDOWS, _LENGTH = 3, 7  # exported with these, for any others
_LONG = 200  # subwords: more than the reach of encoders that look at neighbours only
_CLOSE = 1e-3
_LARGE = 10_000  # numbers in a table that is worth 8 bits


class _Unmasked(nn.Module):
    """Subwords in, vectors out."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, subwords: Tensor) -> Tensor:
        """[windows, subwords] → [windows, subwords, size]."""
        states: Tensor = self.model(input_ids=subwords).last_hidden_state
        return states


def encoder_model(encoder: Transformer, precision: type[Dense]) -> onnx.ModelProto:
    """The encoder as a model; `InputError` if torch cannot export it, or exports something that differs."""
    name = str(encoder.model.config.model_type)
    with tempfile.TemporaryDirectory(prefix="arctag-") as folder:
        path = Path(folder) / "exported.onnx"
        try:
            program = _exported(encoder.model)
            program.save(path, external_data=True)  # more than 2 GB fit into no single file
        except Exception as error:  # whatever makes an exporter fail
            reason = (str(error).splitlines() or [type(error).__name__])[0]
            raise cannot_export(f"an encoder of the kind {name!r}", reason) from error
        check(path, encoder.model, name)
    return rewritten(program.model_proto, precision, encoder.output_size)


def _exported(model: Any) -> Any:
    implementation = model.config._attn_implementation
    model.set_attn_implementation("eager")  # plain operators, which can be written in 8 bits
    try:
        with _quiet():
            return torch.onnx.export(
                _Unmasked(model).train(False), (_subwords(model, _WINDOWS, _LENGTH),), dynamo=True, verbose=False,
                opset_version=OPSET, input_names=[SUBWORDS], output_names=[VECTORS],
                dynamic_shapes={"subwords": {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}},
            )  # fmt: skip
    finally:
        model.set_attn_implementation(implementation)


@contextmanager
def _quiet() -> Iterator[None]:
    """The exporter logs much that is of no use here."""
    level = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(level)


def _subwords(model: Any, windows: int, length: int) -> Tensor:
    """Some subwords or other, none of them padding."""
    padding = getattr(model.config, "pad_token_id", None)
    numbers = torch.arange(windows * length).reshape(windows, length) % min(model.config.vocab_size, 97)
    return torch.where(numbers == padding, numbers + 1, numbers) if padding is not None else numbers


def _long(model: Any) -> int:
    limit = getattr(model.config, "max_position_embeddings", None) or -1  # XLNet and its relatives have no limit
    return min(_LONG, limit - 2) if limit > 2 else _LONG  # RoBERTa loses two to padding


def check(exported: Path, model: nn.Module, name: str) -> None:
    """In every shape the exported network must give what torch gives."""
    session = runtime.InferenceSession(exported, providers=["CPUExecutionProvider"])
    for shape in ((1, 1), (_WINDOWS, _LENGTH), (2, _long(model))):
        subwords = _subwords(model, *shape)
        with torch.inference_mode():
            expected = model(input_ids=subwords, attention_mask=torch.ones_like(subwords)).last_hidden_state.numpy()
        result = session.run(None, {SUBWORDS: subwords.numpy()})[0]
        if result.shape != expected.shape or not np.allclose(result, expected, rtol=_CLOSE, atol=_CLOSE):
            raise cannot_export(f"an encoder of the kind {name!r}", "the result differs from torch's")


def rewritten(exported: onnx.ModelProto, precision: type[Dense], size: int) -> onnx.ModelProto:
    """The same graph with its tables and linear layers in another precision."""
    source = exported.graph
    weights = {tensor.name: numpy_helper.to_array(tensor) for tensor in source.initializer}
    makers = {name: node.op_type for node in source.node for name in node.output}
    graph = Graph("dense_")
    dense = precision(graph)
    for node in source.node:
        constant = weights.get(node.input[1] if node.op_type == "MatMul" else node.input[0] if node.input else "")
        if isinstance(dense, Exact) or constant is None or constant.ndim != 2 or constant.dtype != np.float32:
            graph.nodes.append(node)
        elif node.op_type == "MatMul":
            _linear(dense, node, constant, makers.get(node.input[0], ""))
        elif node.op_type == "Gather" and constant.size >= _LARGE:
            graph.rename(dense.table(constant, node.input[1]), node.output[0])
        else:
            graph.nodes.append(node)
    read = {name for node in graph.nodes for name in node.input}
    graph.weights.update((name, array) for name, array in weights.items() if name in read)
    types = {SUBWORDS: np.int64}
    return graph.model({SUBWORDS: ("windows", "subwords")}, {VECTORS: ("windows", "subwords", size)}, types)


def _linear(dense: Dense, node: onnx.NodeProto, weights: Any, maker: str) -> None:
    """A product with a matrix, over rows: [..., in] → [n, in] → [n, out] → [..., out]."""
    graph, (size, width) = dense.graph, weights.shape
    rows = graph.add_once("Reshape", node.input[0], graph.integers(-1, size))
    product = dense.linear(rows, weights, maker=maker)
    shape = graph.add_once("Concat", graph.add_once("Shape", node.input[0], end=-1), graph.integers(width), axis=0)
    graph.rename(graph.add("Reshape", product, shape), node.output[0])
