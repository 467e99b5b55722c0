"""The whole official table, worked out by hand, and what comes with a metric: breakdowns, significance."""

from __future__ import annotations

from pathlib import Path

import pytest

from arctag.errors import InputError
from arctag.formats import read
from arctag.metrics import GROUPINGS, METRICS, compare, get_metric, score
from arctag.metrics.tags import universal_features
from arctag.transforms.empty_nodes import collapse
from tests.metrics.damage import Rows, rows_of, text_of

SCORES = ["Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas",
          "UAS", "LAS", "CLAS", "MLAS", "BLEX", "ELAS", "EULAS"]  # fmt: skip
GOLD = rows_of(
    """
1	she	she	PRON	PRP	Case=Nom|Number=Sing	2	nsubj	2:nsubj	_
2	had	have	VERB	VBD	Tense=Past|VerbForm=Fin	0	root	0:root	_
3	the	the	DET	DT	Definite=Def|PronType=Art	4	det	4:det	_
4	keys	key	NOUN	NNS	Number=Plur	2	obj	2:obj	_
5	.	.	PUNCT	.	_	2	punct	2:punct	_
""".strip()
)


def with_cells(*cells: tuple[int, int, str]) -> list[Rows]:
    """The gold sentence with other cells, given by word (from 1), column (from 0) and text."""
    rows = [list(row) for row in GOLD[0]]
    for word, column, text in cells:
        rows[word - 1][column] = text
    return [rows]


def f1(folder: Path, *cells: tuple[int, int, str], gold: list[Rows] = GOLD) -> dict[str, float | None]:
    """The F1 of each figure that is not 100, for a system with other cells than gold."""
    paths = folder / "gold.conllu", folder / "system.conllu"
    for path, rows in zip(paths, (gold, with_cells(*cells)), strict=True):
        path.write_text(text_of(rows), encoding="utf-8")
    return {name: cell["f1"] for name, cell in score(*paths, "conll").figures.items() if cell["f1"] != 100.0}


def test_conll_table_has_the_official_figures_in_their_order(tmp_path: Path) -> None:
    (tmp_path / "gold.conllu").write_text(text_of(GOLD), encoding="utf-8")
    found = score(tmp_path / "gold.conllu", tmp_path / "gold.conllu", "conll")
    assert list(found.figures) == SCORES
    assert [row[0] for row in found.table()[1]] == SCORES
    assert found.main == ("LAS", 100.0)
    assert found.signature.startswith("conll|words:aligned|empty:collapsed|")


# 5 words, of which she, had and keys are content words
@pytest.mark.parametrize(
    ("cells", "wanted"),
    [
        ([], {}),
        ([(4, 3, "VERB")], {"UPOS": 80.0, "AllTags": 80.0, "MLAS": 66.67}),
        ([(3, 3, "PRON")], {"UPOS": 80.0, "AllTags": 80.0, "MLAS": 66.67}),  # the determiner of a content word
        ([(5, 3, "X")], {"UPOS": 80.0, "AllTags": 80.0}),
        ([(4, 4, "NN")], {"XPOS": 80.0, "AllTags": 80.0}),
        ([(1, 5, "Number=Sing|Case=Nom|Style=Coll")], {}),
        ([(1, 5, "Case=Nom")], {"UFeats": 80.0, "AllTags": 80.0, "MLAS": 66.67}),
        ([(4, 2, "keys")], {"Lemmas": 80.0, "BLEX": 66.67}),
        ([(3, 2, "_")], {"Lemmas": 80.0}),
        ([(4, 7, "obj:x")], {}),
        ([(4, 7, "obl")], {"LAS": 80.0, "CLAS": 66.67, "MLAS": 66.67, "BLEX": 66.67}),
        ([(4, 7, "punct")], {"LAS": 80.0, "CLAS": 80.0, "MLAS": 80.0, "BLEX": 80.0}),
        ([(3, 7, "case")], {"LAS": 80.0, "MLAS": 66.67}),
        ([(3, 6, "2")], {"UAS": 80.0, "LAS": 80.0, "MLAS": 33.33}),  # one head lacks a determiner, one has too many
        ([(5, 7, "cc")], {"LAS": 80.0, "MLAS": 66.67}),  # a function word that gold does not have
        ([(4, 8, "2:obj:x")], {"ELAS": 80.0}),
    ],
)
def test_conll_worked_out_by_hand(
    tmp_path: Path, cells: list[tuple[int, int, str]], wanted: dict[str, float | None]
) -> None:
    assert f1(tmp_path, *cells) == wanted


def test_conll_gold_without_a_lemma_fits_any(tmp_path: Path) -> None:
    assert f1(tmp_path, (4, 2, "odd"), gold=with_cells((4, 2, "_"))) == {}


