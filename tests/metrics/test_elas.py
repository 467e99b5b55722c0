from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

from arctag import Sentence
from arctag.formats import read
from arctag.metrics import METRICS, score
from arctag.metrics.graph_scores import universal
from arctag.transforms.empty_nodes import collapse
from tests.metrics.material import conllu, corpora, expected, reference, sentence

SYSTEMS = ("perfect", "basic-tree", "noisy-10", "noisy-40", "no-subtypes")

COLUMNS = METRICS["elas"].columns
COUNTED = ("ELAS", "Sentences", "Words", "Tokens")
GOLD = """
1 she 2 nsubj 2:nsubj|4:nsubj:xsubj
2 wants 0 root 0:root
3 to 4 mark 4:mark
4 sleep 2 xcomp 2:xcomp
"""
SYSTEM = """
1 she 2 nsubj:outer 2:nsubj|4:nsubj
2 wants 0 root 0:root
3 to 2 mark 2:mark
4 sleep 2 ccomp 2:xcomp
"""


@pytest.mark.parametrize("system", SYSTEMS)
def test_elas_equals_the_official_scorer(system: str) -> None:
    folder = reference("elas-scorer")
    found = score(folder / "gold.conllu", folder / f"{system}.conllu")
    assert found.metric == "elas"
    wanted = expected(folder, system)
    assert {name: found.figures[name] for name in wanted} == wanted


def test_elas_worked_out_by_hand(tmp_path: Path) -> None:
    found = score(conllu(tmp_path / "gold.conllu", GOLD), conllu(tmp_path / "system.conllu", SYSTEM))
    f1 = {name: figures["f1"] for name, figures in found.figures.items()}
    # ELAS: 3 of 5 (xsubj lacks its subtype, 'to' has another head); CLAS: nsubj and root of 3 content words
    same = {"Tokens": 100.0, "Sentences": 100.0, "Words": 100.0}
    assert f1 == {**same, "UAS": 75.0, "LAS": 50.0, "ELAS": 60.0, "EULAS": 80.0, "CLAS": 66.67}
    assert found.figures["ELAS"]["aligned"] == 75.0
    assert found.main == ("ELAS", 60.0)


def test_elas_word_without_partner_is_nobodys_head(tmp_path: Path) -> None:
    gold = conllu(tmp_path / "gold.conllu", "1 cannot 0 root 0:root\n2 go 1 xcomp 1:xcomp")
    system = conllu(
        tmp_path / "system.conllu", "1 can 0 root 0:root\n2 not 1 advmod 1:advmod\n3 go 1 xcomp 1:xcomp|0:root"
    )
    found = score(gold, system)
    assert found.figures["ELAS"] == {"precision": 0.0, "recall": 0.0, "f1": 0.0, "aligned": 0.0}
    row = dict(zip(COLUMNS, found.counts[0].tolist(), strict=True))
    assert (row["UAS gold"], row["UAS system"], row["UAS aligned"], row["UAS correct"]) == (2, 3, 1, 0)
    assert (row["ELAS gold"], row["ELAS system"]) == (2, 4)


def test_elas_split_word_costs_precision_and_recall(tmp_path: Path) -> None:
    gold = conllu(tmp_path / "gold.conllu", "1 go 0 root 0:root\n2 away 1 advmod 1:advmod")
    system = conllu(tmp_path / "system.conllu", "1 go 0 root 0:root\n2 a 1 advmod 1:advmod\n3 way 1 advmod 1:advmod")
    assert score(gold, system).figures["ELAS"] == {"precision": 33.33, "recall": 50.0, "f1": 40.0, "aligned": 100.0}


def test_elas_counts_system_sentences_where_their_text_is(tmp_path: Path) -> None:
    gold = conllu(tmp_path / "gold.conllu", "1 a 0 root 0:root\n2 b 1 obj 1:obj\n\n1 c 0 root 0:root")
    system = conllu(tmp_path / "system.conllu", "1 a 0 root 0:root\n2 b 1 obj 1:obj\n3 c 1 obj 1:obj")
    found = score(gold, system)
    counts = {name: [COLUMNS.index(f"{name} {side}") for side in ("gold", "system", "correct")] for name in COUNTED}
    assert found.counts[:, counts["ELAS"]].tolist() == [[2, 2, 2], [1, 1, 0]]
    assert found.counts[:, counts["Sentences"]].tolist() == [[1, 1, 0], [1, 0, 0]]
    assert (
        found.counts[:, counts["Words"]].tolist()
        == found.counts[:, counts["Tokens"]].tolist()
        == [[2, 2, 2], [1, 1, 1]]
    )


