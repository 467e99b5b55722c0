"""`/api/read`, `/api/convert`, `/api/picture`: graph files read, converted and drawn."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from arctag.draw import svg
from arctag.encodings import Arcs
from arctag.encodings.planes import plane_counts
from arctag.errors import ArctagError, InputError
from arctag.formats import Writer, get_format
from arctag.formats.json_lines import graph_json, sentence_json
from arctag.graph import Graph
from arctag.sentence import Sentence
from arctag.serve.answers import ConvertAnswer, PictureAnswer, ReadAnswer
from arctag.serve.limits import Limits
from arctag.serve.requests.bodies import ConvertRequest, PictureRequest, ReadRequest
from arctag.serve.requests.graph_text import format_of_text, read_graphs
from arctag.serve.requests.json_route import JsonRoute
from arctag.serve.requests.sentences import picture_sentence, sentence_of
from arctag.serve.service import answer
from arctag.transforms.main_graph import choosing

router = APIRouter(route_class=JsonRoute)


@router.post("/api/read", response_model=ReadAnswer)
async def read(body: ReadRequest, request: Request) -> Response:
    """The sentences of a graph file; one that cannot be read comes with its error, which names the line."""
    return await answer(request, _read, body)


@router.post("/api/convert", response_model=ConvertAnswer)
async def convert(body: ConvertRequest, request: Request) -> Response:
    """Sentences as the text of a file, with what is lost in it, or a sentence as a picture."""
    return await answer(request, _converted, body)


@router.post("/api/picture", response_model=PictureAnswer)
async def picture(body: PictureRequest, request: Request) -> Response:
    """A sentence as SVG; with gold arcs, which are correct, missing and extra."""
    return await answer(request, _drawn, body)


def _read(body: ReadRequest, limits: Limits) -> dict[str, Any]:
    name = body.format or format_of_text(body.graphs)
    sentences = list(read_graphs(body.graphs, "graphs", limits, name, on_error=lambda _: None))
    planes = plane_counts(Arcs.of(sentence.graph for sentence in sentences), "relaxed").tolist()
    found = [_as_read(sentence, count) for sentence, count in zip(sentences, planes, strict=True)]
    return {"format": name, "header": _header(name, sentences), "sentences": found}


def _header(format: str, sentences: list[Sentence]) -> str:
    """What every part of the file must begin with."""
    own = sentences[0].header if sentences else None
    return get_format(format).header if own is None else own.text


def _as_read(sentence: Sentence, planes: int) -> dict[str, Any]:
    line = int(sentence.source.rpartition(":")[2])
    if sentence.error:
        return {"id": sentence.id, "error": sentence.error, "line": line}
    value = {**sentence_json(sentence), "planes": planes, "cyclic": sentence.graph.cyclic, "line": line}
    for name, layer in value.get("layers", {}).items():
        if (graph := _graph_in(sentence, name)) is not None:
            layer["arcs"] = graph_json(graph)
    return value


def _graph_in(sentence: Sentence, column: str) -> Graph | None:
    """The graph in a further column, if it is written as in DEPS."""
    try:
        return sentence.graph_in(column)
    except ArctagError:
        return None


def _converted(body: ConvertRequest, limits: Limits) -> dict[str, Any]:
    if body.graphs is not None:
        sentences = list(read_graphs(body.graphs, "graphs", limits, body.format))
    else:
        sentences = [sentence_of(value, number, limits) for number, value in enumerate(body.sentences or (), 1)]
    sentences = list(map(choosing(body.layer), sentences))
    if body.to == "svg":
        if len(sentences) != 1:
            raise InputError(f"an SVG file holds one sentence; found {len(sentences)}")
        return {"text": svg(sentences[0])}
    if body.to == "sdp":
        _check_matrix(sentences, limits)
    writer = Writer(body.to)
    text = "".join(map(writer.text, sentences))  # the header may depend on the first of them
    return {"text": writer.header + text, "header": writer.header, "lost": dict(writer.lost.most_common())}


def _check_matrix(sentences: list[Sentence], limits: Limits) -> None:
    """SDP has a column for each predicate, in every row."""
    cells = sum(sentence.graph.n * len(set(sentence.graph.heads.tolist())) for sentence in sentences)
    if cells > limits.cells:
        raise InputError(f"{cells} cells are too many for SDP here: convert fewer sentences at a time")


def _drawn(body: PictureRequest, limits: Limits) -> dict[str, str]:
    sentence = picture_sentence(body.words, body.arcs, limits)
    gold = None if body.gold_arcs is None else picture_sentence(body.words, body.gold_arcs, limits)
    return {"svg": svg(sentence, against=gold, crossing=body.crossing, direction="rtl" if body.rtl else "ltr")}
