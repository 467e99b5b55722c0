"""The JSON of answers, as `/openapi.json` describes it; tests check real answers with it."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class Answer(BaseModel):
    """Keys that are not described here do not occur."""

    model_config = ConfigDict(extra="forbid")


class ErrorAnswer(Answer):
    """Why a request was refused."""

    error: str = Field(description="One line, as on the command line.")


class ArcAnswer(Answer):
    """An arc."""

    head: int = Field(description="The number of a word, from 1; 0 is the root.")
    dependent: int = Field(description="The number of a word, from 1.")
    relations: list[str]
    probability: float | None = Field(None, description="Where probabilities were asked for.")


class BareArcAnswer(Answer):
    """An arc without its relations."""

    head: int
    dependent: int


class PlacedArcAnswer(BareArcAnswer):
    """An arc, and the plane that it is in."""

    plane: int


class TreeAnswer(Answer):
    """The head and the relation of a word in the basic tree."""

    head: int
    relation: str
    probability: float | None = None


class LayerAnswer(Answer):
    """A further graph, or further tags."""

    arcs: list[ArcAnswer] | None = None
    tags: list[str] | None = None


class SentenceAnswer(Answer):
    """A sentence, with what is known of it."""

    id: str
    text: str
    words: list[str]
    ids: list[str] | None = Field(None, description="The ids of words and empty nodes, where there are empty nodes.")
    tags: list[str] | None = Field(None, description="UPOS, or the tags of SDP.")
    lemmas: list[str] | None = None
    xpos: list[str] | None = None
    feats: list[str] | None = None
    arcs: list[ArcAnswer]
    score: float | None = Field(None, description="The mean log-probability of its labels.")
    tree: list[TreeAnswer | None] | None = None
    layers: dict[str, LayerAnswer] | None = None


class ParsedSentenceAnswer(SentenceAnswer):
    """A parsed sentence."""

    svg: str | None = Field(None, description="Its picture, where it was asked for.")
    rows: str | None = Field(None, description="Its lines in a file, where they were asked for.")


class SkippedSentenceAnswer(Answer):
    """A sentence that was left out."""

    id: str
    why: str


class ParseAnswer(Answer):
    """The sentences that were parsed."""

    model: str
    sentences: list[ParsedSentenceAnswer]
    skipped: list[SkippedSentenceAnswer]
    format: str | None = Field(None, description="The format of `rows`.")
    header: str | None = Field(None, description="What a file with these `rows` begins with.")


class ReadSentenceAnswer(SentenceAnswer):
    """A sentence of a file."""

    planes: int = Field(description="How many planes its arcs need.")
    cyclic: bool
    line: int = Field(description="The line of its first word.")


class BrokenSentenceAnswer(Answer):
    """A sentence of a file that cannot be read."""

    id: str
    error: str
    line: int


class ReadAnswer(Answer):
    """The sentences of a file."""

    format: str
    header: str
    sentences: list[ReadSentenceAnswer | BrokenSentenceAnswer]


class ConvertAnswer(Answer):
    """The text of a file, or of a picture."""

    text: str
    header: str | None = Field(None, description="What the file begins with.")
    lost: dict[str, int] | None = Field(None, description="What the format cannot represent, and how often.")


class PictureAnswer(Answer):
    """A picture."""

    svg: str


class MatchAnswer(Answer):
    """A place that a pattern describes."""

    words: list[int] = Field(description="The words found, from 1, in the order of the pattern; 0 is the root.")
    names: dict[str, int] = Field(description="Those that the pattern names.")
    arcs: list[tuple[str, int, int]] = Field(description="The arcs found: graph, head, dependent.")


class HitAnswer(Answer):
    """A sentence with matches."""

    sentence: int = Field(description="Its number, from 0.")
    matches: list[MatchAnswer]


class SearchAnswer(Answer):
    """What a search has found."""

    sentences: int = Field(description="How many sentences were searched.")
    matches: int
    hits: list[HitAnswer]


class PartAnswer(Answer):
    """A part of a label, and what it means."""

    text: str
    meaning: str


class EncodeAnswer(Answer):
    """The labels of a graph."""

    encoding: str
    labels: list[str]
    planes: list[int] = Field(description="The plane of each arc, from 1; 0 for one that is not covered.")
    null_arcs: list[PlacedArcAnswer]
    nulls: list[list[int]] = Field(description="For bits4: the planes of each word whose arc is a null arc.")
    covered: list[bool]
    coverage: float = Field(description="The share of arcs that are covered.")
    why: list[str | None] = Field(description="Why an arc is not covered.")
    parts: list[list[PartAnswer]]
    decoded: list[BareArcAnswer] = Field(description="The arcs that come back.")


class DecodeAnswer(Answer):
    """The arcs of labels."""

    arcs: list[BareArcAnswer]
    repairs: int


class StepAnswer(Answer):
    """A step of decoding."""

    word: int | None
    label: str
    part: str
    pass_: str = Field(alias="pass")
    text: str
    stacks: dict[str, list[int]]
    new_arcs: list[PlacedArcAnswer]
    null_arcs: list[PlacedArcAnswer]
    lost_arcs: list[PlacedArcAnswer]
    repair: bool
    repairs: int
    why: str


class TraceAnswer(DecodeAnswer):
    """Decoding, step by step."""

    encoding: str
    steps: list[StepAnswer]


class ScoredSentenceAnswer(Answer):
    """The scores of a sentence."""

    id: str
    UF: float | None
    LF: float | None


class ScoreAnswer(BaseModel):
    """The output of `arctag score --json`: further keys have the figures of the metric."""

    model_config = ConfigDict(extra="allow")

    metric: str
    signature: str
    sentences: list[ScoredSentenceAnswer]


class HealthAnswer(Answer):
    """The status of the service."""

    status: str
    version: str
    models: list[str]
    queue: int


class ModelAnswer(Answer):
    """A model."""

    name: str
    title: str = Field(description="What people call it.")
    language: str | None = Field(description="The code of its language, if its name tells.")
    encoder: str
    layers: dict[str, dict[str, Any]]
    raw_text: bool = Field(description="Whether it reads running text.")
    card: dict[str, Any]


class ModelsAnswer(Answer):
    """The models."""

    default: str
    models: list[ModelAnswer]


class EncodingAnswer(Answer):
    """An encoding."""

    name: str
    family: str
    planes: int | None
    description: str
    trees_only: bool


class EncodingsAnswer(Answer):
    """The encodings."""

    encodings: list[EncodingAnswer]


class FormatAnswer(Answer):
    """A format of graph files."""

    name: str
    title: str
    suffixes: list[str]
    header: str
    one_graph: bool = Field(description="Whether it has room for one graph only.")


class DescribedAnswer(Answer):
    """A name, and what it stands for."""

    name: str
    description: str


class MetricAnswer(Answer):
    """A metric, and its most important figure."""

    name: str
    headline: str


class LimitsAnswer(Answer):
    """The limits that requests must keep to."""

    body: int
    words: int
    arcs: int
    planes: int
    trace_words: int
    trace_labels: int
    pattern: int = Field(description="Characters of a pattern to search for.")


class InfoAnswer(Answer):
    """What requests can name."""

    formats: list[FormatAnswer]
    guarantees: list[DescribedAnswer]
    layouts: list[DescribedAnswer]
    metrics: list[MetricAnswer]
    limits: LimitsAnswer


class RelationAnswer(Answer):
    """A relation."""

    name: str
    about: str | None = None
    example: str | None = None


class SchemeAnswer(Answer):
    """A set of relations, and rules for those that are made of others: an expression, and a text with blanks."""

    title: str
    relations: dict[str, RelationAnswer]
    rules: list[tuple[str, str]]


class GlossaryAnswer(Answer):
    """What relations and tags mean."""

    schemes: dict[str, SchemeAnswer]
    upos: dict[str, str]


class ScriptAnswer(Answer):
    """A script, or several that go together."""

    name: str
    scripts: list[str] = Field(description="As Unicode names them.")


class LanguageAnswer(Answer):
    """A language."""

    name: str
    words: str = Field(description="Its most frequent words, with spaces between them.")


class LanguagesAnswer(Answer):
    """What the page guesses the language of a text by."""

    scripts: list[ScriptAnswer]
    languages: dict[str, LanguageAnswer] = Field(description="By their codes.")


class FileAnswer(Answer):
    """A treebank that was given to `arctag serve`."""

    number: int
    name: str


class FilesAnswer(Answer):
    """The treebanks."""

    files: list[FileAnswer]


class UdpipeModelsAnswer(Answer):
    """The models, as UDPipe's clients expect them."""

    models: dict[str, list[str]]
    default_model: str


class UdpipeAnswer(Answer):
    """The result, as UDPipe's clients expect it."""

    model: str
    acknowledgements: list[str]
    result: str
