"""`TrainConfig`: every choice of a training run, typed and documented, from TOML or the command line.

`None` means: what suits the encoder; `resolved` fills it in, and that is what is saved.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from importlib import resources
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from arctag.backends.torch.encoders import ENCODERS
from arctag.encodings import encoding as make_encoding
from arctag.encodings.recommendation import AUTO
from arctag.errors import InputError, UnknownName
from arctag.modelfile.config import BIAFFINE, COMBINATIONS, EMPTY_NODES, MOST_ALTERNATIVES, MOST_NEARBY, RELATION_KINDS

_AT_LEAST_ONE = (
    "least_label", "size", "layers", "words", "char_size", "tag_size", "least_word", "context_size", "hidden",
    "arc_size", "epochs", "patience", "evaluate_every", "batch_tokens", "accumulate",
)  # fmt: skip
_AT_LEAST_ZERO = (
    "alternatives", "nearby", "window", "context_layers", "learning_rate", "encoder_learning_rate", "weight_decay",
    "arc_weight", "relation_weight", "seed",
)  # fmt: skip
_SHARES = ("word_dropout", "dropout", "warmup", "beta2")


@dataclass(frozen=True)
class TrainConfig:
    """What to train on, what to train, and how."""

    train: tuple[str, ...] = ()
    """Graph files to learn from; several are joined."""
    dev: tuple[str, ...] = ()
    """Graph files to choose the model by."""
    test: tuple[str, ...] = ()
    """Graph files to score the final model on."""
    out: str = ""
    """The model folder to write."""

    encoding: str = AUTO
    """One encoding, several with commas (their arcs are joined), 'biaffine' for the baseline, or 'auto': what suits
    the training graphs."""
    planes: str = "greedy"
    """Plane assignment: greedy (as in the paper) or best."""
    crossing: str = "relaxed"
    """Which crossing arcs need two planes in brackets: relaxed or strict."""
    head: str = "softmax"
    """softmax over whole labels (as in the paper), or factored: one for each plane (bits only)."""
    relations: str | None = None
    """How relations are predicted: product, biaffine, concat (as in the paper), or tuple (a word's relations as
    a tag); biaffine for the baseline and product for others unless set."""
    verify: bool = True
    """Drop proposed arcs that the arc scorer doubts; without it, plain tagging as in the paper."""
    arc_loss: bool | None = None
    """Train the arc scorer beside the tagger; follows `verify` unless set."""
    alternatives: int = 4
    """With `verify`: label sequences besides the best one that propose arcs (uncertain words take their second
    label); 0 for none."""
    certain: float = 0.95
    """The probability from which a label is not put in doubt."""
    nearby: int | None = None
    """With `verify`: also ask the arc scorer about words at most this far apart; unless set, 0, or what suits an
    encoding that does not cover the training graphs."""
    combine: str = "union"
    """With several encodings: union of their arcs, or vote."""
    empty: str = "drop"
    """Empty nodes: drop (as in the paper), or collapse into path labels."""
    least_label: int = 1
    """Labels seen less often than this in training are not learned."""
    tokenizer: bool = True
    """Train a tokenizer for raw text beside the parser, where the treebank shows raw text."""

    encoder: str = "bilstm"
    """lookup, bilstm, or a Hugging Face encoder by name or folder."""
    size: int = 400
    """Units of each BiLSTM layer and direction."""
    layers: int = 3
    """BiLSTM layers."""
    words: int = 400
    """Size of word vectors."""
    chars: bool = True
    """Whether the lookup table and the BiLSTM read characters."""
    char_size: int = 30
    """Size of character vectors."""
    tags: bool = False
    """Whether they read tags (gold tags from the file)."""
    tag_size: int = 100
    """Size of tag vectors and of what is read from characters."""
    vectors: str = ""
    """A text file of static word vectors: a word and its numbers on each line."""
    least_word: int = 2
    """Words seen less often than this are unknown words."""
    word_dropout: float = 0.1
    """How often a known word is hidden in training."""
    pooling: str = "first"
    """How a word's pieces become one vector: first or mean."""
    window: int = 0
    """The most pieces read at once by a pretrained encoder; 0 for as many as it can take."""
    context_layers: int | None = None
    """BiLSTM layers on top of a pretrained encoder: 2 unless set."""
    context_size: int = 400
    """Their units."""
    hidden: int = 400
    """Size of the hidden layer of the tag and relation heads; a biaffine relation head has 100."""
    arc_size: int = 400
    """Size of the hidden layers of the arc scorer."""
    dropout: float = 0.33
    """Dropout everywhere."""

    epochs: int = 50
    """The most passes over the training data."""
    patience: int = 15
    """Stop after so many evaluations without a better development score."""
    evaluate_every: int = 1
    """Epochs from one evaluation (and checkpoint) to the next; the last epoch is always evaluated."""
    batch_tokens: int = 2000
    """Words in a batch (pieces, for a pretrained encoder)."""
    accumulate: int = 1
    """Batches added up before each step."""
    learning_rate: float = 1e-3
    """For everything but a pretrained encoder."""
    encoder_learning_rate: float = 1e-4
    """For a pretrained encoder."""
    warmup: float = 0.06
    """The share of steps over which learning rates rise."""
    decay: bool = True
    """Whether learning rates fall to zero after that, along a line."""
    weight_decay: float = 0.01
    """AdamW's."""
    beta2: float = 0.98
    """AdamW's second decay rate."""
    clip: float = 5.0
    """The largest norm of the gradient; longer ones are cut to it before the step."""
    arc_weight: float = 1.0
    """The weight of the arc loss."""
    relation_weight: float | None = None
    """The weight of the loss of relations; unless set, 2 where labels and an arc scorer are learnt together, which else
    leave little of the network to names, and 1 elsewhere."""
    teacher: str = ""
    """A model folder to learn from besides the gold graphs (distillation): of the same files and encoding, with a
    larger encoder."""
    teacher_weight: float = 0.5
    """How much the teacher counts against the gold graphs."""
    seed: int = 0
    """The same seed on the same machine gives the same model."""
    precision: str = "auto"
    """auto (bf16 on a GPU), bf16 or fp32."""
    device: str = ""
    """cpu, cuda, cuda:1 …; the GPU if there is one unless set."""

    name: str = ""
    """The model's name, for its card."""
    licence: str = ""
    """The licence of the data, for the card."""
    notes: str = ""
    """What else the card should say: limits, how to cite."""
    tensorboard: str = ""
    """A folder for TensorBoard, if it is installed."""
    wandb: str = ""
    """A Weights & Biases project, if wandb is installed."""

    def __post_init__(self) -> None:
        _one_of("planes", self.planes, ("greedy", "best"))
        _one_of("crossing", self.crossing, ("relaxed", "strict"))
        _one_of("head", self.head, ("softmax", "factored"))
        _one_of("relations", self.relations, (None, *RELATION_KINDS))
        _one_of("combine", self.combine, COMBINATIONS)
        _one_of("empty", self.empty, EMPTY_NODES)
        _one_of("pooling", self.pooling, ("first", "mean"))
        _one_of("precision", self.precision, ("auto", "bf16", "fp32"))
        for name in _AT_LEAST_ONE:
            if (value := getattr(self, name)) is not None and value < 1:
                raise InputError(f"{name} must be at least 1, not {value}")
        for name in _AT_LEAST_ZERO:
            if (value := getattr(self, name)) is not None and not 0 <= value < float("inf"):
                raise InputError(f"{name} must be at least 0, not {value}")
        for name in _SHARES:
            if not 0 <= (value := getattr(self, name)) < 1:
                raise InputError(f"{name} must be at least 0 and less than 1, not {value}")
        if self.alternatives > MOST_ALTERNATIVES:
            raise InputError(f"alternatives must be at most {MOST_ALTERNATIVES}, not {self.alternatives}")
        if (self.nearby or 0) > MOST_NEARBY:
            raise InputError(f"nearby must be at most {MOST_NEARBY}, not {self.nearby}")
        if not 0 <= self.certain <= 1:
            raise InputError(f"certain must be from 0 to 1, not {self.certain}")
        if not 0 <= self.teacher_weight <= 1:
            raise InputError(f"teacher_weight must be from 0 to 1, not {self.teacher_weight}")
        if not self.clip > 0:
            raise InputError(f"clip must be more than 0, not {self.clip}")
        if self.seed >= 2**32:
            raise InputError(f"seed must be less than {2**32}, not {self.seed}")
        if self.chars and not self.pretrained and self.tag_size % 2:
            raise InputError(f"tag_size must be even, not {self.tag_size}: characters are read in two directions")
        if self.vectors and self.pretrained:
            raise InputError(f"vectors are for encoders that read words; {self.encoder} brings its own")
        if not self.encodings:
            raise InputError("encoding must name at least one encoding")
        for name in self.encodings:
            if name == BIAFFINE and len(self.encodings) > 1:
                raise InputError("biaffine stands alone: it proposes no arcs to join with others")
            if name == AUTO and len(self.encodings) > 1:
                raise InputError("auto stands alone: it picks one encoding")
            if name not in (BIAFFINE, AUTO):
                make_encoding(name)
        if self.arc_loss is False and (self.verify or BIAFFINE in self.encodings):
            raise InputError("arc_loss = false leaves the arc scorer untrained: verify, and biaffine, need it")

    @property
    def encodings(self) -> tuple[str, ...]:
        """The encodings by name."""
        return tuple(self.encoding.replace(",", " ").split())

    @property
    def pretrained(self) -> bool:
        """Whether the encoder is a pretrained one."""
        return self.encoder not in ENCODERS or self.encoder == "transformer"

    def resolved(self) -> TrainConfig:
        """With a value for everything that was left open."""
        baseline = self.encodings == (BIAFFINE,)
        arc_loss = (baseline or self.verify) if self.arc_loss is None else self.arc_loss
        usual = 2.0 if arc_loss and not baseline else 1.0
        return replace(
            self,
            relations=self.relations or ("biaffine" if baseline else "product"),
            arc_loss=arc_loss,
            relation_weight=usual if self.relation_weight is None else self.relation_weight,
            verify=self.verify and not baseline,
            context_layers=(2 if self.pretrained else 0) if self.context_layers is None else self.context_layers,
        )

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {k: list(v) if isinstance(v, tuple) else v for k, v in asdict(self).items()}


