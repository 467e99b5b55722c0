from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from arctag import Graph, Sentence, read, write
from arctag.errors import AlignmentError
from arctag.metrics import METRICS, score, sdp
from tests.metrics.material import corpora, expected, reference, sentence

SYSTEMS = ("perfect", "noisy-10", "noisy-40", "relabelled", "no-tops", "half-empty", "all-wrong")

# gold: a verb with two arguments, a top; system: one label wrong, one arc too many, the top right
GOLD = sentence("she reads books", (0, 2, "root"), (2, 1, "ARG1"), (2, 3, "ARG2"), tags="PRON VERB NOUN")
SYSTEM = sentence(
    "she reads books", (0, 2, "root"), (2, 1, "ARG1"), (2, 3, "ARG3"), (3, 1, "poss"), tags="PRON VERB NOUN"
)


@pytest.mark.parametrize("system", SYSTEMS)
def test_sdp_equals_the_official_scorer(system: str) -> None:
    folder = reference("sdp-scorer")
    found = score(folder / "gold.sdp", folder / f"{system}.sdp")
    assert found.metric == "sdp"
    assert found.figures == expected(folder, system)


def test_sdp_counts_worked_out_by_hand() -> None:
    row = dict(zip(sdp.COLUMNS, score([GOLD], [SYSTEM], "sdp").counts[0].tolist(), strict=True))
    assert row == {
        "sentences": 1,
        "labelled gold": 3,
        "labelled system": 4,
        "labelled correct": 2,
        "labelled exact": 0,
        "unlabelled gold": 3,
        "unlabelled system": 4,
        "unlabelled correct": 3,
        "unlabelled exact": 0,
        "labelled without tops gold": 2,
        "labelled without tops system": 3,
        "labelled without tops correct": 1,
        "labelled without tops exact": 0,
        "unlabelled without tops gold": 2,
        "unlabelled without tops system": 3,
        "unlabelled without tops correct": 2,
        "unlabelled without tops exact": 0,
        "predications gold": 1,
        "predications system": 1,  # 'books' has an argument but is no verb
        "predications correct": 0,
        "frames gold": 0,
        "frames system": 0,
        "frames correct": 0,
    }


def test_sdp_figures_worked_out_by_hand() -> None:
    figures = score([GOLD], [SYSTEM], "sdp").figures["including_tops"]
    assert figures["LP"] == 0.5
    assert figures["LR"] == 0.666667
    assert figures["LF"] == 0.571429
    assert figures["UF"] == 0.857143
    assert figures["PP"] == 0.0
    assert figures["PF"] is None
    assert figures["FP"] is None


def test_sdp_two_relations_are_two_labelled_and_one_unlabelled_dependency() -> None:
    both = Graph(2, [(1, 2, "a"), (1, 2, "b")])
    row = dict(zip(sdp.COLUMNS, sdp.counts(both, Graph(2, [(1, 2, "b")])).tolist(), strict=True))
    assert (row["labelled gold"], row["labelled system"], row["labelled correct"]) == (2, 1, 1)
    assert (row["unlabelled gold"], row["unlabelled system"], row["unlabelled correct"]) == (1, 1, 1)
    assert row["unlabelled exact"] == 1


def test_sdp_root_arcs_of_conllu_keep_their_labels() -> None:
    gold = sentence("fine", (0, 1, "exp-Positive"))
    figures = score([gold], [sentence("fine", (0, 1, "exp-Negative"))], "sdp").figures["including_tops"]
    assert figures["LP"] == 0.0
    assert figures["UP"] == 1.0


def test_sdp_nothing_predicted_gives_no_precision() -> None:
    found = score([GOLD], [sentence("she reads books")], "sdp")
    figures = found.figures["including_tops"]
    assert (figures["LP"], figures["LR"], figures["LF"]) == (None, 0.0, None)
    assert found.main == ("LF", 0.0)


def test_sdp_counts_of_graphs_alone_leave_predications_out() -> None:
    row = sdp.counts(GOLD.graph, SYSTEM.graph)
    assert row.shape == (len(sdp.COLUMNS),)
    figures = METRICS["sdp"].figures(row)
    assert figures["including_tops"]["LF"] == score([GOLD], [SYSTEM], "sdp").main[1]
    assert figures["including_tops"]["PP"] is None


