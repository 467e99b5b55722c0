from __future__ import annotations

import pytest

from arctag.draw.scene import CORRECT, EXTRA, MISSING, RELABELLED, make_scene
from arctag.errors import AlignmentError, InputError, UnknownName
from arctag.graph import Graph
from arctag.sentence import Sentence
from tests.draw.pictured import CYCLIC, ELLIPSIS, SIMPLE, UNJOINED


def test_scene_planes_are_those_of_the_encodings() -> None:
    from arctag.encodings.planes import assign_planes

    for crossing in ("relaxed", "strict"):
        scene = make_scene(CYCLIC, crossing=crossing)
        assert [edge.plane for edge in scene.edges] == assign_planes(CYCLIC.graph, crossing).tolist()
    assert scene.planes > 1


def test_scene_takes_planes_as_given_and_checks_their_number() -> None:
    assert make_scene(SIMPLE, planes=[2, 0, 0, 0, 0, 0]).edges[0].plane == 2
    with pytest.raises(InputError, match="1 planes for 6 arcs"):
        make_scene(SIMPLE, planes=[0])
    with pytest.raises(UnknownName, match="unknown crossing"):
        make_scene(SIMPLE, crossing="none")  # type: ignore[arg-type]


def test_scene_compares_arcs_and_relations() -> None:
    gold = Graph(3, [(0, 1, "root"), (1, 2, "obj"), (1, 3, "conj"), (1, 3, "ref"), (2, 3, "x")])
    predicted = Graph(3, [(0, 1, "root"), (1, 2, "obj"), (1, 3, "conj"), (1, 3, "obl"), (3, 2, "y")])
    words = ["a", "b", "c"]
    scene = make_scene(Sentence.from_words(words, predicted), Sentence.from_words(words, gold))
    found = {(edge.head, edge.dependent): (edge.kind, edge.label) for edge in scene.edges}
    assert found == {
        (0, 1): (CORRECT, "root"),
        (1, 2): (CORRECT, "obj"),
        (3, 2): (EXTRA, "+y"),
        (1, 3): (RELABELLED, "conj −ref +obl"),
        (2, 3): (MISSING, "−x"),
    }
    assert scene.counts == {CORRECT: 2, EXTRA: 1, RELABELLED: 1, MISSING: 1}


def test_scene_refuses_to_compare_different_sentences() -> None:
    with pytest.raises(AlignmentError, match=r"sentence simple .*found 1 'She'; expected 1 'no'"):
        make_scene(SIMPLE, UNJOINED)
    with pytest.raises(AlignmentError, match=r"has 1 words; its gold one .* has 2"):
        make_scene(Sentence.from_words(["no"]), UNJOINED)
    with pytest.raises(AlignmentError, match="empty nodes differ: try --empty"):
        make_scene(Sentence.from_words(["They", "did"]), ELLIPSIS)


def test_scene_knows_isolated_words() -> None:
    assert make_scene(UNJOINED).isolated == [True, True]
    assert not any(make_scene(SIMPLE).isolated)