def test_conll_empty_columns_are_compared_as_they_are(tmp_path: Path) -> None:
    without = [(word, column, "_") for word in range(1, 6) for column in (2, 3, 4, 5)]
    assert f1(tmp_path, *without, gold=with_cells(*without)) == {}
    found = f1(tmp_path, *without)
    assert {name: found[name] for name in ("UPOS", "XPOS", "UFeats", "AllTags", "Lemmas")} == {
        "UPOS": 0.0, "XPOS": 0.0, "UFeats": 20.0, "AllTags": 0.0, "Lemmas": 0.0,
    }  # fmt: skip


def test_conll_without_trees_has_no_tree_scores(tmp_path: Path) -> None:
    treeless = [(word, column, "_") for word in range(1, 6) for column in (6, 7)]
    assert f1(tmp_path, *treeless) == dict.fromkeys(("UAS", "LAS", "CLAS", "MLAS", "BLEX"))


def test_conll_scores_cycles_and_words_without_heads(tmp_path: Path) -> None:
    """The official evaluation refuses such files."""
    cycle = f1(tmp_path, (2, 6, "4"), (2, 7, "conj"))
    assert cycle == {"UAS": 80.0, "LAS": 80.0, "CLAS": 66.67, "MLAS": 66.67, "BLEX": 66.67}
    headless = f1(tmp_path, (4, 6, "_"), (4, 7, "_"))
    assert headless == {"UAS": 88.89, "LAS": 88.89, "CLAS": 80.0, "MLAS": 80.0, "BLEX": 80.0}


def test_conll_universal_features_are_those_of_2018() -> None:
    assert universal_features("Number[psor]=Sing|Number=Plur|Typo=Yes|Case=Nom,Acc") == "Case=Nom,Acc|Number=Plur"
    assert universal_features("_") == ""


def test_conll_empty_nodes_are_collapsed_on_both_sides(sample: Path) -> None:
    gold = list(read(sample))
    assert any(sentence.has_empty for sentence in gold)
    found = score(gold, map(collapse, gold), "conll")
    assert all(found.figures[name]["f1"] == 100.0 for name in SCORES[:-1])


def test_conll_refuses_sdp(sample: Path, sample_sdp: Path) -> None:
    for files in ((sample_sdp, sample_sdp), (sample, sample_sdp)):
        with pytest.raises(InputError, match=r"metric conll scores CoNLL-U files.*use metric sdp or elas"):
            score(*files, metric="conll")


def test_conll_breakdowns_split_las(tmp_path: Path) -> None:
    paths = tmp_path / "gold.conllu", tmp_path / "system.conllu"
    for path, rows in zip(paths, (GOLD, with_cells((3, 6, "2"), (4, 7, "obj:x"))), strict=True):
        path.write_text(text_of(rows), encoding="utf-8")
    found = score(*paths, "conll", by=GROUPINGS).breakdowns
    cells = {name: (cell.gold, cell.system, cell.correct) for name, cell in found["relation"].items()}
    assert cells == {"det": (1, 1, 0), "nsubj": (1, 1, 1), "obj": (1, 1, 1), "punct": (1, 1, 1), "root": (1, 1, 1)}
    for groups in found.values():
        assert sum(cell.correct for cell in groups.values()) == 4
    assert list(found["planes"]) == ["1"]
    assert list(found["cyclic"]) == ["acyclic"]


def test_conll_breakdown_of_other_tokens_adds_up(tmp_path: Path) -> None:
    split = [["1", "sh", "she", "PRON", "_", "_", "2", "nsubj", "2:nsubj", "_"]]
    split += [["2", "e", "_", "X", "_", "_", "3", "goeswith", "1:goeswith", "_"]]
    split += [[str(int(row[0]) + 1), *row[1:6], "0" if row[6] == "0" else str(int(row[6]) + 1), *row[7:8], "_", "_"]
              for row in GOLD[0][1:]]  # fmt: skip
    paths = tmp_path / "gold.conllu", tmp_path / "system.conllu"
    for path, rows in zip(paths, (GOLD, [split]), strict=True):
        path.write_text(text_of(rows), encoding="utf-8")
    found = score(*paths, "conll", by=["length"])
    columns = [METRICS["conll"].columns.index(f"LAS {side}") for side in ("gold", "system", "correct")]
    cells = found.breakdowns["length"].values()
    sums = [sum(numbers) for numbers in zip(*((c.gold, c.system, c.correct) for c in cells), strict=True)]
    assert sums == found.counts.sum(axis=0)[columns].tolist() == [5, 6, 4]


def test_conll_differences_are_those_of_las(tmp_path: Path) -> None:
    paths = tmp_path / "gold.conllu", tmp_path / "system.conllu"
    for path, rows in zip(paths, (GOLD, with_cells((4, 7, "obl"))), strict=True):
        path.write_text(text_of(rows * 20), encoding="utf-8")
    perfect, other = score(paths[0], paths[0], "conll"), score(*paths, "conll")
    found = compare(get_metric("conll"), perfect.counts, other.counts, samples=100)
    assert (found.figure, found.system, found.other) == ("LAS", 100.0, 80.0)
    assert found.p_value < 0.05
