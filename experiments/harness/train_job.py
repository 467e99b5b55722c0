"""The job of `run.py`: train, score, add one result."""

from __future__ import annotations

import sys
from pathlib import Path
from time import perf_counter
from typing import Any

from arctag.analysis.evaluation import evaluate_with_counts
from arctag.errors import ArctagError
from arctag.parsing.parser import ParseOptions, Parser
from harness.environment import environment
from harness.graph_layer import graph_layer
from harness.job import Job
from harness.oracle import oracle
from harness.packing import pack
from harness.recorder import CURVE, TrainingRecord, record_training
from harness.store import FORMAT, RUN, add_result

_FIGURES = ("UF", "LF", "UM", "LM", "UP", "UR", "LP", "LR")


def main(job: Job) -> None:
    """Train, score, add the result."""
    begin = perf_counter()
    config = job.train_config()
    try:
        record = record_training(config)
        tests = {name: _scores(record.parser, file) for name, file in job.tests.items()}
        if job.keep:
            record.parser.save(Path(job.keep) / job.id, force=True)
    except ArctagError as error:
        sys.exit(f"{job.id}: {error}")
    seconds = {"training": round(record.seconds, 1), "total": round(perf_counter() - begin, 1), "work": job.work}
    add_result(Path(job.results), {
        "format": FORMAT,
        "kind": RUN,
        "id": job.id,
        **job.about,
        "config": job.public_config(config),
        "environment": environment(record.started.device),
        "parallel": job.parallel,
        "model": _model(record),
        "data": {"sentences": record.started.sentences, "tokens": record.started.tokens},
        "seconds": seconds,
        "tests": tests,
        "curve": {"columns": CURVE, "rows": record.curve},
    })  # fmt: skip


def _model(record: TrainingRecord) -> dict[str, Any]:
    """The size of the model, and which epoch was the best."""
    graph = graph_layer(record.parser)
    return {
        "parameters": record.started.parameters,
        "labels": dict(zip(graph.encodings, (sum(space.sizes) for space in graph.spaces), strict=True)),
        "relations": len(graph.relations),
        "threshold": graph.threshold if graph.verify or graph.biaffine else None,
        "best_epoch": record.best["epoch"],
        "dev_LF": round(record.best["LF"], 2),
    }


def _scores(parser: Parser, file: str) -> dict[str, Any]:
    """All figures on one file, and the counts of each sentence."""
    scores, counts = evaluate_with_counts(parser, file, ParseOptions(ensure=()))
    sdp = scores["sdp"]
    result: dict[str, Any] = {
        "sentences": scores["sentences"],
        "tokens": scores["tokens"],
        "sdp": {part: {f: sdp[part][f] for f in _FIGURES} for part in ("including_tops", "excluding_tops")},
        "signature": sdp["signature"],
    }
    if "conll" in scores:
        result["elas"] = {name: scores["conll"][name]["f1"] for name in ("ELAS", "EULAS")}
    for key in ("tag_accuracy", "well_formed_percent", "by_planes", "by_cyclic", "tokens_per_s"):
        if key in scores:
            result[key] = scores[key]
    graph = graph_layer(parser)
    result["oracle"] = oracle(file, graph.decoders, graph.combine)
    assert counts is not None  # of graphs, which every run learns
    result["counts"] = pack(counts)
    return result
