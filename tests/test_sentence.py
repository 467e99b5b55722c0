"""`Sentence`: nodes, ids, text, attaching graphs, sentences from words."""

from __future__ import annotations

from pathlib import Path

import pytest

from arctag.errors import InputError
from arctag.formats import read
from arctag.formats.conllu import CONLLU
from arctag.graph import Graph
from arctag.sentence import Sentence


@pytest.fixture(scope="module")
def by_id(sample: Path) -> dict[str, Sentence]:
    return {sentence.id: sentence for sentence in read(sample)}


def test_sentence_ranges_are_rows_but_not_nodes(by_id: dict[str, Sentence]) -> None:
    sentence = by_id["sample-10"]
    assert sentence.words == ["You", "really", "do", "n't", "listen", "."]
    assert [row[0] for row in sentence.rows] == ["1", "2", "3-4", "3", "4", "5", "6"]
    assert sentence.graph.n == 6


def test_sentence_empty_nodes_are_nodes(by_id: dict[str, Sentence]) -> None:
    sentence = by_id["sample-08"]
    assert sentence.ids == ["1", "2", "3", "4", "5", "5.1", "6", "7"]
    assert sentence.empty == [False] * 5 + [True] + [False] * 2
    assert sentence.has_empty
    assert not by_id["sample-10"].has_empty


def test_sentence_tags_are_the_universal_ones(by_id: dict[str, Sentence]) -> None:
    assert by_id["sample-01"].tags == ["DET", "NOUN", "VERB", "PUNCT"]


def test_sentence_sdp_tags_are_the_pos_column(sample_sdp: Path) -> None:
    first = next(read(sample_sdp))
    assert first.tags == ["DT", "NN", "VBZ", "."]


def test_sentence_sdp_has_no_empty_nodes() -> None:
    row = ["1", "3.1", "3.1", "CD", "-", "-", "_"]
    assert Sentence([row], Graph(1), "sdp").empty == [False]


@pytest.mark.parametrize(
    ("comments", "format", "expected"),
    [
        (("# newdoc", "# sent_id = a-1", "# text = x"), "conllu", "a-1"),
        (("#sent_id=a-1 ",), "conllu", "a-1"),
        (("# text = x",), "conllu", "file:3"),
        (("#SDP 2015", "#20001001"), "sdp", "20001001"),
        (("#SDP 2015",), "sdp", "file:3"),
        (("# sent_id = b", "# other"), "sdp", "b"),
    ],
)
def test_sentence_id(comments: tuple[str, ...], format: str, expected: str) -> None:
    assert Sentence([], Graph(0), format, comments, source="file:3").id == expected


def test_sentence_id_without_any_source() -> None:
    assert Sentence([], Graph(0)).id == "?"


def test_sentence_text_comes_from_the_comment(by_id: dict[str, Sentence]) -> None:
    assert by_id["sample-23"].text == '"Stop," he said.'


def test_sentence_text_without_comment_joins_words_and_leaves_out_empty_nodes(by_id: dict[str, Sentence]) -> None:
    sentence = by_id["sample-08"]
    bare = Sentence(sentence.rows, sentence.graph)
    assert bare.text == "She drank tea and he coffee ."


def test_sentence_with_graph_leaves_the_old_one_alone(by_id: dict[str, Sentence]) -> None:
    sentence = by_id["sample-02"]
    rows, graph = [list(row) for row in sentence.rows], sentence.graph
    changed = sentence.with_graph(Graph(5, [(0, 4, "root")]))
    assert "0:root" in CONLLU.text(changed)
    assert (changed.edited, sentence.edited) == (True, False)
    assert sentence.graph is graph
    assert sentence.rows == rows


def test_sentence_with_graph_refuses_another_number_of_words(by_id: dict[str, Sentence]) -> None:
    with pytest.raises(InputError, match=r"sample-08: a graph of 7 words for 8 nodes"):
        by_id["sample-08"].with_graph(Graph(7))


def test_sentence_from_words_writes_conllu() -> None:
    graph = Graph(2, [(0, 2, "root"), (2, 1, "nsubj")])
    sentence = Sentence.from_words(["Rain", "falls"], graph, tags=["NOUN", "VERB"], sent_id="r1")
    assert CONLLU.text(sentence) == (
        "# sent_id = r1\n1\tRain\t_\tNOUN\t_\t_\t_\t_\t2:nsubj\t_\n2\tfalls\t_\tVERB\t_\t_\t_\t_\t0:root\t_\n\n"
    )


def test_sentence_from_words_refuses_a_string() -> None:
    with pytest.raises(InputError, match="'Rain falls' is a string, not a list of words"):
        Sentence.from_words("Rain falls")


def test_sentence_from_words_refuses_an_id_of_two_lines() -> None:
    with pytest.raises(InputError, match="line break"):
        Sentence.from_words(["Rain"], sent_id="r1\n1")


def test_sentence_from_words_without_graph_has_no_arcs() -> None:
    sentence = Sentence.from_words(["Rain"])
    assert (sentence.graph, sentence.tags, sentence.comments) == (Graph(1), ["_"], ())


@pytest.mark.parametrize("word", ["", "a\tb", "a\nb", "a\r"])
def test_sentence_from_words_refuses_words_no_file_can_hold(word: str) -> None:
    with pytest.raises(InputError, match="word 2"):
        Sentence.from_words(["fine", word])


def test_sentence_from_words_refuses_other_lengths() -> None:
    with pytest.raises(InputError, match="2 words but a graph of 1"):
        Sentence.from_words(["a", "b"], Graph(1))
    with pytest.raises(InputError, match="2 words but 1 tags"):
        Sentence.from_words(["a", "b"], tags=["X"])


def test_sentence_repr_is_short(by_id: dict[str, Sentence]) -> None:
    assert repr(by_id["sample-13"]) == "<Sentence sample-13: 1 words, 1 arcs>"
