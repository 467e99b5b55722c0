"""Measurements: speed, choices after training, energy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from harness import energy, store, timing
from harness.grid import read_grid

from tests.experiments.tools import call, context_of, section
from tests.places import SAMPLES


def test_speed_measures_kept_models_once(ran: Path, tmp_path: Path) -> None:
    options: list[str | Path] = ["--results", tmp_path, "--words", "300", "--sentences", "3", "--lengths", "5", "30",
                                 "--seconds", "0.1"]  # fmt: skip
    done = call("speed.py", ran / "models", *options, folder=ran)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("2 to measure")
    results = {result["kind"]: result for result in store.read_results(tmp_path)}
    assert results.keys() == {"speed", "lengths"}
    assert results["speed"]["tokens"] >= 300
    assert 0 < results["speed"]["tokens_per_s"] < 1e7  # more would mean that nothing was parsed
    assert results["speed"]["best_epoch"] >= 1
    assert results["lengths"]["sentences"] == 3
    rows = results["lengths"]["rows"]
    assert [row["length"] for row in rows] == [5, 30]
    assert all(row["microseconds_per_word"] > 0 for row in rows)
    again = call("speed.py", ran / "models", *options, "--list", folder=ran)
    assert again.stdout.endswith("2 done\n")
    elsewhere = call("speed.py", tmp_path, "--results", tmp_path / "none", folder=ran)
    assert elsewhere.stdout.startswith("2 no model\nmissing models: run.py --keep")
    assert "there is no folder" in call("speed.py", tmp_path / "typo", folder=ran).stderr
    assert "--words must be more than 0" in call("speed.py", tmp_path, "--words", "0", folder=ran).stderr


def test_models_are_timed_in_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    works = {name: (lambda name=name: order.append(name), 10) for name in ("one", "other")}
    monkeypatch.setattr(timing, "_work", lambda parser, *_: works[parser])
    parsers: Any = ["one", "other"]
    rows = timing.speeds(parsers, [], 10, 10, 0.0)
    assert order == ["one", "other"] * 6  # once to warm up
    assert [row["turns"] for row in rows] == [5, 5]


def test_choices_are_tried_and_reported(ran: Path, tmp_path: Path) -> None:
    options: list[str | Path] = ["--data", SAMPLES, "--results", tmp_path]
    done = call("choices.py", "en", "sample.conllu", *options)
    assert done.returncode == 0, done.stdout + done.stderr
    (result,) = store.read_results(tmp_path)
    reachable = [row["reachable"] for row in result["candidates"]]
    per_word = [row["candidates_per_word"] for row in result["candidates"]]
    assert (reachable[0], per_word[0]) == (min(reachable), min(per_word))
    assert max(per_word) > per_word[0]  # second labels propose arcs that the best ones do not
    recalls = [row["UR"] for row in result["thresholds"]]
    assert recalls == sorted(recalls, reverse=True)
    page = section("choices", context_of(read_grid(ran / "tiny.toml"), [result], tmp_path))
    assert page.count(" (chosen) |") == 2
    assert "none.conllu is not in" in call("choices.py", "en", "none.conllu", *options).stderr
    biaffine = ran / "models" / "sample--biaffine--bilstm--s0"
    assert "does not verify arcs" in call("choices.py", biaffine, "sample.conllu", *options).stderr


def test_energy_or_the_reason_is_reported(ran: Path, tmp_path: Path) -> None:
    done = call("energy.py", "--results", tmp_path, folder=ran)
    assert done.returncode == 0, done.stdout + done.stderr
    (result,) = store.read_results(tmp_path)
    assert (result["kind"], result["parser"]) == ("energy", "biaffine")
    assert store.name_of(result) == f"energy--{result['machine']}--sample--biaffine--bilstm--s0--epochs=3"
    assert result["seconds_per_epoch"] > 0
    assert (result["joules_per_epoch"] is None) == (result["reason"] is not None)
    assert "1 runs: 1 done" in call("energy.py", "--results", tmp_path, "--list", folder=ran).stdout


def test_energy_counters_wrap_around(tmp_path: Path) -> None:
    folder = tmp_path / "intel-rapl:0"
    folder.mkdir()
    (tmp_path / "intel-rapl:0:0").mkdir()
    (tmp_path / "intel-rapl:0:0" / "energy_uj").write_text("5")  # a part of the first: not to be counted twice
    (folder / "max_energy_range_uj").write_text("10000000")
    (folder / "energy_uj").write_text("9000000")
    meter = energy.Processor.start(tmp_path)
    assert meter is not None
    (folder / "energy_uj").write_text("9500000")
    assert meter.joules() == 0.5
    (folder / "energy_uj").write_text("1500000")
    assert meter.joules() == 2.5
    assert energy.Processor.start(tmp_path / "nowhere") is None
