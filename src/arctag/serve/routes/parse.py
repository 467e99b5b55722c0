"""`POST /api/parse`: text, tokens or graph files in, graphs out."""

from __future__ import annotations

import json
from collections.abc import Iterator

from fastapi import APIRouter, Request, Response

from arctag.draw import svg
from arctag.formats.json_lines import sentence_json
from arctag.parsing.parser import ParseOptions, Parser
from arctag.sentence import Sentence
from arctag.serve.answers import ParseAnswer
from arctag.serve.limits import Limits
from arctag.serve.models.batching import Parsed, Skipped
from arctag.serve.requests.bodies import ParseRequest
from arctag.serve.requests.json_route import JsonRoute
from arctag.serve.requests.sentences import graph_sentences, text_sentences, token_sentences
from arctag.serve.routes.chunks import parsed_chunks
from arctag.serve.routes.drawn_layer import check_drawn, drawn
from arctag.serve.routes.file_rows import FileRows
from arctag.serve.service import known_layers, service_of

router = APIRouter(route_class=JsonRoute)


@router.post("/api/parse", response_model=ParseAnswer)
async def parse(body: ParseRequest, request: Request) -> Response:
    """Parse text, tokens, or the words of a graph file.

    A sentence that cannot be read or parsed is left out and listed in `skipped`.
    """
    service = service_of(request)
    model = service.model(body.model)
    check_drawn(body.layer, model.parser)
    options = ParseOptions(
        ensure=None if body.ensure is None else tuple(body.ensure),
        probabilities=body.probabilities,
        threshold=body.threshold,
        layers=known_layers(model, body.layers),
        also=() if body.layer is None else (body.layer,),
    )
    rows = FileRows(model.parser, options) if body.rows else None
    sentences = _sentences(body, model.parser, service.limits)
    compute = service.compute_in_thread if body.svg else service.compute
    texts: list[str] = []
    skipped: list[dict[str, str]] = []
    async for parsed in parsed_chunks(request, service, model, sentences, options):
        texts += await compute(request, _rendered, parsed, body, rows)
        skipped += [{"id": one.id, "why": one.why} for one in parsed if isinstance(one, Skipped)]
    parts = ['{"model":', json.dumps(model.name), ',"sentences":[', ",".join(texts)]
    parts += ['],"skipped":', json.dumps(skipped, ensure_ascii=False)]
    if rows is not None:
        parts += [',"format":', json.dumps(rows.format), ',"header":', json.dumps(rows.header, ensure_ascii=False)]
    parts.append("}")
    return Response("".join(parts), media_type="application/json")


def _sentences(body: ParseRequest, parser: Parser, limits: Limits) -> Iterator[Sentence]:
    if body.text is not None:
        return text_sentences(parser, body.text, body.layout)
    if body.tokens is not None:
        return token_sentences(body.tokens, limits)
    return graph_sentences(body.graphs or "", limits)


def _rendered(parsed: Parsed, body: ParseRequest, rows: FileRows | None) -> list[str]:
    """Each sentence as JSON text, which takes much less memory than the sentence itself."""
    texts = []
    for sentence in parsed:
        if isinstance(sentence, Sentence):
            value = sentence_json(sentence)
            if body.svg:
                value["svg"] = svg(drawn(sentence, body.layer))
            if rows is not None:
                value["rows"] = rows.text(sentence)
            texts.append(json.dumps(value, ensure_ascii=False))
    return texts
