"""`ModelConfig`: everything a model folder says in words; with the weights it makes a parser.

No torch here: the same configuration drives training, torch inference and exported models.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from arctag import __version__
from arctag.encodings.label_space import LabelSpace
from arctag.errors import InputError
from arctag.layers import LAYERS, Layer, LearnedLayer
from arctag.layers.lexical_relations import LexicalRules
from arctag.modelfile import format_2
from arctag.modelfile.checking import checked
from arctag.modelfile.json_files import read_json, write_json
from arctag.modelfile.lazy import look_up
from arctag.modelfile.settings import Layers, NetworkSettings

FORMAT_VERSION = 3
CONFIG, LABELS = "config.json", "labels.json"


@dataclass(frozen=True, kw_only=True)
class ModelConfig(NetworkSettings):
    """The shape of a model, and the layers it predicts."""

    encoder: str
    """The kind of encoder: a name in `ENCODERS`."""
    encoder_options: dict[str, Any]
    """What the encoder's class is called with: sizes, layers, dropout."""
    context_layers: Layers = 0
    layers: tuple[Layer, ...]
    """What is predicted, in the order of the network's heads."""
    card: dict[str, Any] = field(default_factory=dict)
    """What the model card says: data, license, scores, signature."""

    @property
    def networks(self) -> tuple[LearnedLayer, ...]:
        """The layers that have a head in the network."""
        return tuple(layer for layer in self.layers if isinstance(layer, LearnedLayer))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the layers."""
        return tuple(layer.name for layer in self.layers)

    def layer(self, name: str) -> Layer:
        """The layer of that name; `UnknownName` lists those there are."""
        return look_up("layer", name, {layer.name: layer for layer in self.layers})

    def learned(self, name: str) -> LearnedLayer:
        """The same, of those that have a head in the network."""
        return look_up("layer", name, {layer.name: layer for layer in self.networks})

    def with_layers(self, layers: Iterable[Layer]) -> ModelConfig:
        """The same with other settings of the layers."""
        return replace(self, layers=tuple(layers))

    def to_json(self) -> dict[str, Any]:
        """What `config.json` holds: everything but the labels, which are long and have a file of their own."""
        value = {field.name: getattr(self, field.name) for field in fields(self)}
        value["layers"] = [{"kind": layer.kind} | _without(layer, layer.in_labels) for layer in self.layers]
        return {"format_version": FORMAT_VERSION, "arctag": __version__, "model_type": "arctag", **value}

    def labels_json(self) -> dict[str, Any]:
        """What `labels.json` holds, by the names of layers."""
        return {layer.name: {key: _plain(getattr(layer, key)) for key in layer.in_labels} for layer in self.layers}

    def save(self, folder: Path) -> None:
        """Write `config.json` and `labels.json`."""
        write_json(folder / CONFIG, self.to_json(), indent=1)
        write_json(folder / LABELS, self.labels_json())

    @classmethod
    def load(cls, folder: Path) -> ModelConfig:
        """Read what `save` wrote; a folder of another kind or version is refused with a reason."""
        value, labels = read_json(folder / CONFIG), {}
        version = value.get("format_version")
        if version not in (format_2.VERSION, FORMAT_VERSION) or type(version) is not int:
            raise InputError(f"{folder}: model format {version!r}; this Arctag reads format {FORMAT_VERSION}")
        labels = read_json(folder / LABELS)
        source = f"{folder}: {CONFIG} or {LABELS} is damaged"
        try:
            if version == format_2.VERSION:
                value, labels = format_2.upgraded(value, labels)
            layers = [_layer(item, labels, source) for item in _listed(value.get("layers"))]
            rest = {key: item for key, item in value.items() if key != "layers"}
            config = replace(checked(rest | {"layers": []}, cls, source), layers=tuple(layers))
            config._check()
        except InputError as error:
            raise error if str(error).startswith(source) else InputError(f"{source}: {error}") from error
        return config

    def _check(self) -> None:
        """`InputError` where parts do not fit each other; a folder may come from anywhere."""
        if not self.layers or len(set(self.names)) != len(self.layers):
            raise InputError("no layers, or one of them twice")
        for layer in self.layers:
            layer.check()
            if missing := set(layer.uses) - set(self.names):
                raise InputError(f"layer {layer.name} needs the layer {missing.pop()}, which is not there")
        checked(self.card, _Card, "card")


def _without(layer: Layer, keys: Collection[str]) -> dict[str, Any]:
    return {field.name: getattr(layer, field.name) for field in fields(layer) if field.name not in keys}


def _plain(value: Any) -> Any:
    """As JSON, what is not already."""
    if isinstance(value, (LabelSpace, LexicalRules)):
        return value.to_json()
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def _listed(layers: Any) -> list[Any]:
    if not isinstance(layers, list):
        raise InputError(f"layers: found {layers!r:.50}; expected a list")
    return layers


def _layer(value: Any, labels: Any, source: str) -> Layer:
    """A layer from its part of `config.json` and of `labels.json`."""
    if not isinstance(value, dict) or not isinstance(value.get("name"), str) or not isinstance(value.get("kind"), str):
        raise InputError(f"layers: found {value!r:.50}; expected a name, a kind and settings")
    long = labels.get(value["name"]) if isinstance(labels, dict) else None
    if not isinstance(long, dict):
        raise InputError(f"layer {value['name']} has no labels")
    kind = look_up("kind of layer", value["kind"], LAYERS)
    return checked({**value, **{key: long[key] for key in kind.in_labels if key in long}}, kind, source)


@dataclass
class _Score:
    file: str
    figure: str
    value: float
    signature: str


@dataclass
class _Card:
    """What is read of a card, besides showing it."""

    scores: list[_Score] = field(default_factory=list)
