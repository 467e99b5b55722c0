"""`TrainConfig`: every choice of a training run, typed and documented, from TOML or the command line.

`None` means: what suits the other settings; `resolved` fills it in, and that is what is saved.
"""

from __future__ import annotations

import ast
import inspect
import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, field, fields, replace
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from msgspec import Meta

from arctag.backends.torch.encoders.settings import EncoderSettings
from arctag.backends.torch.heads import RELATION_HEADS
from arctag.encodings import encoding as make_encoding
from arctag.encodings.recommendation import AUTO
from arctag.errors import InputError, UnknownName
from arctag.layers.base import check_name
from arctag.layers.filled import wanted
from arctag.layers.settings import BIAFFINE, Count, GraphTraining, Share
from arctag.modelfile.checking import checked
from arctag.modelfile.checking import choices as literal_choices
from arctag.modelfile.lazy import look_up

Weight = Annotated[float, Meta(ge=0, le=1e9)]
WEIGHT, SILVER = "weight", "silver"
_OF_THE_RUN = (WEIGHT, SILVER)  # settings of a layer that are not those of its kind
_FILES = ("train", "dev", "test", "unlabelled", "teacher")
_WEIGHTS: dict[str, float] = {}
T = TypeVar("T")


@dataclass(frozen=True)
class _OfTheRun:
    weight: Weight = 1.0
    silver: bool = True


@dataclass(frozen=True, kw_only=True)
class Further:
    """A treebank that brings a further layer."""

    train: tuple[str, ...]
    """Files to learn from."""
    dev: tuple[str, ...] = ()
    """Files to score on."""
    column: str = ""
    """Where the layer stands: a column of CoNLL-U Plus or a key of MISC (`MISC:Key`); by default the graph."""
    repeat: Count = 1
    """How often it is read in an epoch."""


@dataclass(frozen=True, kw_only=True)
class Files:
    """What is read and where the model goes."""

    train: tuple[str, ...] = ()
    """Graph files to learn from; several are joined."""
    dev: tuple[str, ...] = ()
    """Graph files to choose the model by."""
    test: tuple[str, ...] = ()
    """Graph files to score the final model on; those of further layers with their names before them: `dm=test.sdp`."""
    also: dict[str, Further] = field(default_factory=dict)
    """Further treebanks, each under the name of the layer that it brings: `dm=train.sdp,dev.sdp`."""
    unlabelled: tuple[str, ...] = ()
    """Text to learn from as well, when teachers have labelled it: running text (.txt), tokens (.tok) or the words of a
    CoNLL-U file; files or folders."""
    unlabelled_format: Literal["auto", "text", "tokens", "conllu"] = "auto"
    """What such text is, where names do not say it; tokens: a sentence per line, spaces between words."""
    teacher: tuple[str, ...] = ()
    """Models that label it, each the layers that it has, or those named before it: `upos,xpos=MODEL`."""
    silver: str = ""
    """A folder to keep the labelled text in, for other runs; by default it is in the model folder until the run is
    finished."""
    gold_repeat: Count | None = None
    """How often treebanks are read in an epoch beside labelled text; by default so often that they are about a third of
    its words."""
    output: str = ""
    """The model folder to write."""


