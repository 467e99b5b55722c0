"""`/api/encode`, `/api/decode`, `/api/trace`: graphs as labels, and back, as people study them."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from arctag.encodings import ENCODINGS, Encoding, Labels, encoding
from arctag.errors import InputError
from arctag.serve.limits import Limits
from arctag.serve.requests.bodies import DecodeRequest, EncodeRequest, TraceRequest
from arctag.serve.requests.json_route import StrictRoute
from arctag.serve.requests.sentences import graph_of
from arctag.serve.service import service_of

router = APIRouter(route_class=StrictRoute)
_OFFERED = range(1, 7)  # numbers of planes to choose from


def list_encodings() -> dict[str, Any]:
    """The encodings, with every number of planes that is offered."""
    found = []
    for family, entry in ENCODINGS.items():
        about = (entry.make.__doc__ or "").split("\n")[0]
        for planes in _OFFERED if entry.ks else (None,):
            name = f"{family}-{planes}" if planes else family
            found.append({"name": name, "family": family, "planes": planes, "description": about})
    return {"encodings": found}


@router.post("/api/encode")
async def encode(body: EncodeRequest, request: Request) -> Response:
    """The label of each word, and what became of each arc."""
    service = service_of(request)
    return await service.answer(request, _encoded, body, service.limits)


@router.post("/api/decode")
async def decode(body: DecodeRequest, request: Request) -> Response:
    """The arcs behind labels; ill-formed labels are repaired, and the repairs counted."""
    service = service_of(request)
    return await service.answer(request, _decoded, body, service.limits)


@router.post("/api/trace")
async def trace(body: TraceRequest, request: Request) -> Response:
    """Decoding step by step: what each label does to the stacks, and the arcs it makes."""
    service = service_of(request)
    return await service.answer(request, _traced, body, service.limits)


def _encoded(body: EncodeRequest, limits: Limits) -> dict[str, Any]:
    from arctag.trace import encode_explained

    graph = graph_of(body.size, body.arcs, limits)
    chosen = _encoding(body.encoding, limits, planes=body.planes, crossing=body.crossing)
    return encode_explained(graph, chosen, order=[(arc.head, arc.dependent) for arc in body.arcs])


def _decoded(body: DecodeRequest, limits: Limits) -> dict[str, Any]:
    limits.check_graph(body.size)
    chosen = _encoding(body.encoding, limits)
    found = chosen.decode(Labels.from_rows([chosen.parse(label) for label in body.labels]))
    return {
        "arcs": [{"head": arc.head, "dependent": arc.dependent} for arc in found.graph],
        "repairs": found.repairs,
    }


def _traced(body: TraceRequest, limits: Limits) -> dict[str, Any]:
    from arctag.trace import trace

    limits.check_trace(body.labels)
    chosen = _encoding(body.encoding, limits)
    return trace(chosen, body.labels, body.size, body.nulls).to_json()


def _encoding(name: str, limits: Limits, **options: str) -> Encoding:
    """An encoding, by name; not one of hundreds of planes."""
    chosen = encoding(name, **options)
    if getattr(chosen, "k", 0) > limits.planes:
        raise InputError(f"{chosen.name} has more than {limits.planes} planes: use the command line for that")
    return chosen
