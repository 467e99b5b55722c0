"""What ill-formed labels decode to: the repairs that the documentation promises."""

from __future__ import annotations

import pytest

from arctag.encodings import Labels, encoding
from arctag.graph import Graph
from tests.encodings.all_encodings import names


@pytest.mark.parametrize(
    ("name", "labels", "arcs", "repairs"),
    [
        ("absolute", ["(2)", "(9)"], {(2, 1)}, 1),
        ("absolute", ["(2,2)", "()"], {(2, 1)}, 1),
        ("relative", ["(-2)", "(-2,-1)"], {(0, 2), (1, 2)}, 1),
        ("pos", ["X+1", "X-2", "ROOT-1"], {(2, 1), (0, 3)}, 1),
        ("pos", ["X+0,NOUN+0", "ROOT+1", "VERB-1"], {(1, 1)}, 3),
        ("pos", ["X+1,X+1", "()"], {(2, 1)}, 1),
        ("brackets-1", [">", ">"], {(0, 1), (0, 2)}, 0),
        ("brackets-1", ["\\", "/"], set(), 2),
        ("brackets-1", ["//", ">>"], {(1, 2)}, 1),
        ("brackets-1", ["<", "<", "\\"], {(3, 2)}, 1),
        ("bits6-1", ["000110", "000000"], set(), 1),
        ("bits6-1", ["001000", "000000"], set(), 1),
        ("bits6-1", ["010000", "110000"], {(0, 2)}, 1),
        ("bits4-1", ["0000", "1100"], {(0, 2)}, 1),
        ("bits4-1", ["1101", "1101"], {(0, 1), (1, 2)}, 1),
        ("hierarchical", ["]>5", "."], {(0, 1)}, 1),
        ("hierarchical", ["[", "."], set(), 1),
        ("hierarchical", ["]<", "]>"], {(0, 2)}, 1),
        ("hierarchical", ["(>", "]>"], {(0, 2), (1, 2)}, 0),
        ("hierarchical", [".", "(>3"], set(), 1),
    ],
)
def test_repairs_are_as_documented(name: str, labels: list[str], arcs: set[tuple[int, int]], repairs: int) -> None:
    enc = encoding(name)
    decoded = enc.decode(Labels.from_rows([enc.parse(label) for label in labels]))
    assert (set(decoded.graph.arc_set()), decoded.repairs) == (arcs, repairs)


@pytest.mark.parametrize("name", names(1, 3))
def test_repairs_of_no_words_are_none(name: str) -> None:
    decoded = encoding(name).decode(Labels.from_rows([]))
    assert decoded.graph == Graph(0)
    assert decoded.repairs == 0


def test_bits4_without_marks_decodes_null_arcs_too() -> None:
    """The bits cannot tell a null arc from a real one; with the marks they are left out again."""
    enc, graph = encoding("bits4-2"), Graph(3, [(1, 3, "_")])
    labels = enc.encode(graph)
    assert enc.decode(labels).graph.arc_set() == {(1, 3)}
    plain = enc.decode(Labels.from_rows(list(labels)))
    assert plain.graph.arc_set() == {(1, 3), (1, 2), (2, 1), (2, 3)}
    assert plain.repairs == 0


@pytest.mark.parametrize("planes", ["1", "root"])
def test_bits4_null_arc_of_the_first_word(planes: str) -> None:
    enc = encoding("bits4-1", first_null="next" if planes == "1" else "root")
    decoded = enc.decode(Labels.from_rows(list(enc.encode(Graph(2)))))
    assert decoded.graph.arc_set() == ({(2, 1), (1, 2)} if planes == "1" else {(0, 1), (1, 2)})
