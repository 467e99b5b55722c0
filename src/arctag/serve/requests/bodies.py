"""The JSON bodies of requests. Each class is one line of `docs/serve.md` and one schema of `/openapi.json`."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, model_validator

from arctag.encodings.rules import Crossing, Planes
from arctag.formats import FORMATS, output_formats
from arctag.metrics import METRICS
from arctag.serve.requests.choices import OneOf
from arctag.text.chunks import AUTO, LAYOUTS
from arctag.transforms.guarantees import GUARANTEES

GraphFormat = Annotated[str, OneOf(FORMATS)]
OutputFormat = Annotated[str, OneOf([*output_formats(), "svg"])]
Layout = Annotated[str, OneOf(LAYOUTS)]
MetricName = Annotated[str, OneOf(METRICS)]
_FILE = "1\tGo\t_\t_\t_\t_\t0\troot\t0:root\t_\n\n"  # of one word, for examples
_RECOGNISED = "By default recognised by how the text begins."


class StrictModel(BaseModel):
    """A key that is not known, or a value of another type, is an error."""

    model_config = ConfigDict(extra="forbid", strict=True)


class ArcObject(BaseModel):
    """An arc. Further keys, which our answers have, are ignored."""

    model_config = ConfigDict(extra="ignore", strict=True)

    head: int = Field(description="The number of a word, from 1; 0 is the root.")
    dependent: int = Field(description="The number of a word, from 1.")
    relations: list[str] = Field(default=["_"], min_length=1)


class TreeObject(BaseModel):
    """The head and the relation of a word in the basic tree. Further keys, which our answers have, are ignored."""

    model_config = ConfigDict(extra="ignore", strict=True)

    head: int
    relation: str


class LayerObject(StrictModel):
    """A further graph, or further tags."""

    arcs: list[ArcObject] | None = None
    tags: list[str] | None = None


class SentenceObject(BaseModel):
    """A sentence, as in the answers of this service; only words are required."""

    model_config = ConfigDict(extra="ignore", strict=True)

    words: list[str]
    arcs: list[ArcObject] = []
    id: str | None = None
    text: str | None = None
    ids: list[str] | None = None
    tags: list[str] | None = None
    lemmas: list[str] | None = None
    xpos: list[str] | None = None
    feats: list[str] | None = None
    tree: list[TreeObject | None] | None = None
    layers: dict[str, LayerObject] = {}


class ParseRequest(StrictModel):
    """What to parse, with which model and how."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"text": "She wants to leave."}]})

    text: str | None = Field(None, description="Running text.")
    tokens: list[list[str]] | None = Field(None, description="Sentences that are split into words.")
    graphs: str | None = Field(None, description="The text of a graph file, whose words are parsed.")
    model: str | None = Field(None, description="One of those that `/api/models` lists; by default the first.")
    layout: Layout = Field(
        AUTO,
        description="Lines in `text`: " + "; ".join(f"`{name}`: {about}" for name, about in LAYOUTS.items()) + ".",
    )
    layers: list[str] | None = Field(
        None,
        description="The layers to predict, of those that `/api/models` lists; by default all for `text` and `tokens`, "
        "and the graph for `graphs`.",
    )
    ensure: list[str] | None = Field(
        None,
        description=f"Guarantees: {', '.join(GUARANTEES)}; by default what the graphs that the model has learned from "
        "always have.",
    )
    threshold: float | None = Field(None, description="The least probability of an arc; by default the model's own.")
    probabilities: bool = Field(False, description="Return the probability of each arc and the score of each sentence.")
    svg: bool = Field(False, description="Return a picture of each sentence.")
    layer: str | None = Field(
        None, description="The layer that `svg` draws: the tree, or a further graph; by default the graph."
    )
    rows: bool = Field(
        False,
        description="Return each sentence as in a file: in the format of `graphs`, or CoNLL-U, or CoNLL-U Plus "
        "where there are further layers.",
    )

    @model_validator(mode="after")
    def _one_input(self) -> ParseRequest:
        if sum(given is not None for given in (self.text, self.tokens, self.graphs)) != 1:
            raise ValueError("give one of text, tokens and graphs")
        return self

    @model_validator(mode="after")
    def _drawn_layer(self) -> ParseRequest:
        if self.layer is not None and not self.svg:
            raise ValueError("layer names what is drawn: it needs svg")
        if self.layer is not None and self.layers is not None and self.layer not in self.layers:
            raise ValueError(f"layer {self.layer!r} is not among layers")
        return self


