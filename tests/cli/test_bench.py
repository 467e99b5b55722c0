"""`arctag bench parse`: the shape of its figures."""

from __future__ import annotations

import json
from pathlib import Path

from tests.conftest import Run
from tests.networks import Models

CPU = ("--device", "cpu")


def test_bench_parse_json_has_the_promised_shape(run: Run, models: Models, sample: Path) -> None:
    names = [str(models(kind)) for kind in ("verified", "plain")]
    result = run("bench", "parse", *names, sample, "--json", *CPU)
    assert (result.code, result.err) == (0, "")
    found = json.loads(result.text)
    assert set(found) == {"machine", "models"}
    assert list(found["models"]) == names
    row = found["models"][names[0]]
    assert set(row) == {"tokens", "seconds", "tokens_per_s", "percent", "layers", "device"}
    assert row["layers"] == ["graph", "tree"]
    assert row["tokens"] == 256
    assert {"reading", "network", "decoding", "writing", "rest"} <= set(row["percent"])
    assert abs(sum(row["percent"].values()) - 100) < 1


def test_bench_parse_prints_a_table(run: Run, models: Models, sample_sdp: Path) -> None:
    result = run("bench", "parse", models("sdp"), sample_sdp, *CPU)
    assert result.code == 0
    assert result.text.startswith("model\tlayers\ttokens/s\t")
    assert result.text.count("\n") == 2
