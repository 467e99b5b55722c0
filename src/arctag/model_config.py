"""`ModelConfig`: everything a model folder says in words; with the weights it makes a parser.

No torch here: the same configuration drives training, torch inference and exported models.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from arctag import __version__
from arctag.encodings import Encoding, encoding
from arctag.errors import InputError
from arctag.graph import Relations
from arctag.label_space import LabelSpace

FORMAT_VERSION = 1
BIAFFINE = "biaffine"
NULL: Relations = ()
"""The relation of a null arc: learned like any other, and removed from the parse."""


@dataclass(frozen=True)
class ModelConfig:
    """The shape of a model, the labels and relations it knows, and how it parses."""

    encodings: tuple[str, ...]
    """One or more encodings that propose arcs; none for the biaffine baseline."""
    spaces: tuple[LabelSpace, ...]
    """The label space of each encoding."""
    relations: tuple[Relations, ...]
    """The relations of an arc, as classes; `()` is the null arc's."""
    encoder: str
    """lookup, bilstm or transformer."""
    encoder_options: dict[str, Any]
    planes: str = "greedy"
    crossing: str = "relaxed"
    relation_head: str = "concat"
    """concat (as in the paper), biaffine, or tuple: a word's relations as a second tag."""
    tuples: tuple[tuple[int, ...], ...] = ()
    """With relation_head 'tuple': the tuples of relation numbers that words carry."""
    arc_scorer: bool = True
    """Whether an arc scorer is trained beside the tagger."""
    verify: bool = True
    """Whether proposed arcs that the scorer doubts are dropped."""
    threshold: float = 0.5
    """The least probability of an arc that is kept; tuned on the development file."""
    combine: str = "union"
    """With several encodings: verify the union of their arcs, or let them vote."""
    context_layers: int = 0
    context_size: int = 400
    tag_size: int = 400
    relation_size: int = 400
    arc_size: int = 400
    dropout: float = 0.33
    empty: str = "drop"
    """What became of empty nodes in training: dropped, or collapsed into path labels."""
    metric: str = "sdp"
    card: dict[str, Any] = field(default_factory=dict)
    """What the model card says: data, licence, scores, signature."""

    @property
    def biaffine(self) -> bool:
        """Whether arcs are found by scoring all pairs."""
        return not self.encodings

    @property
    def name(self) -> str:
        """The encodings as one name."""
        return ",".join(self.encodings) or BIAFFINE

    def make_encodings(self) -> list[Encoding]:
        """The encodings, ready to use."""
        return [encoding(name, planes=self.planes, crossing=self.crossing) for name in self.encodings]

    def to_json(self) -> dict[str, Any]:
        """As plain JSON, label spaces apart (they are large and have a file of their own)."""
        value = {k: v for k, v in asdict(self).items() if k not in ("spaces", "relations", "tuples")}
        return {"format_version": FORMAT_VERSION, "arctag": __version__, "model_type": "arctag", **value}

    def save(self, folder: Path) -> None:
        """Write `config.json` and `labels.json`."""
        labels = {
            "spaces": [space.to_json() for space in self.spaces],
            "relations": [list(names) for names in self.relations],
            "tuples": [list(numbers) for numbers in self.tuples],
        }
        _write(folder / "config.json", self.to_json(), indent=1)
        _write(folder / "labels.json", labels)

    @classmethod
    def load(cls, folder: Path) -> ModelConfig:
        """Read what `save` wrote; a folder of another kind or version is refused with a reason."""
        value, labels = read_json(folder / "config.json"), read_json(folder / "labels.json")
        version = value.pop("format_version", None)
        if version != FORMAT_VERSION:
            raise InputError(f"{folder}: model format {version!r}; this Arctag reads format {FORMAT_VERSION}")
        known = {f.name for f in fields(cls)}
        try:
            return cls(
                **{
                    **{k: v for k, v in value.items() if k in known},
                    "encodings": tuple(value["encodings"]),
                    "spaces": tuple(LabelSpace.from_json(space) for space in labels["spaces"]),
                    "relations": tuple(tuple(map(str, names)) for names in labels["relations"]),
                    "tuples": tuple(tuple(map(int, numbers)) for numbers in labels["tuples"]),
                }
            )
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"{folder}: config.json or labels.json is damaged ({error})") from error


def read_json(path: Path) -> dict[str, Any]:
    """A JSON object from a file; `InputError` if there is none."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path.parent} is not a model folder: {path.name} is missing") from error
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"{path}: not JSON ({error})") from error
    if not isinstance(value, dict):
        raise InputError(f"{path}: expected a JSON object")
    return value


def _write(path: Path, value: object, indent: int | None = None) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, indent=indent) + "\n", encoding="utf-8")
