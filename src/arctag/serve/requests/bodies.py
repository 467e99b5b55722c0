"""What a request may hold. Each model is one line of `docs/serve.md` and of `/openapi.json`."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

Crossing = Literal["relaxed", "strict"]
Planes = Literal["greedy", "best"]
Format = Literal["conllu", "sdp"]
_FILE = "1\tGo\t_\t_\t_\t_\t0\troot\t0:root\t_\n\n"  # of one word, for examples


class Strict(BaseModel):
    """A key that is not known, or a value of another type, is an error."""

    model_config = ConfigDict(extra="forbid", strict=True)


class ArcGiven(BaseModel):
    """An arc; 0 is the root. What else an answer of ours says about it may stand there."""

    model_config = ConfigDict(extra="ignore", strict=True)

    head: int = Field(description="The number of a word, from 1; 0 is the root.")
    dependent: int = Field(description="The number of a word, from 1.")
    relations: list[str] = Field(default=["_"], min_length=1)


class TreeGiven(Strict):
    """The head and the relation of a word in the basic tree."""

    head: int
    relation: str


class SentenceGiven(BaseModel):
    """A sentence object, as this service gives it; only words are needed."""

    model_config = ConfigDict(extra="ignore", strict=True)

    words: list[str]
    arcs: list[ArcGiven] = []
    id: str | None = None
    text: str | None = None
    ids: list[str] | None = None
    tags: list[str] | None = None
    tree: list[TreeGiven | None] | None = None


class ParseRequest(Strict):
    """What to parse, with which model and how."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"text": "She wants to leave."}]})

    text: str | None = Field(None, description="Running text.")
    tokens: list[list[str]] | None = Field(None, description="Sentences that are split into words.")
    graphs: str | None = Field(None, description="The text of a CoNLL-U or SDP file, whose words are parsed.")
    model: str | None = Field(None, description="One of those that `/api/models` lists; else the default one.")
    layout: Literal["paragraphs", "lines", "sentences"] = Field("paragraphs", description="What lines mean in `text`.")
    ensure: list[str] = Field([], description="Guarantees: attached, top, acyclic, connected.")
    threshold: float | None = Field(None, description="Keep arcs of at least this probability; else the model's own.")
    probabilities: bool = Field(False, description="Give each arc's probability and each sentence's score.")
    svg: bool = Field(False, description="Give a picture of each sentence.")
    rows: bool = Field(False, description="Give each sentence as a file holds it: CoNLL-U, or SDP if `graphs` is.")

    @model_validator(mode="after")
    def _one_input(self) -> ParseRequest:
        if sum(given is not None for given in (self.text, self.tokens, self.graphs)) != 1:
            raise ValueError("give one of text, tokens and graphs")
        return self


class ReadRequest(Strict):
    """The text of a graph file."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"graphs": _FILE}]})

    graphs: str = Field(description="The text of the file.")
    format: Format | None = Field(None, description="Else sdp if the text begins with `#SDP 2015`, else conllu.")


class ConvertRequest(Strict):
    """Sentences, or the text of a file, and what to write them as."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"sentences": [{"words": ["Go"], "arcs": [{"head": 0, "dependent": 1}]}], "to": "conllu"}]
        }
    )

    sentences: list[SentenceGiven] | None = None
    graphs: str | None = Field(None, description="The text of a CoNLL-U or SDP file; nothing of it is lost on the way.")
    format: Format | None = Field(None, description="That of `graphs`; else found as by `/api/read`.")
    to: Literal["conllu", "sdp", "json", "svg"]

    @model_validator(mode="after")
    def _one_input(self) -> ConvertRequest:
        if (self.sentences is None) == (self.graphs is None):
            raise ValueError("give one of sentences and graphs")
        return self


class GraphSized(Strict):
    """How many words there are: `n`, or the words themselves."""

    words: list[str] | None = Field(None, description="The words, or else `n`.")
    n: int | None = Field(None, description="The number of words.")

    @model_validator(mode="after")
    def _one_size(self) -> GraphSized:
        if self.words is None and self.n is None:
            raise ValueError("give words or n")
        if self.words is not None and self.n is not None and self.n != len(self.words):
            raise ValueError(f"n is {self.n}, but there are {len(self.words)} words")
        return self

    @property
    def size(self) -> int:
        """The number of words."""
        return len(self.words) if self.words is not None else self.n or 0


class EncodeRequest(GraphSized):
    """A graph, and an encoding for it."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"n": 2, "arcs": [{"head": 2, "dependent": 1}], "encoding": "bits6-4"}]}
    )

    arcs: list[ArcGiven]
    encoding: str = Field(description="One of those that `/api/encodings` lists.")
    planes: Planes = Field("greedy", description="How arcs are given planes.")
    crossing: Crossing = Field("relaxed", description="Which arcs may not share a plane.")


class DecodeRequest(GraphSized):
    """Labels, and the encoding they are of."""

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
    """Labels whose decoding is to be told."""

    nulls: list[list[int]] | None = Field(
        None, description="For bits4: the planes of each word, from 1, whose arc is a null arc, as encoding gives them."
    )


class ScoreRequest(Strict):
    """Two graph files, as text."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"gold": _FILE, "predicted": _FILE}]})

    gold: str = Field(description="The text of the gold file.")
    predicted: str = Field(description="The text of the file to be scored.")
    format: Format | None = Field(None, description="Else sdp if a text begins with `#SDP 2015`, else conllu.")
    metric: Literal["sdp", "elas"] | None = Field(None, description="Else sdp for SDP and elas for CoNLL-U.")


class PictureRequest(Strict):
    """A sentence to draw, perhaps against gold."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"words": ["She", "left"], "arcs": [{"head": 2, "dependent": 1}]}]}
    )

    words: list[str]
    arcs: list[ArcGiven]
    gold_arcs: list[ArcGiven] | None = Field(None, description="Arcs to compare with.")
    crossing: Crossing = Field("relaxed", description="Which arcs are drawn in different colours.")
    rtl: bool = Field(False, description="The first word at the right, for right-to-left languages.")
