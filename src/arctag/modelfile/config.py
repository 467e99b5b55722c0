"""`ModelConfig`: everything a model folder says in words; with the weights it makes a parser.

No torch here: the same configuration drives training, torch inference and exported models.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, get_origin, get_type_hints

from arctag import __version__
from arctag.encodings import Encoding, encoding
from arctag.encodings.label_space import LabelSpace
from arctag.errors import InputError
from arctag.graph import Relations

FORMAT_VERSION = 1
CONFIG = "config.json"
BIAFFINE = "biaffine"
RELATION_KINDS = ("concat", "product", "biaffine", "tuple")
COMBINATIONS = ("union", "vote")
EMPTY_NODES = ("drop", "collapse")
MOST_ALTERNATIVES, MOST_NEARBY = 1000, 1000
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
    """What the encoder's class is called with: sizes, layers, dropout."""
    planes: str = "greedy"
    """How arcs were assigned to planes: greedy or best."""
    crossing: str = "relaxed"
    """Which crossing arcs needed two planes in brackets: relaxed or strict."""
    relation_head: str = "concat"
    """concat (as in the paper), product, biaffine, or tuple: a word's relations as a second tag."""
    tuples: tuple[tuple[int, ...], ...] = ()
    """With relation_head 'tuple': the tuples of relation numbers that words carry."""
    arc_scorer: bool = True
    """Whether an arc scorer is trained beside the tagger."""
    verify: bool = True
    """Whether proposed arcs that the scorer doubts are dropped."""
    threshold: float = 0.5
    """The least probability of an arc that is kept; tuned on the development file."""
    alternatives: int = 2
    """With `verify`: how many more label sequences propose arcs, in which uncertain words take their second label."""
    certain: float = 0.8
    """The probability from which a label is not put in doubt."""
    nearby: int = 0
    """With `verify`: pairs of words at most this far apart are asked about too, whatever the labels propose."""
    combine: str = "union"
    """With several encodings: verify the union of their arcs, or let them vote."""
    context_layers: int = 0
    """BiLSTM layers between the encoder and the heads."""
    context_size: int = 400
    """Their units."""
    tag_size: int = 400
    """Hidden units of the tag heads."""
    relation_size: int = 400
    """Hidden units of the relation head."""
    arc_size: int = 400
    """Hidden units of the arc scorer."""
    dropout: float = 0.33
    """Of the heads and the context layers."""
    empty: str = "drop"
    """What became of empty nodes in training: dropped, or collapsed into path labels."""
    basic_relations: tuple[str, ...] = ()
    """The relations of basic trees in the training files, if they have trees: raw text then gets a tree too."""
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
        # the root's null arc keeps the label set of bits4 small
        options = {"planes": self.planes, "crossing": self.crossing, "first_null": "root"}
        return [encoding(name, **options) for name in self.encodings]

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
        write_json(folder / CONFIG, self.to_json(), indent=1)
        write_json(folder / "labels.json", labels)

    @classmethod
    def load(cls, folder: Path) -> ModelConfig:
        """Read what `save` wrote; a folder of another kind or version is refused with a reason."""
        value = read_json(folder / CONFIG)
        version = value.pop("format_version", None)
        if version != FORMAT_VERSION:
            raise InputError(f"{folder}: model format {version!r}; this Arctag reads format {FORMAT_VERSION}")
        labels = read_json(folder / "labels.json")
        try:
            made = cls(
                **{
                    **_plain_fields(value, get_type_hints(cls)),
                    "encodings": tuple(map(str, value["encodings"])),
                    "basic_relations": tuple(map(str, value.get("basic_relations", ()))),
                    "spaces": tuple(LabelSpace.from_json(space) for space in labels["spaces"]),
                    "relations": tuple(tuple(map(str, names)) for names in labels["relations"]),
                    "tuples": tuple(tuple(map(int, numbers)) for numbers in labels["tuples"]),
                }
            )
            made._check()
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise InputError(f"{folder}: config.json or labels.json is damaged ({error})") from error
        return made

    def _check(self) -> None:
        """`ValueError` where parts do not fit each other; a folder may come from anywhere."""
        for key, value, known in (
            ("relation_head", self.relation_head, RELATION_KINDS),
            ("combine", self.combine, COMBINATIONS),
            ("empty", self.empty, EMPTY_NODES),
        ):
            if value not in known:
                raise ValueError(f"{key} {value!r}")
        for key, number, most in (
            ("threshold", self.threshold, 1),
            ("dropout", self.dropout, 1),
            ("alternatives", self.alternatives, MOST_ALTERNATIVES),
            ("nearby", self.nearby, MOST_NEARBY),
            ("certain", self.certain, 1),
        ):
            if not 0 <= number <= most:
                raise ValueError(f"{key} {number}")
        for key in ("context_size", "tag_size", "relation_size", "arc_size"):
            if getattr(self, key) < 1:
                raise ValueError(f"{key} {getattr(self, key)}")
        if len(self.spaces) != len(self.encodings):
            raise ValueError(f"{len(self.spaces)} label spaces for {len(self.encodings)} encodings")
        for chosen, space in zip(self.make_encodings(), self.spaces, strict=True):
            if not min(space.sizes) > 0 or (space.factors and space.factors != chosen.factors):
                raise ValueError(f"a label space of sizes {space.sizes} for {chosen.name}")
        if not any(self.relations):
            raise ValueError("no relations")
        if any(not 0 <= number < len(self.relations) for numbers in self.tuples for number in numbers):
            raise ValueError("a tuple of relations that are not there")
        if self.verify and not self.arc_scorer:
            raise ValueError("verify without an arc scorer")
        for row in self.card.get("scores", ()):
            if not isinstance(row, dict) or not {"file", "figure", "value", "signature"} <= row.keys():
                raise ValueError("scores that are none on the card")
            if type(row["value"]) not in (int, float):
                raise ValueError(f"a score of {row['value']!r:.50} on the card")


def _plain_fields(value: dict[str, Any], types: dict[str, Any]) -> dict[str, Any]:
    """The fields that JSON holds as they are, each of its type; keys of no field are left out."""
    found = {}
    for key, wanted in types.items():
        if key not in value or get_origin(wanted) is tuple:
            continue
        kind = get_origin(wanted) or wanted
        given = value[key]
        if kind is float and type(given) is int:
            given = float(given)
        if type(given) is not kind:
            raise TypeError(f"{key} must be of type {kind.__name__}, not {given!r:.50}")
        found[key] = given
    return found


def read_json(path: Path) -> dict[str, Any]:
    """A JSON object from a file; `InputError` if there is none."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise InputError(f"{path.parent} is not a model folder: {path.name} is missing") from error
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:  # bad JSON, bad UTF-8, or a number of thousands of digits
        raise InputError(f"{path}: not JSON ({error})") from error
    if not isinstance(value, dict):
        raise InputError(f"{path}: expected a JSON object")
    return value


def write_json(path: Path, value: object, indent: int | None = None) -> None:
    """A value as JSON, in UTF-8."""
    path.write_text(json.dumps(value, ensure_ascii=False, indent=indent) + "\n", encoding="utf-8")