def _one_of(key: str, value: object, known: tuple[object, ...]) -> None:
    if value not in known:
        raise UnknownName(f"value for {key}:", str(value), [str(k) for k in known if k is not None])


def from_mapping(value: Mapping[str, Any], source: str) -> TrainConfig:
    """A config from plain values; an unknown key or a value of the wrong type is an error."""
    types = get_type_hints(TrainConfig)
    given = {}
    for key, raw in value.items():
        if key not in types:
            raise UnknownName(f"key in {source}:", key, types)
        given[key] = _typed(key, raw, types[key], source)
    try:
        return TrainConfig(**given)
    except InputError as error:
        raise InputError(f"{source}: {error}") from error


def _typed(key: str, raw: Any, wanted: Any, source: str) -> Any:
    if get_origin(wanted) is tuple:
        if isinstance(raw, str):
            raw = [raw]
        if isinstance(raw, (list, tuple)) and all(isinstance(item, str) for item in raw):
            return tuple(raw)
        raise InputError(f"{source}: {key} must be a list of file names, not {raw!r}")
    choices = get_args(wanted) or (wanted,)
    if raw is None and type(None) in choices:
        return None
    for kind in choices:
        if kind is float and isinstance(raw, int) and not isinstance(raw, bool):
            return float(raw)
        if type(raw) is kind:
            return raw
    names = " or ".join(kind.__name__ for kind in choices if kind is not type(None))
    raise InputError(f"{source}: {key} must be of type {names}, not {raw!r}")


