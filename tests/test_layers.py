"""Further layers of a sentence: graphs and tags beside those of its file, columns by name."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from arctag.blocks import Flat
from arctag.errors import FormatError, InputError
from arctag.formats import read
from arctag.graph import Graph
from arctag.sentence import Sentence
from arctag.transforms import TREATMENTS, collapse, drop, expand

ROWS = [
    ["1-2", "du", "_", "_", "_", "_", "_", "_", "_", "_"],
    ["1", "de", "de", "ADP", "_", "_", "0", "root", "0:root", "SpaceAfter=No|Entity=B"],
    ["1.1", "e", "_", "_", "_", "_", "_", "_", "1:x", "_"],
    ["2", "le", "le", "DET", "_", "_", "1", "det", "1.1:y", "Entity="],
]


def sentence() -> Sentence:
    """Two words with an empty node between them, and two further layers."""
    graph = Graph(3, [(0, 1, "root"), (1, 2, "x"), (2, 3, "y")])
    dm = Graph(3, [(0, 3, "top"), (3, 1, "ARG1"), (3, 2, "ARG2"), (2, 1, "z")])
    return Sentence(ROWS, graph).with_layers({"dm": dm}, {"ner": ["B", "_", "I"]})


def triples(graph: Graph) -> list[tuple[int, int, str]]:
    return list(graph.triples())


def test_layers_are_beside_the_graph_and_the_columns() -> None:
    one = sentence()
    assert triples(one.graphs["dm"]) == [(2, 1, "z"), (3, 1, "ARG1"), (3, 2, "ARG2"), (0, 3, "top")]
    assert list(one.graphs) == ["dm"]
    assert triples(one.graph) == [(0, 1, "root"), (1, 2, "x"), (2, 3, "y")]
    assert one.cells("NER") == ["B", "_", "I"]
    more = one.with_layers({"pas": one.graph})
    assert set(more.graphs) == {"dm", "pas"}
    assert set(one.graphs) == {"dm"}  # as it was


@pytest.mark.parametrize("way", ["pickle", "detached", "replace", "columns", "rows"])
def test_layers_stay(way: str, sample: Path) -> None:
    first = next(iter(read(sample)))
    flat = Flat([first])
    one = first.with_layers({"dm": (flat.graphs, 0)}, {"ner": ["O"] * first.size})
    if way == "pickle":
        one = pickle.loads(pickle.dumps(one))
    elif way == "detached":
        one = one.detached()
        assert not np.shares_memory(one.graphs["dm"].heads, flat.graphs.arcs.heads)
    elif way == "replace":
        one = one.replace(comments=("# sent_id = x",))
    elif way == "columns":
        one = one.with_columns({3: ["X"] * one.size})
    else:
        one = one.detached().with_columns({3: ["X"] * one.size})
    assert one.graphs["dm"] == first.graph
    assert one.cells("ner") == ["O"] * first.size


def test_layers_that_fit_no_more_are_dropped() -> None:
    shorter = sentence().replace(rows=ROWS[:2], graph=Graph(1))
    assert (dict(shorter.graphs), dict(shorter.further)) == ({}, {})


@pytest.mark.parametrize("treat", [drop, collapse])
def test_layers_of_the_words_stay_without_empty_nodes(treat: object) -> None:
    assert callable(treat)
    one = treat(sentence())
    assert triples(one.graphs["dm"]) == [(2, 1, "ARG1"), (0, 2, "top")]
    assert one.cells("ner") == ["B", "I"]


def test_layers_of_the_words_stay_when_empty_nodes_come_back() -> None:
    one = expand(collapse(sentence()))
    assert one.ids == ["1", "1.1", "2"]
    assert triples(one.graphs["dm"]) == [(3, 1, "ARG1"), (0, 3, "top")]
    assert one.cells("ner") == ["B", "_", "I"]


def test_layers_must_fit_the_nodes() -> None:
    with pytest.raises(InputError, match="a graph 'dm' of 2 words for 3 nodes"):
        sentence().with_layers({"dm": Graph(2)})
    with pytest.raises(InputError, match="1 tags 'ner' for 3 nodes"):
        sentence().with_layers(columns={"ner": ["x"]})


def test_cells_by_name(sample: Path, sample_sdp: Path) -> None:
    one = sentence()
    assert one.cells("upos") == ["ADP", "_", "DET"]
    assert one.cells("MISC:Entity") == ["B", "_", "_"]
    assert one.cells("misc:SpaceAfter") == ["No", "_", "_"]
    in_file, in_sdp = next(iter(read(sample))), next(iter(read(sample_sdp)))
    assert in_file.cells("LEMMA") == in_file.column(2)
    assert (in_sdp.cells("lemma"), in_sdp.cells("XPOS")) == (in_sdp.column(2), in_sdp.column(3))
    with pytest.raises(InputError, match=r"sample\.sdp:3: there is no column UPOS; there are ID, FORM, LEMMA, XPOS"):
        in_sdp.cells("UPOS")
    with pytest.raises(InputError, match="no column MISC:Entity"):
        in_sdp.cells("MISC:Entity")


def test_graph_in_a_column_is_that_of_deps(sample: Path) -> None:
    sentences = list(read(sample))
    together = Flat([*sentences, *(s.detached() for s in sentences)]).graphs_in("deps")
    for number, one in enumerate(sentences):
        assert one.graph_in("DEPS") == one.graph
        assert together.graph(number) == together.graph(number + len(sentences)) == one.graph


def test_graph_of_a_layer_comes_by_its_name() -> None:
    one = sentence()
    assert one.graph_in("dm") is one.graphs["dm"]
    assert Flat([one]).graphs_in("dm").graph(0) == one.graphs["dm"]


@pytest.mark.parametrize(
    ("cell", "found"),
    [
        ("x", "label 'x' with no head"),
        ("", "label '' with no head"),
        ("1:", "head '1:' with no label"),
        ("1:a|9:b", "head 9 in '9:b', which no word"),
        ("x:y", "head 'x' in 'x:y'"),
        ("1.2:b", r"head 1\.2 in '1\.2:b', which no word"),
    ],
)
def test_graph_in_a_column_that_has_none_is_an_error(tmp_path: Path, cell: str, found: str) -> None:
    path = tmp_path / "file.conllu"
    rows = "\n".join("\t".join(row) for row in ROWS)
    path.write_text(f"{rows}\n\n" + rows.replace("SpaceAfter=No|Entity=B", "_").replace("Entity=", cell) + "\n\n")
    one = list(read(path))[1]
    with pytest.raises(FormatError, match=rf"file\.conllu:9: found {found}.* in column MISC"):
        one.graph_in("MISC")
    path.write_text(rows.replace("SpaceAfter=No|Entity=B", "_").replace("Entity=", cell) + "\n\n")
    with pytest.raises(FormatError, match=rf"file\.conllu:4: found {found}.* in column MISC"):
        Flat(list(read(path))).graphs_in("MISC")


def test_treatments_leave_sentences_without_layers_without_them(sample: Path) -> None:
    for one in read(sample):
        for treat in TREATMENTS.values():
            assert not treat(one).further_graphs
