"""`/api/encode`, `/api/decode`, `/api/trace`: graphs as labels, and back, explained."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from arctag.encodings import Encoding, Labels, encoding
from arctag.errors import InputError
from arctag.serve.answers import DecodeAnswer, EncodeAnswer, TraceAnswer
from arctag.serve.limits import Limits
from arctag.serve.requests.bodies import DecodeRequest, EncodeRequest, TraceRequest
from arctag.serve.requests.json_route import JsonRoute
from arctag.serve.requests.sentences import graph_of
from arctag.serve.service import answer

router = APIRouter(route_class=JsonRoute)


@router.post("/api/encode", response_model=EncodeAnswer)
async def encode(body: EncodeRequest, request: Request) -> Response:
    """The label of each word, and which arcs are covered."""
    return await answer(request, _encoded, body)


@router.post("/api/decode", response_model=DecodeAnswer)
async def decode(body: DecodeRequest, request: Request) -> Response:
    """The arcs of labels; ill-formed labels are repaired, and the repairs counted."""
    return await answer(request, _decoded, body)


@router.post("/api/trace", response_model=TraceAnswer)
async def trace(body: TraceRequest, request: Request) -> Response:
    """Decoding step by step: what each label does to the stacks, and the arcs it makes."""
    return await answer(request, _traced, body)


def _encoded(body: EncodeRequest, limits: Limits) -> dict[str, Any]:
    from arctag.trace import encode_explained

    graph = graph_of(body.size, body.arcs, limits)
    chosen = _encoding(body.encoding, limits, planes=body.planes, crossing=body.crossing)
    return encode_explained(graph, chosen, order=[(arc.head, arc.dependent) for arc in body.arcs])


def _decoded(body: DecodeRequest, limits: Limits) -> dict[str, Any]:
    limits.check_graph(body.size)
    chosen = _encoding(body.encoding, limits)
    decoded = chosen.decode(Labels.from_rows([chosen.parse(label) for label in body.labels]))
    arcs = [{"head": arc.head, "dependent": arc.dependent} for arc in decoded.graph]
    return {"arcs": arcs, "repairs": decoded.repairs}


def _traced(body: TraceRequest, limits: Limits) -> dict[str, Any]:
    from arctag.trace import trace

    limits.check_trace(body.labels)
    chosen = _encoding(body.encoding, limits)
    return trace(chosen, body.labels, body.size, body.nulls).to_json()


def _encoding(name: str, limits: Limits, **options: str) -> Encoding:
    """An encoding by name, with a limited number of planes."""
    chosen = encoding(name, **options)
    if getattr(chosen, "k", 0) > limits.planes:
        raise InputError(f"{chosen.name} has more than {limits.planes} planes: use the command line for that")
    return chosen
