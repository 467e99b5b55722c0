"""Labels as text: written, read back, and refused with the line that is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arctag import Graph, Sentence, drop, read
from arctag.encodings import Encoding, Labels, encoding
from arctag.errors import ArctagError, FormatError, InputError
from arctag.formats import label_files
from arctag.formats.label_files import Decoded, EncodedBatch, Labelled, decoded, header
from arctag.graph import Relations
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
    if made.needs_tags and any_sample.suffix == ".sdp":
        return  # which has no universal tags: see tests/cli/test_pos.py
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


def test_label_files_take_sentences_without_words() -> None:
    sentences = [Sentence.from_words(words, sent_id="s") for words in ([], ["a"], [], ["b", "c"])]
    after = "# sent_id = s\n\n# sent_id = s\na\t()\t_\n\n# sent_id = s\n\n# sent_id = s\nb\t()\t_\nc\t()\t_\n\n"
    assert text(sentences, encoding("absolute")) == "# encoding = absolute\n" + after


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


CELLS = {
    "absolute": ["(1)", "()", "(2,1)", "(0)", "(9)", "1"],
    "relative": ["()", "(-1)", "(1,2)", "x"],
    "bits4-2": ["0101.0101", "1110.1110", "0000.0000", "0101"],
}
COMMENTS = ["# c", "# sent_id = s1", "# sent_id = ", "# sent_id = a\rb", "#", "# encoding = no", ""]


@st.composite
def files(draw: st.DrawFn) -> str:
    """Label files that are right in most places."""
    name = draw(st.sampled_from(sorted(CELLS)))
    forms = st.sampled_from(["a", "é", "\\#", "\\\\#", "# 1", "#", "\\", "", "a\rb"] + ["b"] * 9)
    labels = st.sampled_from(CELLS[name] * 2 + [cell for cells in CELLS.values() for cell in cells])
    relations = st.sampled_from(["x", "y", "_", "x|y&z", "x\\|y|_", "", "x|"] + ["z"] * 9)
    nulls = st.sampled_from(["1", "2", "_", "1,2", "007", "1,", "_"])
    rows = st.one_of(
        st.tuples(forms, labels), st.tuples(forms, labels, relations), st.tuples(forms, labels, relations, nulls)
    ).map("\t".join)
    comments = st.sampled_from([*COMMENTS, *(f"# encoding = {name}" for name in CELLS)])
    lines = draw(st.lists(st.one_of(rows, rows, rows, comments, st.just("")), max_size=12))
    return f"# encoding = {name}\n" * draw(st.booleans()) + "\n".join(lines) + "\n" * draw(st.integers(0, 2))


class Plain(NamedTuple):
    """What a label file says of a sentence."""

    id: str
    words: list[str]
    name: str
    texts: list[str]
    nulls: list[set[int]]
    graph: Graph
    repairs: int


def plain(text: str) -> Iterator[Plain]:
    """The sentences of a label file, read line by line; what is wrong is a `ValueError`."""
    name = ""
    seen = False
    comments: list[str] = []
    for first, lines in paragraphs(text):
        above = next((i for i, line in enumerate(lines) if line[0] != "#" or "\t" in line.split(" ")[0]), len(lines))
        comments += lines[:above]
        if above == len(lines):
            continue
        for comment in comments:
            if comment.startswith("# encoding = "):
                name = comment.removeprefix("# encoding = ")
                if name not in CELLS:
                    raise ValueError(f"some.labels: unknown encoding '{name}'")
        rows = [line.split("\t") for line in lines[above:]]
        if not name:
            raise ValueError(f"some.labels:{first + above}: found no line '# encoding")
        for number, row in enumerate(rows, first + above):
            if wrong := what_is_wrong(row, name):
                raise ValueError(f"some.labels:{number}: found {wrong}; expected")
        ids = [comment.removeprefix("# sent_id = ") for comment in comments if comment.startswith("# sent_id = ")]
        if ids and "\r" in ids[0]:
            raise ValueError(f"some.labels:{first + above}: found id {ids[0]!r} above it; expected")
        comments, seen = [], True
        yield sentence_of((ids or [""])[0] or "?", rows, encoding(name))
    if comments or not seen:
        raise ValueError("found a comment with no sentence" if seen else "found no sentence")


def sentence_of(id: str, rows: list[list[str]], made: Encoding) -> Plain:
    words = [row[0][1:] if re.match(r"\\+#", row[0]) else row[0] for row in rows]
    texts = [row[1] for row in rows]
    relations = [[] if row[2:3] in ([], ["_"]) else split(row[2]) for row in rows]
    nulls: list[set[int]] = [set() if row[3:] in ([], ["_"]) else {int(n) for n in row[3].split(",")} for row in rows]
    parsed = [made.parse(cell) for cell in texts]
    marks = [place + 1 in planes for row, planes in zip(parsed, nulls, strict=True) for place in range(len(row))]
    labels = replace(Labels.from_rows(parsed), artificial=np.array(marks, dtype=np.bool_))
    graph, repairs = made.decode(labels).graph, made.decode(labels).repairs
    arcs = []
    for arc in graph:
        names = relations[arc.dependent - 1].pop(0) if relations[arc.dependent - 1] else ("_",)
        arcs += [(arc.head, arc.dependent, name) for name in names]
    return Plain(id, words, made.name, texts, nulls, Graph(len(rows), arcs), repairs)


def paragraphs(text: str) -> Iterator[tuple[int, list[str]]]:
    lines = enumerate(text.split("\n"), 1)
    for empty, group in groupby(lines, key=lambda pair: not pair[1]):
        if not empty:
            numbers, some = zip(*group, strict=True)
            yield numbers[0], list(some)


def what_is_wrong(row: list[str], name: str) -> str:
    if not 2 <= len(row) <= 4:
        return f"{len(row)} columns"
    if not row[0] or "\r" in row[0]:
        return f"form {row[0]!r}"
    try:
        encoding(name).parse(row[1])
    except InputError:
        return f"label {row[1]!r}"
    if row[2:3] in ([""], ["x|"]):
        return f"relations {row[2]!r}"
    return f"null planes {row[3]!r}" if row[3:] == ["1,"] else ""


def split(cell: str) -> list[Relations]:
    parts = cell.replace("\\|", "\0").split("|")
    return [tuple(name.replace("\0", "|") for name in part.split("&")) for part in parts]


@given(text=files())
@example(text="# encoding = absolute\n# c\n\n\na\t(1)\n")
@example(text="# encoding = absolute\na\t(1)\n\n\n# c\n\n\n\nb\t(1)\tx\n")
def test_label_files_hold_what_a_plain_reader_finds(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("any") / "some.labels"
    path.write_text(text, encoding="utf-8", newline="\n")
    wanted, complaint = so_far(plain(text))
    found, error = so_far(map(as_plain, label_files.read(path)))
    assert found == wanted
    assert bool(error) == bool(complaint)
    assert complaint in error.replace(f"{path.parent}/", "")


def so_far(sentences: Iterable[Plain]) -> tuple[list[Plain], str]:
    """The sentences before the first error, and what that says."""
    found: list[Plain] = []
    try:
        found.extend(sentences)
    except (ArctagError, ValueError) as error:
        return found, str(error)
    return found, ""


def as_plain(one: Labelled) -> Plain:
    [(after, repairs)] = decoded([one])
    assert (after.rows, after.id, after.edited) == (one.sentence.rows, one.sentence.id, True)
    return Plain(after.id, after.words, one.encoding.name, one.texts, one.nulls, after.graph, repairs)


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