class ReadRequest(StrictModel):
    """The text of a graph file."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"graphs": _FILE}]})

    graphs: str = Field(description="The text of the file.")
    format: GraphFormat | None = Field(None, description=_RECOGNISED)


class SearchRequest(StrictModel):
    """A pattern, and the text of a graph file to search in."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"graphs": _FILE, "pattern": "rel=root"}]})

    graphs: str = Field(description="The text of the file.")
    format: GraphFormat | None = Field(None, description=_RECOGNISED)
    pattern: str = Field(description="What to find, as `arctag search` takes it: `[upos=VERB] >nsubj [lemma=cat]`.")
    layer: str | None = Field(
        None, description="The graph to search: `tree`, or that in a column of the file; by default the main one."
    )


class ConvertRequest(StrictModel):
    """Sentences, or the text of a file, and the format to convert them to."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"sentences": [{"words": ["Go"], "arcs": [{"head": 0, "dependent": 1}]}], "to": "conllu"}]
        }
    )

    sentences: list[SentenceObject] | None = None
    graphs: str | None = Field(None, description="The text of a graph file, all of whose columns are converted.")
    format: GraphFormat | None = Field(None, description=f"The format of `graphs`. {_RECOGNISED}")
    to: OutputFormat
    layer: str | None = Field(
        None,
        description="The graph to write or draw: `tree`, or that in a column of the file; by default the main one.",
    )

    @model_validator(mode="after")
    def _one_input(self) -> ConvertRequest:
        if (self.sentences is None) == (self.graphs is None):
            raise ValueError("give one of sentences and graphs")
        return self


class SizedRequest(StrictModel):
    """How many words there are: `n`, or the words themselves."""

    words: list[str] | None = Field(None, description="The words, or else `n`.")
    n: int | None = Field(None, description="The number of words.")

    @model_validator(mode="after")
    def _one_size(self) -> SizedRequest:
        if self.words is None and self.n is None:
            raise ValueError("give words or n")
        if self.words is not None and self.n is not None and self.n != len(self.words):
            raise ValueError(f"n is {self.n}, but there are {len(self.words)} words")
        return self

    @property
    def size(self) -> int:
        """The number of words."""
        return len(self.words) if self.words is not None else self.n or 0


class EncodeRequest(SizedRequest):
    """A graph, and an encoding for it."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"n": 2, "arcs": [{"head": 2, "dependent": 1}], "encoding": "bits6-4"}]}
    )

    arcs: list[ArcObject]
    encoding: str = Field(description="One of those that `/api/encodings` lists.")
    planes: Planes = Field("greedy", description="How arcs are assigned to planes.")
    crossing: Crossing = Field("relaxed", description="Which arcs may not share a plane.")


class DecodeRequest(SizedRequest):
    """Labels, and their encoding."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"n": 2, "labels": ["100000", "001000"], "encoding": "bits6-1"}]}
    )

    labels: list[str] = Field(description="A label for each word.")
    encoding: str = Field(description="One of those that `/api/encodings` lists.")

    @model_validator(mode="after")
    def _all_words(self) -> DecodeRequest:
        if len(self.labels) != self.size:
            raise ValueError(f"labels: found {len(self.labels)}; expected {self.size}, one for each word")
        return self


class TraceRequest(DecodeRequest):
    """Labels whose decoding is to be explained step by step."""

    nulls: list[list[int]] | None = Field(
        None,
        description="For bits4: the planes of each word, from 1, whose arc is a null arc, as from `/api/encode`.",
    )


class ScoreRequest(StrictModel):
    """Two graph files, as text."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"gold": _FILE, "predicted": _FILE}]})

    gold: str = Field(description="The text of the gold file.")
    predicted: str = Field(description="The text of the predicted file.")
    format: GraphFormat | None = Field(None, description=_RECOGNISED)
    metric: MetricName | None = Field(None, description="By default the one for the format of the gold file.")


class PictureRequest(StrictModel):
    """A sentence to draw, alone or compared with gold."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"words": ["She", "left"], "arcs": [{"head": 2, "dependent": 1}]}]}
    )

    words: list[str]
    arcs: list[ArcObject]
    gold_arcs: list[ArcObject] | None = Field(None, description="Arcs to compare with.")
    crossing: Crossing = Field("relaxed", description="Which arcs are drawn in different colours.")
    rtl: bool = Field(False, description="The first word at the right, for right-to-left languages.")
