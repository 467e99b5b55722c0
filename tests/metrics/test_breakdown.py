from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arctag import Sentence
from arctag.errors import UnknownName
from arctag.metrics import GROUPINGS, METRICS, Cell, score
from tests.metrics.material import conllu, corpora, sentence

LONG = " ".join("abcdefghijklmnop")


def test_breakdown_by_relation_worked_out_by_hand() -> None:
    gold = sentence("a b c", (0, 1, "root"), (1, 2, "x"), (1, 3, "x"))
    system = sentence("a b c", (0, 1, "root"), (1, 2, "x"), (1, 3, "y"))
    found = score([gold], [system], "sdp", by=["relation"]).breakdowns["relation"]
    assert found == {"x": Cell(2, 1, 1), "root": Cell(1, 1, 1), "y": Cell(0, 1, 0)}
    assert list(found) == ["x", "root", "y"]
    assert found["x"].as_dict() == {
        "precision": 1.0, "recall": 0.5, "f1": 0.666667, "gold": 2, "system": 1, "correct": 1,
    }  # fmt: skip
    assert found["y"].as_dict()["recall"] is None


@pytest.mark.parametrize("metric", ["sdp", "elas"])
def test_breakdown_by_length_bins(metric: str) -> None:
    arcs = [(0, 9, "r"), (4, 4, "r"), (2, 1, "r"), (1, 3, "r"), (1, 6, "r"), (11, 1, "r"), (1, 12, "r")]
    some = sentence(LONG, *arcs)
    found = score([some], [some], metric, by=["length"]).breakdowns["length"]
    assert list(found) == ["self", "1", "2", "3-5", "6-10", "11+", "root"]
    assert set(found.values()) == {Cell(1, 1, 1)}


def test_breakdown_by_length_of_arcs_that_gold_has_no_words_for(tmp_path: Path) -> None:
    gold = conllu(tmp_path / "gold.conllu", "1 abc 0 root 0:root\n2 d 1 x 1:x")
    system = conllu(tmp_path / "system.conllu", "1 a 0 root 0:root\n2 b 1 x 1:x\n3 c 1 x 1:x\n4 d 1 x 1:x")
    found = score(gold, system, by=["length"]).breakdowns["length"]
    assert found == {"1": Cell(1, 1, 0), "2": Cell(0, 1, 0), "3-5": Cell(0, 1, 0), "root": Cell(1, 1, 0)}


def test_breakdown_by_cycles_of_the_gold_graph() -> None:
    loop, line = sentence("a b", (1, 2, "x"), (2, 1, "x")), sentence("c d", (1, 2, "x"))
    found = score([loop, line], [sentence("a b"), line], "sdp", by=["cyclic"]).breakdowns["cyclic"]
    assert found == {"acyclic": Cell(1, 1, 1), "cyclic": Cell(2, 0, 0)}


def test_breakdown_by_planes_of_the_gold_graph() -> None:
    crossing = sentence("a b c d", (1, 3, "x"), (2, 4, "x"))
    flat = sentence("e f", (1, 2, "x"))
    found = score([crossing, flat], [crossing, flat], "sdp", by=["planes"]).breakdowns["planes"]
    assert found == {"1": Cell(1, 1, 1), "2": Cell(2, 2, 2)}


def test_breakdown_unknown_name() -> None:
    some = [sentence("a")]
    with pytest.raises(UnknownName, match=r"unknown breakdown 'lenght'\. Did you mean 'length'"):
        score(some, some, by=["lenght"])


@given(corpora(), st.sampled_from(list(METRICS)), st.sampled_from(list(GROUPINGS)))
def test_breakdown_groups_add_up_to_the_headline(both: tuple[list[Sentence], ...], metric: str, by: str) -> None:
    found = score(both[0], both[1], metric, by=[by])
    cells = found.breakdowns[by].values()
    columns = list(METRICS[metric].headline.columns)
    sums = [sum(cell.gold for cell in cells), sum(cell.system for cell in cells), sum(cell.correct for cell in cells)]
    assert sums == found.counts.sum(axis=0)[columns].tolist()
