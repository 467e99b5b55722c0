"""Labels as text: written, read back, and refused with the line that is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arctag import Graph, Sentence, drop, read
from arctag.encodings import Encoding, encoding
from arctag.errors import ArctagError, FormatError, InputError
from arctag.formats import label_files
from arctag.formats.label_files import Decoded, EncodedBatch, decoded, header
from tests.encodings.all_encodings import ALL, MANY_PLANES, label
from tests.strategies import graphs

EVERY = [*ALL, *MANY_PLANES]
NASTY = ["a|b", "a&b", "\\", "a\\|b", "|", "&", "\\\\&", "_", "nsubj:pass", "conj>3.1>obj", "é", "a b"]


def covered(sentence: Sentence, made: Encoding) -> Graph:
    return sentence.graph.restricted(made.covers(sentence.graph))


def text(sentences: list[Sentence], made: Encoding) -> str:
    return header(made) + "".join(EncodedBatch.of(sentences, made).texts())


def write(path: Path, sentences: list[Sentence], made: Encoding) -> Path:
    path.write_text(text(sentences, made), encoding="utf-8")
    return path


@pytest.mark.parametrize("made", EVERY, ids=label)
def test_label_files_round_trip_the_sample(made: Encoding, any_sample: Path, tmp_path: Path) -> None:
    sentences = [drop(sentence) for sentence in read(any_sample)]
    back = list(decoded(label_files.read(write(tmp_path / "labels", sentences, made))))
    assert len(back) == len(sentences) > 5
    for before, (after, repairs, *_) in zip(sentences, back, strict=True):
        assert repairs == 0
        assert after.graph == covered(before, made)
        assert (after.words, after.id) == (before.words, before.id)


@pytest.mark.parametrize("name", ["absolute", "brackets-2", "bits4-2", "bits6-2", "hierarchical"])
def test_label_files_keep_relations_with_separators_in_them(name: str, tmp_path: Path) -> None:
    arcs = [(head, 2, relation) for head, relation in zip((0, 1, 3) * 4, NASTY, strict=True)]
    sentence = Sentence.from_words(["x", "#", "_"], Graph(3, arcs), sent_id="nasty")
    made = encoding(name)
    [(back, *_)] = decoded(label_files.read(write(tmp_path / "labels", [sentence], made)))
    assert back.graph == covered(sentence, made)
    assert back.words == sentence.words


@given(graph=graphs(labels=st.text("ab|&\\_", min_size=1, max_size=4)))
def test_label_files_keep_any_relation(graph: Graph, tmp_path_factory: pytest.TempPathFactory) -> None:
    sentence = Sentence.from_words([f"w{i}" for i in range(graph.n)], graph, sent_id="random")
    path = tmp_path_factory.mktemp("labels") / "labels"
    [(back, *_)] = decoded(label_files.read(write(path, [sentence], encoding("hierarchical"))))
    assert back.graph == graph


@pytest.mark.parametrize("word", ["# 1", "#1 of 2", "\\# 1", "\\\\#", "#", "#tag", "\\", "# sent_id = x", " #"])
@pytest.mark.parametrize("place", [0, 1])
def test_label_files_keep_words_that_look_like_comments(word: str, place: int, tmp_path: Path) -> None:
    words = ["a", "b"]
    words[place] = word
    sentence = Sentence.from_words(words, Graph(2, [(1, 2, "x")]), sent_id="s1")
    [(back, *_)] = decoded(label_files.read(write(tmp_path / "labels", [sentence], encoding("absolute"))))
    assert (back.words, back.graph, back.id) == (words, sentence.graph, "s1")


def test_label_files_look_as_documented() -> None:
    graph = Graph(2, [(0, 1, "root"), (2, 1, "a"), (2, 1, "b"), (1, 2, "x|y")])
    sentence = Sentence.from_words(["Go", "on"], graph, sent_id="s1")
    assert text([sentence], encoding("absolute")) == (
        "# encoding = absolute\n# sent_id = s1\nGo\t(0,2)\troot|a&b\non\t(1)\tx\\|y\n\n"
    )


def test_label_files_mark_null_arcs_in_a_fourth_column() -> None:
    sentence = Sentence.from_words(["Go", "on"], Graph(2, [(1, 2, "x")]), sent_id="s1")
    assert text([sentence], encoding("bits4-2")) == (
        "# encoding = bits4-2\n# sent_id = s1\nGo\t0101.0101\t_\t1,2\non\t1110.1110\tx\t2\n\n"
    )


def decode(tmp_path: Path, text: str, name: str | None = None) -> list[Decoded]:
    path = tmp_path / "some.labels"
    path.write_text(text, encoding="utf-8")
    return list(decoded(label_files.read(path, name)))


def test_label_files_need_no_relations(tmp_path: Path) -> None:
    [(sentence, _)] = decode(tmp_path, "Go\t(0)\non\t(1)\n", "absolute")
    assert sentence.graph == Graph(2, [(0, 1, "_"), (1, 2, "_")])


def test_label_files_give_an_arc_without_a_relation_a_dash(tmp_path: Path) -> None:
    [(sentence, _)] = decode(tmp_path, "Go\t(0,2)\troot\non\t(1)\tx|y\n", "absolute")
    assert sentence.graph == Graph(2, [(0, 1, "root"), (2, 1, "_"), (1, 2, "x")])


def test_label_files_count_repairs_by_sentence(tmp_path: Path) -> None:
    found = decode(tmp_path, "a\t(9)\n\nb\t(0)\n\nc\t(5,6)\n", "absolute")
    assert [repairs for _, repairs in found] == [1, 0, 2]


def test_label_files_option_wins_over_the_comment(tmp_path: Path) -> None:
    text = "# encoding = absolute\na\t(1)\nb\t(1)\n"
    assert decode(tmp_path, text)[0][0].graph.arc_set() == {(1, 1), (1, 2)}
    assert decode(tmp_path, text, "relative")[0][0].graph.arc_set() == {(2, 1)}


@pytest.mark.parametrize(
    ("text", "line", "found", "expected"),
    [
        ("# encoding = absolute\na\t(1)\nb\t0110\n", 3, "label '0110'", "one looks like '(2,6)'"),
        ("# encoding = bits6-2\na\t010101\n", 2, "label '010101'", "one looks like '110001.110001'"),
        ("# encoding = absolute\na\t(1)\n\nb\n", 4, "1 columns", "form, label"),
        ("# encoding = absolute\na\t(1)\tx\t_\t_\n", 2, "5 columns", "form, label"),
        ("# encoding = bits4-1\na\t1100\tx\tone\n", 2, "null planes 'one'", "numbers with commas"),
        ("# encoding = absolute\na\t(1)\tx|\n", 2, "relations 'x|'", "'|' between arcs"),
        ("# encoding = absolute\na\t(1)\t\n", 2, "relations ''", "names"),
        ("# encoding = absolute\na\t(1)\tx\\\n", 2, "relations", "names"),
        ("# encoding = absolute\na\t(1)\n\t(1)\n", 3, "form ''", "a word"),
        ("# encoding = absolute\na\rb\t(1)\n", 2, "form 'a\\rb'", "a word"),
        ("a\t(1)\n", 1, "no line '# encoding = NAME'", "--encoding"),
    ],
)
def test_label_files_say_what_is_wrong_and_where(
    tmp_path: Path, text: str, line: int, found: str, expected: str
) -> None:
    with pytest.raises(FormatError) as caught:
        decode(tmp_path, text)
    assert caught.value.line == line
    assert found in caught.value.found
    assert expected in caught.value.expected
    assert f"some.labels:{line}:" in str(caught.value)


def test_label_files_refuse_an_unknown_encoding(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"some\.labels: unknown encoding 'bits9-2'"):
        decode(tmp_path, "# encoding = bits9-2\na\t1\n")


@pytest.mark.parametrize("text", ["", "\n\n", "# encoding = absolute\n"])
def test_label_files_refuse_files_without_sentences(tmp_path: Path, text: str) -> None:
    with pytest.raises(FormatError, match="no sentence"):
        decode(tmp_path, text)


@given(lines=st.lists(st.text("ab\t()012,.><|&\\[]_#= ", max_size=12), max_size=6))
def test_label_files_never_raise_anything_unexpected(
    lines: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("noise") / "labels"
    path.write_text("# encoding = hierarchical\n" + "\n".join(lines) + "\n", encoding="utf-8")
    try:
        for sentence, repairs in decoded(label_files.read(path)):
            assert sentence.graph.n == len(sentence.words)
            assert repairs >= 0
    except ArctagError:
        pass


def test_label_files_refuse_an_id_with_a_line_break(tmp_path: Path) -> None:
    with pytest.raises(
        FormatError, match=r"some\.labels:3: found id 'a\\rb' above it; expected one without line breaks"
    ):
        decode(tmp_path, "# encoding = absolute\n# sent_id = a\rb\nx\t()\n")


@pytest.mark.parametrize("together", [1, 3, 4_096])
@pytest.mark.parametrize("name", ["bits4-2", "hierarchical"])
def test_label_files_do_not_depend_on_how_many_sentences_are_encoded_together(
    sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, together: int, name: str
) -> None:
    sentences, made = [drop(sentence) for sentence in read(sample)], encoding(name)
    expected = text(sentences, made)
    monkeypatch.setattr(label_files, "_TOGETHER", together)
    batches = list(label_files.encoded(sentences, made))
    assert len(batches) == -(-len(sentences) // together)
    assert header(made) + "".join(part for batch in batches for part in batch.texts()) == expected
    assert sum(batch.left_out for batch in batches) == EncodedBatch.of(sentences, made).left_out
    back = decode(tmp_path, expected)
    assert [one.sentence.graph for one in back] == [covered(sentence, made) for sentence in sentences]


def test_label_files_may_name_another_encoding_further_down(tmp_path: Path) -> None:
    found = decode(tmp_path, "# encoding = absolute\na\t(1)\n\n# encoding = relative\nb\t()\nc\t(-1)\n\nd\t()\n")
    assert [one.sentence.graph.arc_set() for one in found] == [{(1, 1)}, {(1, 2)}, set()]
