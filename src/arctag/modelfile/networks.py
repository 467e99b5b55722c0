"""`BACKENDS`: the kinds of network that a model folder may hold, by the files they leave there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from arctag.modelfile.lazy import Lazy

if TYPE_CHECKING:
    from arctag.backends.protocol import Backend  # noqa: F401  # in quotes below

__all__ = ["BACKENDS", "BackendKind"]

WEIGHTS = "model.safetensors"
WORDS, ENCODER, RELATIONS = "words.onnx", "encoder.onnx", "relations.onnx"  # the last one of Arctag 0.1
_LAYER_FILES = ("layer-*.onnx", "arcs-*.onnx")


def layer_file(layer: str) -> str:
    """The ONNX file of a layer: what it knows of words."""
    return _LAYER_FILES[0].replace("*", layer)


def arcs_file(layer: str) -> str:
    """The ONNX file of a layer of arcs: their relations."""
    return _LAYER_FILES[1].replace("*", layer)


@dataclass(frozen=True)
class BackendKind(Lazy["Backend"]):
    """What must be known of a backend before its class is imported."""

    files: tuple[str, ...]
    """Its files in a model folder, as patterns; the first one is always there."""
    extra: str = ""
    """The extra of Arctag that installs what it needs."""


BACKENDS: dict[str, BackendKind] = {
    "onnx": BackendKind("arctag.backends.onnx.backend:OnnxBackend", (WORDS, ENCODER, RELATIONS, *_LAYER_FILES)),
    "torch": BackendKind("arctag.backends.torch.backend:TorchBackend", (WEIGHTS,), extra="train"),
}
"""Name → kind. Where a folder holds several networks, the first one is used."""


def find_kind(folder: Path) -> BackendKind | None:
    """The kind of the network in a folder; one of whose files are missing only if there is no other."""
    kinds = list(BACKENDS.values())
    whole = (kind for kind in kinds if (folder / kind.files[0]).is_file())
    partial = (kind for kind in kinds if any(any(folder.glob(name)) for name in kind.files))
    return next(whole, None) or next(partial, None)


def all_files() -> set[str]:
    """The files of all kinds, as patterns."""
    return {name for kind in BACKENDS.values() for name in kind.files}
