"""`export`: the ONNX files of a network, in a precision."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import onnx

from arctag.backends.onnx.backend import OnnxBackend
from arctag.backends.onnx.file import LARGEST
from arctag.backends.torch.export.dense import Dense
from arctag.backends.torch.export.words import layer_model, words_model
from arctag.backends.torch.precisions import PRECISIONS
from arctag.backends.torch.tagger import Tagger
from arctag.errors import InputError
from arctag.modelfile.config import ModelConfig
from arctag.modelfile.lazy import look_up
from arctag.modelfile.networks import ENCODER, WORDS, arcs_file, layer_file


def export(config: ModelConfig, model: Tagger, precision: str, folder: Path) -> OnnxBackend:
    """Write a network on the CPU into a folder, in fp32 or int8, and open it there; `InputError` if it cannot be."""
    dense = look_up("precision", precision, PRECISIONS).load_class()
    model.eval()
    for name, network in _networks(config, model, dense):
        if sum(len(tensor.raw_data) for tensor in network.graph.initializer) > LARGEST:
            raise InputError(f"in {precision} this model is too large for ONNX, whose files hold 2 GB at most")
        (folder / name).write_bytes(network.SerializeToString())
    return OnnxBackend.load(config, folder)


def _networks(config: ModelConfig, model: Tagger, precision: type[Dense]) -> Iterator[tuple[str, onnx.ModelProto]]:
    if (encoder := model.encoder.export_apart(precision)) is not None:
        yield ENCODER, encoder
    yield WORDS, words_model(model, precision)
    for layer in config.networks:
        head = model.head(layer.name)
        yield layer_file(layer.name), layer_model(layer, head, model.size, precision)
        if (arcs := head.export_arcs(precision, layer)) is not None:
            yield arcs_file(layer.name), arcs
