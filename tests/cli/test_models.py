"""`arctag models info`: what a folder says of itself; needs no torch."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from arctag import drop, read
from tests.conftest import Run
from tests.networks import KINDS, Models


@pytest.mark.parametrize("kind", KINDS)
def test_models_info_json(run: Run, models: Models, kind: str) -> None:
    result = run("models", "info", models(kind), "--json")
    assert (result.code, result.err) == (0, "")
    found = json.loads(result.text)
    assert list(found["layers"]) == (["graph"] if kind == "sdp" else ["graph", "tree"])
    graph = found["layers"]["graph"]
    assert graph["encoding"] == KINDS[kind]["encoding"]
    assert found["encoder"] == "bilstm"
    assert found["format_version"] == 3
    assert graph["verify"] == (kind not in ("plain", "factored", "baseline"))
    assert graph["relations"] > 0
    assert len(graph["labels"]) == (0 if kind == "baseline" else len(KINDS[kind]["encoding"].split(",")))
    assert found["bytes"] == sum(path.stat().st_size for path in models(kind).iterdir())
    assert found["best_epoch"] >= 1


def test_models_shipped_are_listed_and_shown_by_name(run: Run) -> None:
    listed = json.loads(run("models", "list", "--json").text)
    assert {row["name"]: row["layers"] for row in listed}["en"] == ["graph", "tree"]
    shown = json.loads(run("models", "info", "en", "--json").text)
    assert (shown["needs_torch"], shown["raw_text"], shown["precision"]) == (False, True, "int8")
    assert shown["bytes"] < 40e6
    assert "CC BY-SA 4.0" in shown["license"]


def test_models_info_table(run: Run, models: Models) -> None:
    result = run("models", "info", models("verified"))
    assert result.code == 0
    assert "\nlayer graph\tencoding bits6-4, labels " in result.text


def test_models_info_has_all_layers(run: Run, models: Models, sample: Path) -> None:
    tags = len({tag for sentence in read(sample) for tag in drop(sentence).tags})
    found = json.loads(run("models", "info", models("full"), "--json").text)
    assert set(found["layers"]) == {"upos", "xpos", "feats", "lemma", "tree", "graph"}
    assert found["layers"]["upos"] == {"tags": tags}
    assert f"\nlayer upos\ttags {tags}\n" in run("models", "info", models("full")).text


def test_models_info_shows_scores(run: Run, models: Models, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(models("verified"), tmp_path / "m"))
    config = json.loads((folder / "config.json").read_text())
    config["card"]["scores"] = [{"file": "x.sdp", "figure": "LF", "value": 91.234, "signature": "sdp|1"}]
    (folder / "config.json").write_text(json.dumps(config))
    assert "x.sdp: LF 91.23 (sdp|1)\n" in run("models", "info", folder).text


def test_models_info_of_no_model_is_refused(run: Run, tmp_path: Path) -> None:
    result = run("models", "info", tmp_path)
    assert (result.code, result.out) == (2, b"")
    assert result.err == f"arctag: {tmp_path} is not a model folder: config.json is missing\n"
