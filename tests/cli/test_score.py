from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Run
from tests.metrics.material import conllu, expected, reference


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    gold = conllu(tmp_path / "gold.conllu", "1 a 0 root 0:root\n2 b 1 x 1:x\n\n1 c 0 root 0:root\n2 d 1 x 1:x|2:y")
    system = conllu(tmp_path / "system.conllu", "1 a 0 root 0:root\n2 b 1 x 1:x\n\n1 c 0 root 0:root\n2 d 1 x 1:y")
    return gold, system


def loaded(run: Run, *arguments: str | Path) -> Any:
    result = run("score", *arguments, "--json")
    assert (result.code, result.err) == (0, "")
    return json.loads(result.text)


@pytest.mark.parametrize(
    ("folder", "suffix", "metric"), [("sdp-scorer", "sdp", "sdp"), ("elas-scorer", "conllu", "elas")]
)
def test_score_json_is_the_official_entry_and_its_signature(run: Run, folder: str, suffix: str, metric: str) -> None:
    place = reference(folder)
    found = loaded(run, place / f"gold.{suffix}", place / f"noisy-40.{suffix}")
    assert found.pop("metric") == metric
    assert found.pop("signature").startswith(f"{metric}|")
    wanted = expected(place, "noisy-40")
    assert {name: found[name] for name in wanted} == wanted
    segmentation = {"Tokens", "Sentences", "Words"} if metric == "elas" else set()
    assert set(found) - set(wanted) == segmentation
    assert all(found[name]["f1"] == 100.0 for name in segmentation)


def test_score_undefined_figures_are_null(run: Run) -> None:
    place = reference("sdp-scorer")
    assert loaded(run, place / "gold.sdp", place / "all-wrong.sdp")["including_tops"]["LF"] is None


def test_score_metric_can_be_chosen(run: Run, files: tuple[Path, Path]) -> None:
    assert loaded(run, *files)["ELAS"]["f1"] == 66.67
    assert loaded(run, *files, "--metric", "sdp")["including_tops"]["LF"] == 0.666667


def test_score_conll_is_the_whole_table(run: Run, files: tuple[Path, Path]) -> None:
    found = loaded(run, *files, "--metric", "conll")
    assert (found["LAS"]["f1"], found["ELAS"]["f1"], found["UPOS"]["f1"]) == (100.0, 66.67, 100.0)
    printed = run("score", *files, "--metric", "conll", "--by", "relation", "--against", files[0], "--samples", "50")
    lines = printed.text.splitlines()
    assert [line.split("\t")[0] for line in lines[:16]] == [
        "conll", "Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas",
        "UAS", "LAS", "CLAS", "MLAS", "BLEX", "ELAS", "EULAS",
    ]  # fmt: skip
    assert "x\t1.0000\t1.0000\t1.0000\t2\t2\t2" in lines
    assert "LAS\tsystem\tother\tdifference\t95% low\t95% high\tp" in lines


def test_score_conll_of_sdp_is_bad_input(run: Run, sample_sdp: Path) -> None:
    result = run("score", sample_sdp, sample_sdp, "--metric", "conll")
    assert (result.code, result.out) == (2, b"")
    assert "use metric sdp or elas" in result.err


def test_score_prints_tables_and_the_signature_last(run: Run, files: tuple[Path, Path]) -> None:
    result = run("score", *files, "--by", "relation", "--by", "cyclic", "--against", files[0], "--samples", "50")
    lines = result.text.splitlines()
    assert result.code == 0
    assert lines[0] == "elas\tprecision\trecall\tf1\taligned"
    assert "ELAS\t75.00\t60.00\t66.67\t75.00" in lines
    assert "relation\tprecision\trecall\tf1\tgold\tsystem\tcorrect" in lines
    assert "x\t1.0000\t0.5000\t0.6667\t2\t1\t1" in lines
    assert "ELAS\tsystem\tother\tdifference\t95% low\t95% high\tp" in lines
    assert lines[-1].startswith("elas|")


def test_score_breakdown_in_json(run: Run, files: tuple[Path, Path]) -> None:
    found = loaded(run, *files, "--by", "length", "--by", "planes")["breakdown"]
    assert list(found) == ["length", "planes"]
    assert found["length"]["1"] == {
        "precision": 0.5, "recall": 0.5, "f1": 0.5, "gold": 2, "system": 2, "correct": 1,
    }  # fmt: skip
    assert sum(group["gold"] for group in found["planes"].values()) == 5


def test_score_comparison_in_json(run: Run, files: tuple[Path, Path]) -> None:
    arguments = (*files, "--against", files[0], "--samples", "200", "--seed", "7")
    found = loaded(run, *arguments)["comparison"]
    assert (found["figure"], found["samples"], found["seed"]) == ("ELAS", 200, 7)
    assert found["low"] <= found["difference"] < 0
    assert 0 < found["p_value"] <= 1
    assert loaded(run, *arguments)["comparison"] == found


def test_score_reads_standard_input(run: Run, files: tuple[Path, Path]) -> None:
    result = run("score", files[0], "-", "--json", stdin=files[1].read_bytes())
    assert json.loads(result.text)["ELAS"]["f1"] == 66.67


def test_score_other_text_is_bad_input(run: Run, files: tuple[Path, Path], tmp_path: Path) -> None:
    other = conllu(tmp_path / "other.conllu", "# sent_id = s7\n1 z 0 root 0:root")
    result = run("score", files[0], other)
    assert result.code == 2
    assert "system sentence s7" in result.err
    assert len(result.err.splitlines()) == 1


def test_score_missing_file_is_bad_input(run: Run, tmp_path: Path) -> None:
    result = run("score", tmp_path / "none.sdp", tmp_path / "none.sdp")
    assert result.code == 2
    assert "none.sdp" in result.err


@pytest.mark.parametrize("option", ["--metric", "--by"])
def test_score_unknown_names_are_wrong_use(run: Run, files: tuple[Path, Path], option: str) -> None:
    result = run("score", *files, option, "nonsense")
    assert result.code == 2
    assert "nonsense" in result.err


def test_score_help_shows_examples(run: Run) -> None:
    result = run("score", "--help")
    assert result.code == 0
    assert "arctag score gold.sdp system.sdp --against other.sdp" in result.text
