"""`ModelConfig`: everything a model folder says in words; with the weights it makes a parser.

No torch here: the same configuration drives training, torch inference and exported models.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from arctag import __version__
from arctag.encodings.label_space import LabelSpace
from arctag.errors import InputError
from arctag.graph import Relations
from arctag.modelfile.checking import checked
from arctag.modelfile.json_files import read_json, write_json
from arctag.modelfile.settings import AtMostThousand, Count, Layers, ModelSettings, Probability

FORMAT_VERSION = 2
CONFIG, LABELS = "config.json", "labels.json"
NULL: Relations = ()
"""The relation of a null arc: learned like any other, and removed from the parse."""
_IN_LABELS = ("spaces", "relations", "tuples")


@dataclass(frozen=True, kw_only=True)
class ModelConfig(ModelSettings):
    """The shape of a model, the labels and relations it knows, and how it parses."""

    spaces: tuple[LabelSpace, ...]
    """The label space of each encoding."""
    relations: tuple[Relations, ...]
    """The relations of an arc, as classes; `()` is the null arc's."""
    tuples: tuple[tuple[int, ...], ...] = ()
    """The tuples of relation numbers that words carry, for a relation head that predicts these."""
    encoder: str
    """The kind of encoder: a name in `ENCODERS`."""
    encoder_options: dict[str, Any]
    """What the encoder's class is called with: sizes, layers, dropout."""
    relation_head: str = "product"
    arc_scorer: bool = True
    nearby: AtMostThousand = 0
    context_layers: Layers = 0
    relation_hidden: Count = 400
    threshold: Probability = 0.5
    """The least probability of an arc that is kept; tuned on the development file."""
    basic_relations: tuple[str, ...] = ()
    """The relations of basic trees in the training files, if they have trees: raw text then gets a tree too."""
    card: dict[str, Any] = field(default_factory=dict)
    """What the model card says: data, license, scores, signature."""

    def to_json(self) -> dict[str, Any]:
        """What `config.json` holds: everything but the labels, which are long and have a file of their own."""
        value = {k: v for k, v in asdict(self).items() if k not in _IN_LABELS}
        return {"format_version": FORMAT_VERSION, "arctag": __version__, "model_type": "arctag", **value}

    def save(self, folder: Path) -> None:
        """Write `config.json` and `labels.json`."""
        spaces = [space.to_json() for space in self.spaces]
        write_json(folder / CONFIG, self.to_json(), indent=1)
        write_json(folder / LABELS, {"spaces": spaces, "relations": self.relations, "tuples": self.tuples})

    @classmethod
    def load(cls, folder: Path) -> ModelConfig:
        """Read what `save` wrote; a folder of another kind or version is refused with a reason."""
        value = read_json(folder / CONFIG)
        version = value.get("format_version")
        if version != FORMAT_VERSION or type(version) is not int:
            raise InputError(f"{folder}: model format {version!r}; this Arctag reads format {FORMAT_VERSION}")
        labels = read_json(folder / LABELS)
        source = f"{folder}: {CONFIG} or {LABELS} is damaged"
        config = checked({**value, **{key: labels[key] for key in _IN_LABELS if key in labels}}, cls, source)
        try:
            config._check()
        except InputError as error:
            raise InputError(f"{source}: {error}") from error
        return config

    def _check(self) -> None:
        """`InputError` where parts do not fit each other; a folder may come from anywhere."""
        if len(self.spaces) != len(self.encodings):
            raise InputError(f"{len(self.spaces)} label spaces for {len(self.encodings)} encodings")
        for chosen, space in zip(self.make_encodings(), self.spaces, strict=True):
            if not min(space.sizes) > 0 or (space.factors and space.factors != chosen.factors):
                raise InputError(f"a label space of sizes {space.sizes} for {chosen.name}")
        if not any(self.relations):
            raise InputError("no relations")
        if any(not 0 <= number < len(self.relations) for numbers in self.tuples for number in numbers):
            raise InputError("a tuple of relations that do not exist")
        if self.verify and not self.arc_scorer:
            raise InputError("verify without an arc scorer")
        checked(self.card, _Card, "card")


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
