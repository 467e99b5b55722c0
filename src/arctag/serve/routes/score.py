"""`/api/score`: a predicted graph file against gold."""

from __future__ import annotations

from bisect import bisect_left
from typing import Any

from fastapi import APIRouter, Request, Response

from arctag.errors import InputError
from arctag.metrics import Score, default_metric, get_metric, score
from arctag.metrics.aligned_metric import AlignedMetric
from arctag.metrics.alignment import Words, words_of
from arctag.sentence import Sentence
from arctag.serve.answers import ScoreAnswer
from arctag.serve.limits import Limits
from arctag.serve.requests.bodies import ScoreRequest
from arctag.serve.requests.graph_text import read_graphs
from arctag.serve.requests.json_route import JsonRoute
from arctag.serve.service import answer

router = APIRouter(route_class=JsonRoute)


@router.post("/api/score", response_model=ScoreAnswer)
async def score_files(body: ScoreRequest, request: Request) -> Response:
    """A predicted file against gold, as `arctag score --json` gives it, and the F1 of each gold sentence."""
    return await answer(request, _scored, body)


def _scored(body: ScoreRequest, limits: Limits) -> dict[str, Any]:
    gold = list(read_graphs(body.gold, "gold", limits, body.format))
    predicted = list(read_graphs(body.predicted, "predicted", limits, body.format))
    metric = body.metric or default_metric(gold)
    if isinstance(get_metric(metric), AlignedMetric) and alignment_cells(gold, predicted) > limits.cells:
        raise InputError("the multiword tokens of these files overlap too much: score them on the command line")
    result = score(gold, predicted, metric)
    each = [{"id": sentence.id, **row} for sentence, row in zip(gold, _by_sentence(result), strict=True)]
    return {"metric": result.metric, "signature": result.signature, **result.figures, "sentences": each}


def _by_sentence(result: Score) -> list[dict[str, float | None]]:
    """Unlabelled and labelled F1 of each gold sentence."""
    metric = get_metric(result.metric)
    places = {"UF": metric.unlabelled, "LF": metric.headline.place}
    each = map(metric.figures, result.counts)
    return [{name: figures[group][figure] for name, (group, figure) in places.items()} for figures in each]


def alignment_cells(gold: list[Sentence], system: list[Sentence]) -> int:
    """How many pairs of words are compared where multiword tokens of the two sides overlap."""
    sides = (words_of(gold), words_of(system))
    cells = 0
    for start, end in _regions(sides):
        ours, theirs = (bisect_left(words.starts, end) - bisect_left(words.starts, start) for words in sides)
        cells += ours * theirs
    return cells


def _regions(sides: tuple[Words, Words]) -> list[tuple[int, int]]:
    """Spans of characters that multiword tokens of either side cover without a gap."""
    spans = sorted(
        (start, end)
        for words in sides
        for start, end, inside in zip(words.starts, words.ends, words.inside, strict=True)
        if inside
    )
    regions: list[tuple[int, int]] = []
    for start, end in spans:
        if regions and start < regions[-1][1]:
            regions[-1] = (regions[-1][0], max(regions[-1][1], end))
        else:
            regions.append((start, end))
    return regions