def read_toml(path: str | Path) -> dict[str, Any]:
    """The keys of a TOML file; its file names are relative to the working folder."""
    try:
        with open(path, "rb") as file:
            return tomllib.load(file)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:  # bad TOML, bad UTF-8, a number of thousands of digits
        raise InputError(f"{path}: not TOML ({error})") from error


def preset_names() -> list[str]:
    """The presets that come with the package."""
    folder = resources.files("arctag.training") / "presets"
    return sorted(item.name.removesuffix(".toml") for item in folder.iterdir() if item.name.endswith(".toml"))


def read_preset(name: str) -> dict[str, Any]:
    """The keys of a preset."""
    if name not in preset_names():
        raise UnknownName("preset", name, preset_names())
    text = (resources.files("arctag.training") / "presets" / f"{name}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def to_toml(config: TrainConfig) -> str:
    """A config as TOML; keys without a value are left out."""
    return "".join(f"{key} = {_toml(value)}\n" for key, value in config.to_dict().items() if value is not None)


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + "".join(_escaped(c) for c in value) + '"'
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return repr(value)


def _escaped(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    return f"\\u{ord(character):04x}" if ord(character) < 32 or ord(character) == 127 else character


def field_help() -> dict[str, tuple[str, Any]]:
    """Each key with its documentation and default, taken from the class itself."""
    import ast
    import inspect

    body = ast.parse(inspect.getsource(TrainConfig)).body[0]
    assert isinstance(body, ast.ClassDef)
    docs: dict[str, str] = {}
    for item, after in zip(body.body, body.body[1:], strict=False):
        if not (isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name)):
            continue
        if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            docs[item.target.id] = str(after.value.value)
    return {f.name: (docs.get(f.name, ""), f.default) for f in fields(TrainConfig)}
