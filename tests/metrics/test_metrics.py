from __future__ import annotations

import subprocess
import sys
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

import arctag
from arctag import metrics
from arctag.errors import FormatError, InputError, UnknownName
from arctag.metrics import METRICS, get_metric, score, signature
from tests.metrics.material import conllu, sentence

SOME = sentence("a b", (0, 1, "root"), (1, 2, "x"))


def test_metrics_all_is_what_is_public() -> None:
    assert all(hasattr(metrics, name) for name in metrics.__all__)
    assert sorted(metrics.__all__, key=lambda name: (not name.isupper(), name)) == metrics.__all__


def test_metrics_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(UnknownName, match=r"unknown metric 'las'\. Did you mean 'elas'.*Known: conll, elas, sdp"):
        get_metric("las")


@pytest.mark.parametrize("name", list(METRICS))
def test_metrics_signature_names_metric_options_and_version(name: str) -> None:
    found = score([SOME], [SOME], name)
    assert found.signature == signature(METRICS[name])
    assert found.signature.startswith(f"{name}|")
    assert found.signature.endswith(f"|arctag:{arctag.__version__}")


@pytest.mark.parametrize("name", list(METRICS))
def test_metrics_have_one_row_per_sentence_and_one_name_per_column(name: str) -> None:
    assert score([SOME, SOME], [SOME, SOME], name).counts.shape == (2, len(METRICS[name].columns))


def test_metrics_read_files(tmp_path: Path) -> None:
    path = conllu(tmp_path / "gold.conllu", "1 a 0 root 0:root")
    assert score(path, str(path)).main == ("ELAS", 100.0)


def test_metrics_bad_file_is_a_format_error(tmp_path: Path) -> None:
    path = tmp_path / "bad.conllu"
    path.write_text("1\ta\n\n")
    with pytest.raises(FormatError, match=r"bad.conllu:1"):
        score([SOME], path)


def test_metrics_nothing_to_score() -> None:
    with pytest.raises(InputError, match="0 gold and 1 system sentences"):
        score([], [SOME])


def test_metrics_score_prints_as_a_table() -> None:
    text = str(score([SOME], [SOME], "elas"))
    assert text.splitlines()[6].split() == ["ELAS", "100.00", "100.00", "100.00", "100.00"]
    assert text.splitlines()[4].split() == ["UAS", "-", "-", "-", "-"]
    assert text.endswith(signature(METRICS["elas"]))
    assert str(score([SOME], [SOME], "sdp")).splitlines()[0].split() == ["sdp", "including_tops", "excluding_tops"]


def test_metrics_score_cannot_be_changed() -> None:
    found = score([SOME], [SOME])
    with pytest.raises(FrozenInstanceError):
        found.metric = "other"  # type: ignore[misc]


def test_metrics_scoring_leaves_sentences_as_they_were() -> None:
    rows = [list(row) for row in SOME.rows]
    graph = repr(SOME.graph)
    for name in METRICS:
        score([SOME], [SOME], name)
    assert SOME.rows == rows
    assert repr(SOME.graph) == graph


def test_metrics_import_is_light() -> None:
    code = "import sys, arctag.metrics; print({'torch', 'rich', 'click'} & set(sys.modules))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "set()"
