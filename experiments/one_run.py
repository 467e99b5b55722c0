"""One training run in a process of its own: train, score, write one result file. Started by `run.py`."""

from __future__ import annotations

import sys
from pathlib import Path
from time import perf_counter
from typing import Any

from harness.environment import environment
from harness.following import CURVE, Followed, follow
from harness.oracle import oracle
from harness.packing import pack
from harness.spec import Spec
from harness.store import FORMAT, RUN, write_result

from arctag.analysis.evaluation import evaluate_with_counts
from arctag.errors import ArctagError
from arctag.parsing.parser import Parser

_FIGURES = ("UF", "LF", "UM", "LM", "UP", "UR", "LP", "LR")


def main(spec: Spec) -> None:
    """Train, score, write one result."""
    begin = perf_counter()
    config = spec.train_config()
    try:
        done = follow(config)
        tests = {name: scores(done.parser, file) for name, file in spec.tests.items()}
        if keep := spec.options.get("keep"):
            done.parser.save(Path(keep) / spec.id, force=True)
    except ArctagError as error:
        sys.exit(f"{spec.id}: {error}")
    write_result(Path(spec.result), {
        "format": FORMAT,
        "kind": RUN,
        "id": spec.id,
        **spec.about,
        "config": spec.public_config(config),
        "environment": environment(done.started.device),
        "beside": spec.beside,
        "model": model(done),
        "data": {"sentences": done.started.sentences, "tokens": done.started.tokens},
        "seconds": {"training": round(done.seconds, 1), "total": round(perf_counter() - begin, 1), "work": spec.work},
        "tests": tests,
        "curve": {"columns": CURVE, "rows": done.curve},
    })  # fmt: skip


def model(done: Followed) -> dict[str, Any]:
    """The shape of what was trained, and which epoch was kept."""
    config = done.parser.config
    return {
        "parameters": done.started.parameters,
        "labels": dict(zip(config.encodings, done.started.labels, strict=True)),
        "relations": done.started.relations,
        "threshold": config.threshold if config.verify or config.biaffine else None,
        "best_epoch": done.best["epoch"],
        "dev_LF": round(done.best["LF"], 2),
    }


def scores(parser: Parser, file: str) -> dict[str, Any]:
    """All figures on one file, and the counts of each sentence."""
    found, counts = evaluate_with_counts(parser, file)
    sdp = found["sdp"]
    result: dict[str, Any] = {
        "sentences": found["sentences"],
        "tokens": found["tokens"],
        "sdp": {part: {f: sdp[part][f] for f in _FIGURES} for part in ("including_tops", "excluding_tops")},
        "signature": sdp["signature"],
    }
    if "elas" in found:
        result["elas"] = {name: found["elas"][name]["f1"] for name in ("ELAS", "EULAS")}
    for key in ("tag_accuracy", "well_formed_percent", "by_planes", "by_cyclic", "tokens_per_s"):
        if key in found:
            result[key] = found[key]
    result["oracle"] = oracle(file, parser.encodings, parser.config.combine)
    result["counts"] = pack(counts)
    return result
