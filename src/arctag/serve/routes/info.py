"""What can be asked without sending anything: health, models, the names in the tables, metrics, the docs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, PlainTextResponse
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4

from arctag import __version__
from arctag.encodings import ENCODINGS
from arctag.formats import FORMATS
from arctag.glossary import glossary
from arctag.metrics import METRICS
from arctag.search.reading import MOST_CHARACTERS
from arctag.serve.answers import (
    EncodingsAnswer,
    GlossaryAnswer,
    HealthAnswer,
    InfoAnswer,
    LanguagesAnswer,
    ModelsAnswer,
)
from arctag.serve.service import service_of
from arctag.text.chunks import LAYOUTS
from arctag.text.languages import language_of, title_of
from arctag.text.other_language import languages
from arctag.transforms.guarantees import GUARANTEES

router = APIRouter()
_LIMITS = ("body", "words", "arcs", "planes", "trace_words", "trace_labels")
_PLANES = range(1, 7)  # offered for each encoding that takes a number of planes


@router.head("/api/health", include_in_schema=False)
@router.get("/api/health", response_model=HealthAnswer)
async def health(request: Request) -> dict[str, Any]:
    """The status of the service, and how many requests it is processing."""
    service = service_of(request)
    return {"status": "ok", "version": __version__, "models": list(service.models), "queue": service.capacity.requests}


@router.get("/api/models", response_model=ModelsAnswer)
async def models(request: Request) -> dict[str, Any]:
    """The loaded models and their cards."""
    service = service_of(request)
    listed = []
    for name, model in service.models.items():
        config = model.parser.config
        layers = {layer.name: layer.summary for layer in config.layers}
        about = {
            "title": title_of(name), "language": language_of(name), "encoder": config.encoder, "layers": layers,
        }  # fmt: skip
        listed.append({"name": name, **about, "raw_text": model.parser.tokenizer is not None, "card": config.card})
    return {"default": service.default, "models": listed}


@router.get("/api/encodings", response_model=EncodingsAnswer)
async def encodings() -> dict[str, Any]:
    """The encodings, with the numbers of planes to choose from."""
    listed = []
    for family, entry in ENCODINGS.items():
        about = (entry.make.__doc__ or "").split("\n")[0]
        for planes in _PLANES if entry.ks else (None,):
            name = f"{family}-{planes}" if planes else family
            listed.append(
                {
                    "name": name, "family": family, "planes": planes, "description": about,
                    "trees_only": entry.make.trees_only,
                }
            )  # fmt: skip
    return {"encodings": listed}


@router.get("/api/info", response_model=InfoAnswer)
async def info(request: Request) -> dict[str, Any]:
    """The formats, guarantees, layouts and metrics that requests can name, and the limits they must keep to."""
    limits = service_of(request).limits
    return {
        "formats": [
            {
                "name": name,
                "title": format.title or name,
                "suffixes": list(format.suffixes),
                "header": format.header.rstrip("\n"),
                "one_graph": format.one_graph,
            }
            for name, format in FORMATS.items()
        ],
        "guarantees": _described(GUARANTEES),
        "layouts": _described(LAYOUTS),
        "metrics": [{"name": name, "headline": metric.headline.name} for name, metric in METRICS.items()],
        "limits": {**{name: getattr(limits, name) for name in _LIMITS}, "pattern": MOST_CHARACTERS},
    }


@router.get("/api/glossary", response_model=GlossaryAnswer, response_model_exclude_none=True)
async def relations() -> Mapping[str, Any]:
    """What relations and tags mean: Universal Dependencies, DM, PropBank and others."""
    return glossary()


@router.get("/api/languages", response_model=LanguagesAnswer)
async def small_words() -> Mapping[str, Any]:
    """Scripts and frequent words, by which the page notices text in a language that a model has not learned."""
    return languages()


def _described(table: Mapping[str, str]) -> list[dict[str, str]]:
    return [{"name": name, "description": about} for name, about in table.items()]


@router.get("/metrics", response_class=PlainTextResponse)
async def metrics(request: Request) -> Response:
    """Metrics for Prometheus."""
    return Response(service_of(request).metrics.text(), media_type=CONTENT_TYPE_PLAIN_0_0_4)


@router.get("/docs", response_class=HTMLResponse, include_in_schema=False)
async def docs(request: Request) -> HTMLResponse:
    """The description of the API, for people."""
    return HTMLResponse(request.app.state.docs)
