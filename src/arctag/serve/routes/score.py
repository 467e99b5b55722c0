"""`/api/score`: a predicted graph file against gold."""

from __future__ import annotations

from bisect import bisect_left
from typing import Any

from fastapi import APIRouter, Request, Response

from arctag.errors import InputError
from arctag.metrics import Score, default_metric, get_metric, score
from arctag.metrics.alignment import Words, words_of
from arctag.sentence import Sentence
from arctag.serve.limits import Limits
from arctag.serve.requests.bodies import ScoreRequest
from arctag.serve.requests.graph_text import read_graphs
from arctag.serve.requests.json_route import StrictRoute
from arctag.serve.service import service_of

router = APIRouter(route_class=StrictRoute)
_SENTENCE_FIGURES = {
    "sdp": {"UF": ("including_tops", "UF"), "LF": ("including_tops", "LF")},
    "elas": {"UF": ("EULAS", "f1"), "LF": ("ELAS", "f1")},
}


@router.post("/api/score")
async def score_files(body: ScoreRequest, request: Request) -> Response:
    """A predicted file against gold, as `arctag score --json` gives it, and the F1 of each gold sentence."""
    service = service_of(request)
    return await service.answer(request, _scored, body, service.limits)


def _scored(body: ScoreRequest, limits: Limits) -> dict[str, Any]:
    gold = list(read_graphs(body.gold, "gold", limits, body.format))
    predicted = list(read_graphs(body.predicted, "predicted", limits, body.format))
    metric = body.metric or default_metric(gold)
    if metric == "elas" and alignment_cells(gold, predicted) > limits.cells:
        raise InputError("the multiword tokens of these files overlap too far: score them on the command line")
    result = score(gold, predicted, metric)
    each = [{"id": sentence.id, **row} for sentence, row in zip(gold, _by_sentence(result), strict=True)]
    return {"metric": result.metric, "signature": result.signature, **result.figures, "sentences": each}


def _by_sentence(result: Score) -> list[dict[str, float | None]]:
    """Unlabelled and labelled F1 of each gold sentence."""
    metric, places = get_metric(result.metric), _SENTENCE_FIGURES[result.metric]
    found = []
    for counts in result.counts:
        figures = metric.figures(counts)
        found.append({name: figures[group][figure] for name, (group, figure) in places.items()})
    return found


def alignment_cells(gold: list[Sentence], system: list[Sentence]) -> int:
    """How many pairs of words are compared where multiword tokens of the two sides overlap."""
    sides = (words_of(gold), words_of(system))
    cells = 0
    for start, end in _regions(sides):
        ours, theirs = (bisect_left(words.starts, end) - bisect_left(words.starts, start) for words in sides)
        cells += ours * theirs
    return cells


def _regions(sides: tuple[Words, Words]) -> list[tuple[int, int]]:
    """Stretches of characters that multiword tokens cover without a gap, on either side."""
    spans = sorted(
        (start, end)
        for words in sides
        for start, end, inside in zip(words.starts, words.ends, words.inside, strict=True)
        if inside
    )
    found: list[tuple[int, int]] = []
    for start, end in spans:
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found
