"""`Sentence`: nodes, ids, text, attaching graphs, sentences from words, views of blocks."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

from arctag.errors import InputError
from arctag.formats import read, read_blocks
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


# Views of a block


def _fields(sentence: Sentence) -> dict[str, object]:
    """What a sentence is to whoever looks at it."""
    names = (
        "rows", "graph", "format", "comments", "blanks", "edited", "source", "error", "score", "repairs", "changes",
        "ids", "words", "tags", "empty", "size", "has_empty", "id", "text", "node_rows",
    )  # fmt: skip
    return {name: getattr(sentence, name) for name in names}


def _without_block(sentence: Sentence) -> Sentence:
    """The same sentence, put together by hand."""
    return Sentence(
        sentence.rows, sentence.graph, sentence.format, sentence.comments, sentence.blanks, source=sentence.source
    )


def test_sentence_views_are_like_sentences_put_together_by_hand(any_sample: Path) -> None:
    for sentence in read(any_sample):
        assert sentence.block is not None
        assert _fields(sentence) == _fields(_without_block(sentence))


def test_sentence_views_know_their_block(sample: Path) -> None:
    [block] = read_blocks(sample)
    sentences = list(block)
    assert [sentence.number for sentence in sentences] == list(range(len(block)))
    assert all(sentence.block is block and not sentence.replaced for sentence in sentences)


def test_sentence_damaged_views_have_rows_and_an_error(tmp_path: Path) -> None:
    path = tmp_path / "damaged.conllu"
    path.write_text("# a\n1\tx\n2-3\ty\n\n")
    [sentence] = read(path, on_error=lambda error: None)
    assert (sentence.rows, sentence.comments, len(sentence.graph)) == ([["1", "x"], ["2-3", "y"]], ("# a",), 0)
    assert (sentence.words, sentence.size, sentence.has_empty) == (["x"], 1, False)
    assert "2 columns" in sentence.error


@pytest.mark.parametrize("name", ["rows", "graph", "comments", "score", "block", "words", "new"])
def test_sentence_cannot_be_changed(by_id: dict[str, Sentence], name: str) -> None:
    for sentence in (by_id["sample-01"], _without_block(by_id["sample-01"])):
        before = _fields(sentence)
        with pytest.raises(AttributeError, match=f"sentence.replace\\({name}=…\\) gives another one"):
            setattr(sentence, name, None)
        assert _fields(sentence) == before


def test_sentence_arrays_of_views_are_read_only(by_id: dict[str, Sentence]) -> None:
    graph = by_id["sample-01"].graph
    for array in (graph.heads, graph.dependents):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


@pytest.mark.parametrize(
    "fields",
    [
        {"comments": ("# sent_id = new", "# text = other")}, {"graph": Graph(8, [(0, 1, "root")])}, {"blanks": 3},
        {"source": "x:1"}, {"error": "why"}, {"score": -0.5, "repairs": 2, "changes": 1, "edited": True},
        {"rows": [["1", "a", *"_" * 8]], "graph": Graph(1)}, {},
    ],
)  # fmt: skip
@pytest.mark.parametrize("used", [False, True])
def test_sentence_replace_gives_another_one(sample: Path, fields: dict[str, Any], used: bool) -> None:
    """Whether or not it has been looked at before."""
    [view] = [sentence for sentence in read(sample) if sentence.id == "sample-08"]
    plain = _without_block(view)
    before = _fields(view)
    [fresh] = [sentence for sentence in read(sample) if sentence.id == "sample-08"]
    new = (view if used else fresh).replace(**fields)
    assert _fields(new) == _fields(plain.replace(**fields))
    assert all(getattr(new, name) == value for name, value in fields.items())
    assert new.replaced >= fields.keys() or new.block is None
    assert _fields(view) == _fields(fresh) == before


def test_sentence_replace_refuses_what_is_no_field(by_id: dict[str, Sentence]) -> None:
    with pytest.raises(TypeError, match="a sentence has no field 'words'"):
        by_id["sample-01"].replace(words=["a"])


def test_sentence_can_be_sent_to_another_process(any_sample: Path) -> None:
    """Without the block, which may be large."""
    for sentence in read(any_sample):
        for one in (sentence, sentence.with_graph(Graph(sentence.size), score=-1.0)):
            sent = pickle.loads(pickle.dumps(one))
            assert sent.block is None
            assert _fields(sent) == _fields(one)
    assert len(pickle.dumps(sentence)) < 10_000


def test_sentence_detached_is_the_same_without_its_block(any_sample: Path) -> None:
    for sentence in read(any_sample):
        parsed = sentence.with_graph(sentence.graph)
        for view in (sentence, parsed):
            alone = view.detached()
            assert alone.block is None
            assert alone.rows == view.rows
            assert alone.comments == view.comments
            assert (alone.id, alone.source, alone.edited) == (view.id, view.source, view.edited)
            assert alone.graph == view.graph
            assert alone.graph.heads.base is None
            assert alone.graph.dependents.base is None