@dataclass(frozen=True, kw_only=True)
class TrainConfig(EncoderSettings, GraphTraining, Files):
    """What to train on, what to train, and how."""

    layers: tuple[str, ...] = ()
    """The layers to learn: upos, xpos, feats, lemma, tree, graph, or NAME=COLUMN for a further one (`ner=MISC:NER`); by
    default all that the training files fill."""
    layer: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Settings of single layers, in place of those of the run: `tree.encoding=brackets-2`, `upos.weight=0.5`."""
    select: str = ""
    """The layer by whose development score the best model is chosen; by default the mean over all layers."""
    calibrate: bool = True
    """After training, fit to the development files how much labels and relations count beside the arc scorer; without
    it the arc scorer decides alone."""
    tokenizer: bool = True
    """Train a tokenizer for raw text beside the parser, where the treebank shows raw text."""

    epochs: Count = 50
    """Maximum number of passes over the training data."""
    patience: Count = 15
    """Stop after this many evaluations without a better development score."""
    evaluate_every: Count = 1
    """Epochs from one evaluation (and checkpoint) to the next; the last epoch is always evaluated."""
    batch_tokens: Count = 2000
    """Words in a batch (subwords, for a pretrained encoder)."""
    accumulate: Count = 1
    """Batches whose gradients are added up before each step."""
    learning_rate: Weight = 1e-3
    """The learning rate of everything but a pretrained encoder."""
    encoder_learning_rate: Weight = 1e-4
    """The learning rate of a pretrained encoder."""
    warmup: Share = 0.06
    """The share of steps over which learning rates rise from zero."""
    linear_decay: bool = True
    """Whether learning rates fall to zero after that."""
    weight_decay: Weight = 0.01
    """Weight decay of AdamW."""
    beta2: Share = 0.98
    """The second beta of AdamW."""
    clip: Annotated[float, Meta(gt=0)] = 5.0
    """Gradients are clipped to this norm."""
    arc_weight: Weight = 1.0
    """The weight of the arc scorer's loss."""
    relation_weight: Weight | None = None
    """The weight of the relation head's loss; by default 2 where labels and an arc scorer are learned together (both
    look for arcs, and would leave little of the network to relations), and 1 elsewhere."""
    seed: Annotated[int, Meta(ge=0, lt=2**32)] = 0
    """The same seed on the same machine gives the same model."""
    precision: Literal["auto", "bf16", "fp32"] = "auto"
    """auto (bf16 on a GPU), bf16 (on a processor: pretrained encoders without context layers alone) or fp32."""
    device: str = ""
    """cpu, cuda, cuda:1 …; by default a GPU if there is one."""

    name: str = ""
    """The name of the model, for its card."""
    license: str = ""
    """The license of the data, for the card."""
    notes: str = ""
    """What else the card should say: limits, how to cite."""
    tensorboard: str = ""
    """A folder for TensorBoard, if it is installed."""
    wandb: str = ""
    """A Weights & Biases project, if wandb is installed."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.relation_head is not None:
            look_up("value for relation_head:", self.relation_head, RELATION_HEADS)
        _check_encodings(self.encoding)
        self._check_layers()
        self._check_teachers()
        if self.arc_scorer is False and (self.verify or self.biaffine):
            raise InputError("arc_scorer = false: verify, and biaffine, need an arc scorer")

    def _check_teachers(self) -> None:
        if self.unlabelled and not self.teacher:
            raise InputError("unlabelled text needs a teacher, a model that labels it: --teacher MODEL")
        if self.teacher and not self.unlabelled:
            raise InputError("a teacher needs text to label: --unlabelled FILE")
        if self.unlabelled and self.tags:
            raise InputError("unlabelled text has no gold tags for an encoder to read: train without --tags")
        if not self.unlabelled and (self.silver or self.gold_repeat or self.unlabelled_format != "auto"):
            raise InputError("silver, gold_repeat and unlabelled_format are for unlabelled text: --unlabelled FILE")

    def _check_layers(self) -> None:
        """Names of layers, which are also those of files and columns, and the settings that need no treebank."""
        names = [*dict.fromkeys(wanted(text).name for text in self.layers), *self.also]
        for number, name in enumerate(names):
            check_name(name)
            if other := next((some for some in names[:number] if some != name and some.lower() == name.lower()), ""):
                raise InputError(f"layers {other} and {name} differ in case alone: give one of them another name")
        for name, own in self.layer.items():
            self._of_the_run(name, {})
            if isinstance(encoding := own.get("encoding", AUTO), str):
                _check_encodings(encoding)

    def settings_of(self, layer: str, kind: type[T]) -> T:
        """The settings of a layer: its own, else those of the run, else the defaults of its kind."""
        own = {key: value for key, value in self.layer.get(layer, {}).items() if key not in _OF_THE_RUN}
        known = {f.name for f in fields(kind)}  # type: ignore[arg-type]
        for key in own:
            if key not in known:
                raise UnknownName(f"setting of layer {layer}:", key, [*known, *_OF_THE_RUN])
        shared = {f.name: getattr(self, f.name) for f in fields(self) if f.name in known}
        return checked({**shared, **own}, kind, f"layer {layer}")

    def weight_of(self, layer: str, kind: str) -> float:
        """How much the losses of a layer count."""
        return self._of_the_run(layer, {WEIGHT: _WEIGHTS.get(kind, 1.0)}).weight

    def silver_of(self, layer: str) -> bool:
        """Whether a layer is learned from labelled text, too."""
        return self._of_the_run(layer, {}).silver

    def _of_the_run(self, layer: str, defaults: dict[str, Any]) -> _OfTheRun:
        own = {key: value for key, value in self.layer.get(layer, {}).items() if key in _OF_THE_RUN}
        return checked({**defaults, **own}, _OfTheRun, f"layer {layer}")

    def resolved(self) -> TrainConfig:
        """With a value for everything that was left open, but what depends on the treebank."""
        arc_scorer = (self.biaffine or self.verify) if self.arc_scorer is None else self.arc_scorer
        relation_head = self.relation_head or ("biaffine" if self.biaffine else "product")
        open_keys: dict[str, Any] = {
            "relation_head": relation_head,
            "relation_hidden": RELATION_HEADS[relation_head].hidden,
            "relation_weight": 2.0 if arc_scorer and not self.biaffine else 1.0,
            "context_layers": 2 if self.pretrained else 0,
        }
        missing = {key: value for key, value in open_keys.items() if getattr(self, key) is None}
        layer = {name: self._resolved_layer(own) for name, own in self.layer.items()}
        verify = self.verify and not self.biaffine
        return replace(self, arc_scorer=arc_scorer, verify=verify, layer=layer, **missing)

    def _resolved_layer(self, own: dict[str, Any]) -> dict[str, Any]:
        """A layer that is the baseline where the run is not, or the other way round, has other defaults."""
        encoding = own.get("encoding", self.encoding)
        biaffine = encoding == BIAFFINE
        if biaffine == self.biaffine or not isinstance(encoding, str):
            return own
        head = own.get("relation_head") or self.relation_head or (BIAFFINE if biaffine else "product")
        verify = bool(own.get("verify", self.verify)) and not biaffine
        usual = {
            "relation_head": head,
            "relation_hidden": self.relation_hidden or RELATION_HEADS[head].hidden,
            "arc_scorer": biaffine or verify or bool(self.arc_scorer),
        }
        return {**usual, **own, "verify": verify}

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {k: _plain(v) for k, v in asdict(self).items()}


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return list(value) if isinstance(value, tuple) else value


def _check_encodings(text: str) -> None:
    names = text.replace(",", " ").split()
    if not names:
        raise InputError("encoding must name at least one encoding")
    if BIAFFINE in names and len(names) > 1:
        raise InputError("biaffine stands alone: it proposes no arcs to join with others")
    if AUTO in names and len(names) > 1:
        raise InputError("auto stands alone: it picks one encoding")
    for name in names:
        if name not in (AUTO, BIAFFINE):
            make_encoding(name)


def from_mapping(value: Mapping[str, Any], source: str) -> TrainConfig:
    """A config from plain values; an unknown key or a value of the wrong type is an error."""
    known = [field.name for field in fields(TrainConfig)]
    for key in value:
        if key not in known:
            raise UnknownName(f"key in {source}:", key, known)
    listed = {key: _listed(value[key]) for key in _FILES if key in value}
    if isinstance(value.get("layers"), str):
        listed["layers"] = value["layers"].replace(",", " ").split()
    if isinstance(value.get("also"), dict):
        listed["also"] = {name: _further(files) for name, files in value["also"].items()}
    return checked({**value, **listed}, TrainConfig, source)


def _listed(files: Any) -> Any:
    return [files] if isinstance(files, str) else files


def _further(files: Any) -> Any:
    return (
        {**files, **{key: _listed(files[key]) for key in _FILES if key in files}} if isinstance(files, dict) else files
    )


def read_toml(path: str | Path) -> dict[str, Any]:
    """The keys of a TOML file; its file names are relative to the working folder."""
    try:
        with open(path, "rb") as file:
            return tomllib.load(file)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:  # bad TOML, bad UTF-8, a number of thousands of digits
        raise InputError(f"{path}: not TOML ({error})") from error


def to_toml(config: TrainConfig) -> str:
    """A config as TOML; keys without a value are left out."""
    import tomli_w

    return tomli_w.dumps({key: value for key, value in config.to_dict().items() if value is not None})


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


def choices(key: str) -> tuple[str, ...]:
    """The values that a key may have, if they are few."""
    return tuple(RELATION_HEADS) if key == "relation_head" else literal_choices(TrainConfig, key)


def field_help() -> dict[str, tuple[str, Any]]:
    """Each key with its documentation and default, taken from the classes themselves."""
    docs: dict[str, str] = {}
    for kind in reversed(TrainConfig.__mro__[:-1]):
        docs.update(_attribute_docstrings(kind))
    return {f.name: (docs.get(f.name, ""), None if f.default is MISSING else f.default) for f in fields(TrainConfig)}


def _attribute_docstrings(kind: type) -> dict[str, str]:
    (body,) = ast.parse(inspect.getsource(kind)).body
    assert isinstance(body, ast.ClassDef)
    return {
        item.target.id: str(after.value.value)
        for item, after in zip(body.body, body.body[1:], strict=False)
        if isinstance(item, ast.AnnAssign)
        and isinstance(item.target, ast.Name)
        and isinstance(after, ast.Expr)
        and isinstance(after.value, ast.Constant)
    }