def test_sdp_counts_refuse_graphs_of_different_sizes() -> None:
    with pytest.raises(AlignmentError, match="3 words and a system graph of 2"):
        sdp.counts(Graph(3), Graph(2))


def test_sdp_empty_nodes_are_dropped_on_both_sides() -> None:
    rows = [[name, form, *"_" * 8] for name, form in (("1", "a"), ("1.1", "gap"), ("2", "b"))]
    gold = Sentence(rows, Graph(3, [(1, 3, "x"), (1, 2, "y"), (2, 3, "z")]))
    assert score([gold], [sentence("a b", (1, 2, "x"))], "sdp").main == ("LF", 1.0)


def test_sdp_frames_must_match_in_sense(tmp_path: Path) -> None:
    lines = "1\tgo\tgo\tVB\t+\t+\t{}\t_\n2\thome\thome\tNN\t-\t-\t_\tARG2\n\n"
    paths = tmp_path / "gold.sdp", tmp_path / "system.sdp"
    for path, frame in zip(paths, ("go_v_1", "go_v_2"), strict=True):
        path.write_text("#SDP 2015\n#1\n" + lines.format(frame))
    figures = score(*paths).figures["excluding_tops"]
    assert (figures["PF"], figures["FP"], figures["FF"]) == (1.0, 0.0, None)


def test_sdp_new_graph_on_old_rows_has_its_own_predicates() -> None:
    folder = reference("sdp-scorer")
    gold, system = (list(read(folder / f"{name}.sdp")) for name in ("gold", "noisy-40"))
    attached = [old.with_graph(new.graph) for old, new in zip(gold, system, strict=True)]
    assert score(gold, attached).figures["including_tops"]["PF"] == 0.39196


def test_sdp_score_survives_conversion(tmp_path: Path) -> None:
    folder = reference("sdp-scorer")
    converted = []
    for name in ("gold", "noisy-10"):
        converted.append(tmp_path / f"{name}.conllu")
        write(read(folder / f"{name}.sdp"), converted[-1])
    figures = score(converted[0], converted[1], "sdp").figures["including_tops"]
    wanted = expected(folder, "noisy-10")["including_tops"]
    assert {k: v for k, v in figures.items() if k[0] != "F"} == {k: v for k, v in wanted.items() if k[0] != "F"}
    assert figures["FP"] is None


def test_sdp_other_words_are_named() -> None:
    gold = [sentence("a b"), sentence("the cat sat")]
    system = [sentence("a b"), sentence("the dog sat")]
    with pytest.raises(AlignmentError, match=r"sentence 2 .*the-cat-sat.*the-dog-sat.* at word 2.*cat sat.*dog sat"):
        score(gold, system, "sdp")


def test_sdp_shorter_sentence_is_named() -> None:
    with pytest.raises(AlignmentError, match=r"at word 3: gold has 'a b c', system has no more words"):
        score([sentence("a b c")], [sentence("a b")], "sdp")


@pytest.mark.parametrize(("gold", "system", "side"), [(2, 1, "gold"), (1, 2, "system")])
def test_sdp_missing_sentence_is_named(gold: int, system: int, side: str) -> None:
    some = [sentence("a b"), sentence("c d")]
    with pytest.raises(AlignmentError, match=rf"first that only {side} has is sentence 2 \(c-d\): 'c d'"):
        score(some[:gold], some[:system], "sdp")


@given(corpora())
def test_sdp_gold_against_itself_is_perfect(both: tuple[list[Sentence], ...]) -> None:
    for group in score(both[0], both[0], "sdp").figures.values():
        assert set(group.values()) <= {1.0, None}
        assert group["LM"] == group["UM"] == 1.0


@given(corpora())
def test_sdp_swapping_sides_swaps_precision_and_recall(both: tuple[list[Sentence], ...]) -> None:
    there, back = score(both[0], both[1], "sdp").figures, score(both[1], both[0], "sdp").figures
    swapped = {"LP": "LR", "LR": "LP", "UP": "UR", "UR": "UP", "PP": "PR", "PR": "PP"}
    for group, figures in there.items():
        assert figures == {name: back[group][swapped.get(name, name)] for name in figures}


@given(corpora())
def test_sdp_counts_add_up(both: tuple[list[Sentence], ...]) -> None:
    whole = score(both[0], both[1], "sdp").counts
    parts = [score([gold], [system], "sdp").counts for gold, system in zip(*both, strict=True)]
    assert np.array_equal(whole, np.concatenate(parts))