def test_elas_words_of_multiword_tokens_align_by_form(tmp_path: Path) -> None:
    gold = conllu(tmp_path / "gold.conllu", "1-2 del _ _ _\n1 de 3 case 3:case\n2 el 3 det 3:det\n3 mar 0 root 0:root")
    system = conllu(
        tmp_path / "system.conllu", "1-2 del _ _ _\n1 De 3 case 3:case\n2 lo 3 det 3:det\n3 mar 0 root 0:root"
    )
    found = score(gold, system).figures
    assert found["UAS"] == {"precision": 66.67, "recall": 66.67, "f1": 66.67, "aligned": 100.0}
    assert found["ELAS"]["f1"] == 66.67


def test_elas_subtypes_are_stripped_from_every_step_of_a_path() -> None:
    assert universal("conj:and>33.1>obj:x") == "conj>33.1>obj"
    assert universal("nsubj") == "nsubj"


def test_elas_relations_that_differ_in_subtype_match_each_other_as_officially(tmp_path: Path) -> None:
    path = conllu(tmp_path / "gold.conllu", "1 a 0 root 0:root\n2 b 1 obl 1:obl:in|1:obl:on")
    found = score(path, path).figures
    assert found["ELAS"]["f1"] == 100.0
    assert found["EULAS"]["f1"] == 166.67


def test_elas_empty_nodes_are_collapsed_on_both_sides(tmp_path: Path) -> None:
    text = "1 a 0 root 0:root\n1.1 gap _ _ 1:conj\n2 b 1 obj 1.1:obj"
    gold = list(read(conllu(tmp_path / "gold.conllu", text)))
    assert gold[0].has_empty
    found = score(gold, map(collapse, gold))
    assert found.main == ("ELAS", 100.0)
    assert "empty:collapsed" in found.signature


def test_elas_without_trees_has_no_tree_scores() -> None:
    some = sentence("a b", (0, 1, "root"), (1, 2, "x"))
    found = score([some], [some]).figures
    assert found["ELAS"]["f1"] == 100.0
    assert found["LAS"] == {"precision": None, "recall": None, "f1": None, "aligned": None}


def test_elas_scores_sdp_sentences_too() -> None:
    folder = reference("sdp-scorer")
    found = score(folder / "gold.sdp", folder / "no-tops.sdp", "elas")
    assert found.figures["ELAS"]["recall"] == 94.36
    assert found.figures["UAS"]["f1"] is None


@given(corpora())
def test_elas_gold_against_itself_is_perfect(both: tuple[list[Sentence], ...]) -> None:
    found = score(both[0], both[0], "elas").figures["ELAS"]
    wanted = 100.0 if any(len(s.graph) for s in both[0]) else 0.0
    assert (found["precision"], found["recall"], found["f1"]) == (wanted, wanted, wanted)


@given(corpora())
def test_elas_swapping_sides_swaps_precision_and_recall(both: tuple[list[Sentence], ...]) -> None:
    there, back = score(both[0], both[1], "elas").figures, score(both[1], both[0], "elas").figures
    for name in ("ELAS", "EULAS"):
        assert there[name]["precision"] == back[name]["recall"]
        assert there[name]["recall"] == back[name]["precision"]
        assert there[name]["f1"] == back[name]["f1"]


@given(corpora())
def test_elas_counts_add_up(both: tuple[list[Sentence], ...]) -> None:
    whole = score(both[0], both[1], "elas").counts.tolist()
    parts = [score([gold], [system], "elas").counts[0].tolist() for gold, system in zip(*both, strict=True)]
    assert whole == parts


@given(corpora())
def test_elas_and_sdp_agree_on_labelled_arcs(both: tuple[list[Sentence], ...]) -> None:
    enhanced, semantic = (score(both[0], both[1], metric).counts.sum(axis=0).tolist() for metric in ("elas", "sdp"))
    first = COLUMNS.index("ELAS gold")
    assert enhanced[first : first + 3] == semantic[1:4]
