"""`/api/search`: what a pattern describes, in the sentences of a graph file."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from arctag.errors import InputError
from arctag.search import Match, Pattern
from arctag.serve.answers import SearchAnswer
from arctag.serve.limits import Limits
from arctag.serve.requests.bodies import SearchRequest
from arctag.serve.requests.graph_text import read_graphs
from arctag.serve.requests.json_route import JsonRoute
from arctag.serve.service import answer

router = APIRouter(route_class=JsonRoute)


@router.post("/api/search", response_model=SearchAnswer)
async def search(body: SearchRequest, request: Request) -> Response:
    """Find words, relations and small graphs in a graph file, as `arctag search` does.

    Sentences that cannot be read are counted, and have no matches.
    """
    return await answer(request, _found, body)


def _found(body: SearchRequest, limits: Limits) -> dict[str, Any]:
    pattern = Pattern(body.pattern, body.layer, limits.steps)
    hits: list[dict[str, Any]] = []
    number = total = 0
    for number, sentence in enumerate(
        read_graphs(body.graphs, "graphs", limits, body.format, on_error=lambda _: None), 1
    ):
        if matches := pattern.find(sentence):
            total += len(matches)
            if total > limits.matches:
                raise InputError(
                    f"more than {limits.matches:,} matches; search in fewer sentences, or give more conditions"
                )
            hits.append({"sentence": number - 1, "matches": list(map(_as_json, matches))})
    return {"sentences": number, "matches": total, "hits": hits}


def _as_json(match: Match) -> dict[str, Any]:
    return {"words": match.words, "names": match.names, "arcs": match.arcs}
