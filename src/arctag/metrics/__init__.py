"""Scores of a system against gold. A new metric is one file like `sdp` and one line in `METRICS`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from arctag.errors import InputError, UnknownName
from arctag.formats import read
from arctag.metrics.bootstrap import Comparison, compare
from arctag.metrics.breakdown import GROUPINGS, breakdown
from arctag.metrics.conll import ConllMetric
from arctag.metrics.elas import ElasMetric
from arctag.metrics.protocol import Counts, Figures, Headline, Metric, Pair, signature
from arctag.metrics.results import Breakdown, Cell, Score
from arctag.metrics.sdp import SdpMetric
from arctag.sentence import Sentence

__all__ = [
    "GROUPINGS",
    "METRICS",
    "Breakdown",
    "Cell",
    "Comparison",
    "Counts",
    "Figures",
    "Headline",
    "Metric",
    "Pair",
    "Score",
    "breakdown",
    "compare",
    "default_metric",
    "get_metric",
    "score",
    "signature",
]

METRICS: dict[str, Metric] = {
    "sdp": SdpMetric(),
    "elas": ElasMetric(),
    "conll": ConllMetric(),
}
"""Name → metric."""


def get_metric(name: str) -> Metric:
    """A metric, by name."""
    if name not in METRICS:
        raise UnknownName("metric", name, METRICS)
    return METRICS[name]


def default_metric(gold: list[Sentence]) -> str:
    """The metric that fits the format of the gold sentences."""
    return "sdp" if gold and gold[0].format == "sdp" else "elas"


def score(
    gold: str | Path | Iterable[Sentence],
    system: str | Path | Iterable[Sentence],
    metric: str | None = None,
    *,
    by: Iterable[str] = (),
) -> Score:
    """Score a system against gold, given as files or as sentences.

    Without a metric, SDP files get `sdp` and CoNLL-U files `elas`. `by` names breakdowns to add
    (see `GROUPINGS`).
    """
    gold, system = _sentences(gold), _sentences(system)
    if not gold or not system:
        raise InputError(f"{len(gold)} gold and {len(system)} system sentences: nothing to score")
    chosen = get_metric(metric or default_metric(gold))
    counts = chosen.count(gold, system)
    total = counts.sum(axis=0)
    figures = chosen.figures(total)
    group, name = chosen.headline.place
    return Score(
        metric=chosen.name,
        signature=signature(chosen),
        figures=figures,
        main=(chosen.headline.name, figures[group][name] or 0.0),
        counts=counts,
        digits=chosen.digits,
        breakdowns=_breakdowns(chosen, gold, system, by),
    )


def _breakdowns(
    metric: Metric, gold: list[Sentence], system: list[Sentence], by: Iterable[str]
) -> dict[str, Breakdown]:
    wanted = list(dict.fromkeys(by))
    pairs = list(metric.pairs(gold, system)) if wanted else []
    return {name: breakdown(pairs, name) for name in wanted}


def _sentences(source: str | Path | Iterable[Sentence]) -> list[Sentence]:
    return list(read(source)) if isinstance(source, (str, Path)) else list(source)
