from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

import arctag
from arctag import Graph, metrics, read
from arctag.errors import FormatError, InputError, UnknownName
from arctag.metrics import METRICS, compare, get_metric, score, signature
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


def test_score_against_another_is_the_bootstrap(sample: Path) -> None:
    gold = list(read(sample))
    less = [sentence.with_graph(Graph(sentence.size)) for sentence in gold]
    ours, theirs = score(gold, gold, "sdp"), score(gold, less, "sdp")
    comparison = ours.against(theirs, samples=100)
    assert comparison == compare(get_metric("sdp"), ours.counts, theirs.counts, 100)
    assert comparison.difference > 0
    assert str(comparison).splitlines()[0].split() == [
        comparison.figure, "system", "other", "difference", "95%", "low", "95%", "high", "p",
    ]  # fmt: skip
    with pytest.raises(InputError, match="use one metric"):
        ours.against(score(gold, less, "elas"))


def test_scores_are_tables_in_notebooks(sample: Path) -> None:
    gold = list(read(sample))
    result = score(gold, gold, "sdp")
    table = ET.fromstring(result._repr_html_())
    columns, rows = result.table()
    assert [cell.text for cell in table.iterfind("thead/tr/th")] == columns
    assert [[cell.text for cell in row] for row in table.iterfind("tbody/tr")] == rows
    comparison = ET.fromstring(result.against(result, samples=10)._repr_html_())
    assert comparison.findtext("caption") == "difference in LF"
