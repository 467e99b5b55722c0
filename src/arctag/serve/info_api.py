"""What can be asked without sending anything: health, models, encodings, counters, the description of the API."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, PlainTextResponse

from arctag import __version__
from arctag.serve.encode_api import list_encodings
from arctag.serve.service import service_of

router = APIRouter()


@router.head("/api/health", include_in_schema=False)
@router.get("/api/health")
async def health(request: Request) -> dict[str, Any]:
    """Whether the service is well, and how much it has to do."""
    service = service_of(request)
    return {"status": "ok", "version": __version__, "models": list(service.models), "queue": service.gate.inside}


@router.get("/api/models")
async def models(request: Request) -> dict[str, Any]:
    """The models that can be asked for, and what their cards say."""
    service = service_of(request)
    found = []
    for name, model in service.models.items():
        config = model.parser.config
        about = {"encoding": config.encoding, "encoder": config.encoder, "relations": len(config.relations)}
        found.append({"name": name, **about, "raw_text": model.parser.tokenizer is not None, "card": config.card})
    return {"default": service.default, "models": found}


@router.get("/api/encodings")
async def encodings() -> dict[str, Any]:
    """The encodings, with the numbers of planes to choose from."""
    return list_encodings()


@router.get("/metrics", response_class=PlainTextResponse)
async def metrics(request: Request) -> Response:
    """Counters for Prometheus."""
    service = service_of(request)
    waiting = {name: model.waiting for name, model in service.models.items()}
    text = service.metrics.text(service.gate.inside, waiting)
    return Response(text, media_type="text/plain; version=0.0.4; charset=utf-8")


@router.get("/docs", response_class=HTMLResponse, include_in_schema=False)
async def docs(request: Request) -> HTMLResponse:
    """The description of the API, for people."""
    return HTMLResponse(request.app.state.docs)
