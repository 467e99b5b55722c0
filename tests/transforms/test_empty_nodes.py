"""Empty nodes: dropping, collapsing into path labels, expanding again."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

from arctag.errors import FormatError, InputError
from arctag.formats import read, write
from arctag.formats.conllu import CONLLU
from arctag.formats.sdp import SDP
from arctag.graph import Graph
from arctag.sentence import Sentence
from arctag.transforms.empty_nodes import TREATMENTS, collapse, drop, expand, keep
from tests.places import treebanks
from tests.strategies import sentences

Triples = set[tuple[str, str, str]]


def sentence(ids: str, arcs: str) -> Sentence:
    """A sentence from its ids and arcs: '1 1.1 2', '0>1:root 1>1.1:conj 1.1>2:obj'."""
    names = ids.split()
    index = {"0": 0} | {name: i + 1 for i, name in enumerate(names)}
    rows = [[name, f"w{name}", *"_" * 7, "SpaceAfter=No" if "." in name else "_"] for name in names]
    triples = []
    for arc in arcs.split():
        ends, _, relation = arc.partition(":")
        head, dependent = ends.split(">")
        triples.append((index[head], index[dependent], relation))
    return Sentence(rows, Graph(len(names), triples), comments=("# sent_id = hard",), edited=True, source="hard:2")


def arcs(sentence: Sentence) -> Triples:
    names = ["0", *sentence.ids]
    return {(names[head], names[dependent], relation) for head, dependent, relation in sentence.graph.triples()}


HARD = {
    "gapping": (
        sentence("1 2 2.1 3", "0>1:root 1>2.1:conj:and 2.1>2:nsubj 2.1>3:obj"),
        {("0", "1", "root"), ("1", "2", "conj:and>2.1>nsubj"), ("1", "3", "conj:and>2.1>obj")},
    ),
    "chain of two": (
        sentence("1 1.1 1.2 2", "0>1:root 1>1.1:conj 1.1>1.2:ccomp 1.2>2:obj"),
        {("0", "1", "root"), ("1", "2", "conj>1.1>ccomp>1.2>obj")},
    ),
    "two paths": (
        sentence("1 1.1 2", "0>1:root 0>1.1:root 1>1.1:conj 1.1>2:obj"),
        {("0", "1", "root"), ("0", "2", "root>1.1>obj"), ("1", "2", "conj>1.1>obj")},
    ),
    "two relations on both steps": (
        sentence("1 1.1 2", "1>1.1:a 1>1.1:b 1.1>2:c 1.1>2:d"),
        {("1", "2", "a>1.1>c"), ("1", "2", "b>1.1>c"), ("1", "2", "a>1.1>d"), ("1", "2", "b>1.1>d")},
    ),
    "without head": (sentence("1 1.1 2", "0>1:root 1.1>2:obj"), {("0", "1", "root")}),
    "leaf": (sentence("1 1.1 2", "0>1:root 1>1.1:conj 1>2:obj"), {("0", "1", "root"), ("1", "2", "obj")}),
    "isolated": (sentence("1 1.1 2", "0>1:root"), {("0", "1", "root")}),
    "cycle with a way in": (
        sentence("1 1.1 1.2 2", "1>1.1:a 1.1>1.2:b 1.2>1.1:c 1.2>2:d 1.1>2:e"),
        {("1", "2", "a>1.1>b>1.2>d"), ("1", "2", "a>1.1>e")},
    ),
    "cycle with no way in": (sentence("1 1.1 1.2 2", "0>1:root 1.1>1.2:b 1.2>1.1:c 1.2>2:d"), {("0", "1", "root")}),
    "loop on an empty node": (sentence("1 1.1 2", "1>1.1:a 1.1>1.1:b 1.1>2:c"), {("1", "2", "a>1.1>c")}),
    "before the first word": (sentence("0.1 1 2", "0>0.1:root 0.1>1:obj"), {("0", "1", "root>0.1>obj")}),
    "path back to its own word": (sentence("1 1.1 2", "1>1.1:a 1.1>1:b"), {("1", "1", "a>1.1>b")}),
    "relations that look odd": (
        sentence("1 1.1 2", "1>2:a>b 1>1.1:c>d 1.1>2:5.1>e"),
        {("1", "2", "a>b"), ("1", "2", "c>d>1.1>5.1>e")},
    ),
}
hard = pytest.mark.parametrize("name", HARD)


@hard
def test_empty_nodes_collapse_labels(name: str) -> None:
    source, expected = HARD[name]
    assert arcs(collapse(source)) == expected


@hard
def test_empty_nodes_expand_undoes_collapse(name: str) -> None:
    source, _ = HARD[name]
    restored = expand(collapse(source))
    assert arcs(restored) == arcs(source)
    assert CONLLU.text(restored) == CONLLU.text(source)


@hard
def test_empty_nodes_drop_leaves_ordinary_arcs(name: str) -> None:
    source, _ = HARD[name]
    dropped = drop(source)
    assert arcs(dropped) == {arc for arc in arcs(source) if "." not in arc[0] + arc[1]}
    assert dropped.ids == [id for id in source.ids if "." not in id]
    assert dropped.comments == source.comments


def test_empty_nodes_collapse_keeps_rows_and_lost_arcs_in_comments() -> None:
    collapsed = collapse(HARD["without head"][0])
    assert collapsed.comments == (
        "# sent_id = hard",
        "# empty_node = 1.1\tw1.1\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No",
        "# empty_arc = 1.1 2 obj",
    )


@pytest.mark.parametrize("treatment", TREATMENTS.values(), ids=TREATMENTS)
def test_empty_nodes_treatments_leave_their_input_alone(treatment: object) -> None:
    source = HARD["gapping"][0]
    before = CONLLU.text(source), arcs(source), source.comments
    assert callable(treatment)
    treatment(source)
    assert (CONLLU.text(source), arcs(source), source.comments) == before


@pytest.mark.parametrize("treatment", TREATMENTS.values(), ids=TREATMENTS)
def test_empty_nodes_without_any_the_sentence_stays_itself(treatment: object) -> None:
    source = sentence("1 2", "0>1:root 1>2:a>b")
    assert callable(treatment)
    assert treatment(source) is source


def test_empty_nodes_keep_keeps() -> None:
    source = HARD["gapping"][0]
    assert keep(source) is source


@given(sentences())
def test_empty_nodes_collapse_leaves_none(sentence: Sentence) -> None:
    collapsed = collapse(sentence)
    assert not collapsed.has_empty
    assert collapsed.words == [w for w, empty in zip(sentence.words, sentence.empty, strict=True) if not empty]


@given(sentences())
def test_empty_nodes_expand_undoes_collapse_on_random_graphs(sentence: Sentence) -> None:
    restored = expand(collapse(sentence))
    assert restored.graph == sentence.graph
    assert restored.ids == sentence.ids
    assert CONLLU.text(restored) == CONLLU.text(sentence)


@given(sentences())
def test_empty_nodes_expand_undoes_collapse_through_a_file(
    tmp_path_factory: pytest.TempPathFactory, sentence: Sentence
) -> None:
    path = tmp_path_factory.mktemp("collapsed") / "file.conllu"
    write([collapse(sentence)], path)
    restored = expand(next(read(path)))
    assert restored.graph == sentence.graph
    assert CONLLU.text(restored) == CONLLU.text(sentence)


@pytest.mark.parametrize("name", ["en_ewt/dev", "iwpt_sk/dev", "iwpt_fi/dev"])
def test_empty_nodes_treebanks_survive_collapsing_through_a_file(shared: Path, tmp_path: Path, name: str) -> None:
    source = shared / "data" / f"{name}.conllu"
    assert any(s.has_empty for s in read(source))
    write(map(collapse, read(source)), tmp_path / "collapsed.conllu")
    assert not any(s.has_empty for s in read(tmp_path / "collapsed.conllu"))
    write(map(expand, read(tmp_path / "collapsed.conllu")), tmp_path / "expanded.conllu")
    assert (tmp_path / "expanded.conllu").read_bytes() == source.read_bytes()


@pytest.mark.parametrize("name", treebanks(".conllu", only=lambda name: "lowres" not in name and "train" not in name))
def test_empty_nodes_drop_leaves_valid_files(shared: Path, tmp_path: Path, name: str) -> None:
    count = write(map(drop, read(shared / "data" / name)), tmp_path / "dropped.conllu")
    dropped = list(read(tmp_path / "dropped.conllu"))
    assert len(dropped) == count
    assert not any(s.has_empty for s in dropped)


def _parsed(ids: str, arcs: str) -> Sentence:
    """What a parser gives: path labels, but no comments that tell of empty nodes."""
    return sentence(ids, arcs)


def test_empty_nodes_expand_works_from_labels_alone() -> None:
    expanded = expand(_parsed("1 2 3", "0>1:root 1>2:conj:and>2.1>nsubj 1>3:conj:and>2.1>obj"))
    assert arcs(expanded) == arcs(HARD["gapping"][0])
    assert expanded.rows[2] == ["2.1", *"_" * 9]


@pytest.mark.parametrize(
    ("label", "ids"),
    [
        ("conj>1.2>obj", ["1", "1.1", "2"]),  # no 1.1
        ("conj>99.1>obj", ["1", "2", "2.1"]),  # beyond the last word
        ("conj>99.1>x>7.3>obj", ["1", "2", "2.1", "2.2"]),
        ("conj>1.10>x>1.9>obj", ["1", "1.1", "1.2", "2"]),
        ("conj>0.4>obj", ["0.1", "1", "2"]),
    ],
)
def test_empty_nodes_expand_makes_predicted_ids_valid(tmp_path: Path, label: str, ids: list[str]) -> None:
    expanded = expand(_parsed("1 2", f"0>1:root 1>2:{label}"))
    assert expanded.ids == ids
    write([expanded], tmp_path / "file.conllu")
    assert next(read(tmp_path / "file.conllu")).graph == expanded.graph


def test_empty_nodes_expand_keeps_the_nodes_that_are_there() -> None:
    expanded = expand(_parsed("1 1.1 2", "0>1:root 1>2:conj>1.1>obj 1>2:conj>1.7>iobj"))
    assert expanded.ids == ["1", "1.1", "1.2", "2"]
    assert arcs(expanded) == {
        ("0", "1", "root"),
        ("1", "1.1", "conj"),
        ("1.1", "2", "obj"),
        ("1", "1.2", "conj"),
        ("1.2", "2", "iobj"),
    }


@pytest.mark.parametrize("label", [">1.1>obj", "conj>1.1>", "conj>1.1>>1.2>obj", "conj>1.1", "a>b", "conj>1>obj"])
def test_empty_nodes_expand_leaves_alone_what_is_no_path(label: str) -> None:
    source = _parsed("1 2", f"0>1:root 1>2:{label}")
    assert expand(source) is source


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("# empty_node = 1.1", "an empty node's id and its 9 other columns"),
        ("# empty_node = x" + "\t_" * 9, "an empty node's id and its 9 other columns"),
        ("# empty_arc = 1.1 2", "a head, a dependent and a relation"),
        ("# empty_node = 1.1" + "\t_" * 7 + "\t7:conj\t_", "a node's id"),
    ],
)
def test_empty_nodes_expand_refuses_damaged_comments(comment: str, expected: str) -> None:
    source = Sentence(
        [["1", "w", *"_" * 8]], Graph(1, [(0, 1, "a>1.1>b")]), comments=(comment,), source="file:3", edited=True
    )
    with pytest.raises(FormatError, match=expected) as caught:
        expand(source)
    assert str(caught.value).startswith("file:3: found ")


def test_empty_nodes_collapse_refuses_endless_paths() -> None:
    empty = [f"1.{i}" for i in range(1, 20)]
    dense = " ".join(f"{a}>{b}:x" for a in empty for b in empty if a != b)
    with pytest.raises(InputError, match="hard: too many paths lead through its empty nodes"):
        collapse(sentence("1 " + " ".join(empty) + " 2", f"1>1.1:x {dense} 1.19>2:y"))


def test_empty_nodes_expand_of_sdp_gives_numbered_words() -> None:
    row = ["_", "w", "w", "NN", "-", "-", "_"]
    source = Sentence([["1", *row[1:]], ["2", *row[1:]]], Graph(2, [(1, 2, "a>1.1>b")]), "sdp", ("#x",), edited=True)
    text = SDP.text(expand(source))
    assert [line.split("\t")[0] for line in text.splitlines()[1:-1]] == ["1", "2", "3"]
