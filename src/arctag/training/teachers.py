"""Teachers: models that label text for another one to learn from, and which layers each of them labels."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from arctag.errors import InputError
from arctag.layers import Layer
from arctag.layers.base import in_order
from arctag.layers.derived_trees import DerivedTreeLayer
from arctag.layers.filled import Places
from arctag.modelfile import checksums
from arctag.modelfile.config import ModelConfig
from arctag.modelfile.folder import find
from arctag.text.tokenizer import FILE as TOKENIZER

_NAMED = re.compile(r"([A-Za-z][\w-]*(?:,[A-Za-z][\w-]*)*)=(.+)")


@dataclass(frozen=True)
class Teacher:
    """A model, and the layers that it labels."""

    model: str
    layers: tuple[str, ...]
    """What is learned from its text."""
    used: tuple[str, ...] = ()
    """What else stands there: words that are copied into relations are needed to learn these."""

    @property
    def written(self) -> tuple[str, ...]:
        """All layers that it labels."""
        return (*self.layers, *self.used)

    @property
    def folder(self) -> Path:
        """Where the model is."""
        return find(self.model)

    @property
    def cuts_text(self) -> bool:
        """Whether it has a tokenizer for running text."""
        return (self.folder / TOKENIZER).is_file()

    @property
    def checksum(self) -> str:
        """What tells it from every other model."""
        return sha256(repr(sorted(checksums.of(self.folder).items())).encode()).hexdigest()


def named_layers(text: str) -> tuple[tuple[str, ...], str]:
    """`upos,xpos=MODEL`: the layers that a teacher is to label, and the model; without names, all that it has."""
    match = None if Path(text).exists() else _NAMED.fullmatch(text)
    return (tuple(match[1].split(",")), match[2]) if match else ((), text)


def find_teachers(texts: Sequence[str], learned: Places) -> list[Teacher]:
    """The teachers of a run, with the layers of it that each one labels.

    A layer is labelled by the teacher that it is named for, else by the first one that has it.
    """
    asked = [named_layers(text) for text in texts]
    known = [ModelConfig.load(find(model)) for _, model in asked]
    taken: dict[str, int] = {}
    for number, ((names, model), config) in enumerate(zip(asked, known, strict=True)):
        for name in names:
            _check(name, model, config, learned)
            taken.setdefault(name, number)
    for number, ((names, _), config) in enumerate(zip(asked, known, strict=True)):
        for layer in config.networks if not names else ():
            if layer.name in learned and _fits(layer, learned):
                taken.setdefault(layer.name, number)
    teachers = []
    for number, ((_, model), config) in enumerate(zip(asked, known, strict=True)):
        layers = tuple(name for name in learned if taken.get(name) == number)
        if not layers:
            raise InputError(_idle(model, config, learned))
        used = tuple(layer.name for layer in in_order(config.layers, layers) if layer.name not in taken)
        teachers.append(Teacher(model, layers, used))
    return teachers


def _fits(layer: Layer, learned: Places) -> bool:
    return layer.kind == learned[layer.name].kind or isinstance(layer, DerivedTreeLayer)


def _check(name: str, model: str, config: ModelConfig, learned: Places) -> None:
    """`InputError` where a teacher cannot label a layer that it is named for."""
    if name not in learned:
        raise InputError(f"teacher {model}: layer {name} is not learned from its text; {', '.join(learned)} are")
    if name not in config.names:
        raise InputError(f"teacher {model} has no layer {name}: it has {', '.join(config.names)}")
    if not _fits(config.layer(name), learned):
        kinds = f"{config.layer(name).kind} there and {learned[name].kind} in the training files"
        raise InputError(f"teacher {model}: layer {name} is {kinds}")


def _idle(model: str, config: ModelConfig, learned: Places) -> str:
    if any(name in learned for name in config.names):
        return f"teacher {model} has nothing to label: other teachers label its layers; leave it out"
    return (
        f"teacher {model} has nothing to label: it has {', '.join(config.names)}, "
        f"and what is learned from its text is {', '.join(learned)}"
    )
