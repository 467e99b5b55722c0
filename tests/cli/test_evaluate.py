"""`arctag evaluate`: the same figures as scoring the parsed file, and every analysis."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Run
from tests.networks import Models

CPU = ("--device", "cpu")


NOT_PREDICTED = {"Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas", "MLAS", "BLEX"}


def predicted(scored: dict[str, Any]) -> dict[str, Any]:
    """What `evaluate` shows of the scores: there is nothing to say of gold words and gold tags."""
    return {name: value for name, value in scored.items() if name not in NOT_PREDICTED}


@pytest.mark.parametrize("kind", ["verified", "plain", "sdp"])
def test_evaluate_json_equals_scoring_the_parsed_file(
    run: Run, models: Models, sample: Path, sample_sdp: Path, tmp_path: Path, kind: str
) -> None:
    gold = sample_sdp if kind == "sdp" else sample
    result = run("evaluate", "-m", models(kind), gold, "--json", *CPU)
    assert (result.code, result.err) == (0, "")
    found = json.loads(result.text)
    parsed = tmp_path / f"parsed{gold.suffix}"
    assert run("parse", gold, "-m", models(kind), "-o", parsed, "--tree", *CPU).code == 0
    wanted = {"sdp", "tag_accuracy", "well_formed_percent", "by_planes", "by_cyclic"}
    for metric in ("sdp",) if kind == "sdp" else ("sdp", "conll"):
        scored = json.loads(run("score", gold, parsed, "--metric", metric, "--json").text)
        assert found[metric] == predicted(scored)
        wanted.add(metric)
    assert wanted <= set(found)
    assert ("conll" in found) == ("conll" in wanted)


def test_evaluate_options_are_those_of_parse(run: Run, models: Models, sample: Path, tmp_path: Path) -> None:
    options = ("-m", models("verified"), "--ensure", "attached", "--threshold", "0.8", *CPU)
    found = json.loads(run("evaluate", sample, "--json", *options).text)
    parsed = tmp_path / "parsed.conllu"
    assert run("parse", sample, "-o", parsed, "--tree", *options).code == 0
    scored = json.loads(run("score", sample, parsed, "--metric", "conll", "--json").text)
    assert found["conll"] == predicted(scored)


@pytest.mark.parametrize("kind", ["verified", "baseline"])
def test_evaluate_prints_tables(run: Run, models: Models, sample: Path, kind: str) -> None:
    result = run("evaluate", "-m", models(kind), sample, *CPU)
    assert result.code == 0
    for text in (
        "SDP\tincluding tops\texcluding tops",
        "CoNLL\tprecision\trecall\tF1",
        "ELAS\t",
        "planes\t",
        "cyclic\t",
        "sdp|",
    ):
        assert text in result.text
    assert ("tag accuracy (bits6-4): " in result.text) == (kind == "verified")


def test_evaluate_missing_file_is_refused(run: Run, models: Models, tmp_path: Path) -> None:
    result = run("evaluate", "-m", models("verified"), tmp_path / "none.conllu", *CPU)
    assert (result.code, result.out) == (2, b"")
    assert "cannot read" in result.err


def test_evaluate_takes_the_format_from_the_option(run: Run, models: Models, sample: Path, tmp_path: Path) -> None:
    renamed = tmp_path / "gold.data"
    renamed.write_bytes(sample.read_bytes())
    options = ("-m", models("verified"), "--json", *CPU)
    found, wanted = (
        json.loads(run("evaluate", *given, *options).text) for given in ((renamed, "--format", "conllu"), (sample,))
    )
    assert found["conll"] == wanted["conll"]
