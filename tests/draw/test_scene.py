from __future__ import annotations

from typing import Any

import pytest

from arctag.draw.compared import CORRECT, EXTRA, MISSING, RELABELLED
from arctag.draw.look import Look
from arctag.draw.scene import FURTHER, SHARED, make_scene
from arctag.errors import AlignmentError, InputError, UnknownName
from arctag.glossary import explain
from arctag.graph import Graph
from arctag.sentence import Sentence
from tests.draw.pictured import CYCLIC, ELLIPSIS, SIMPLE, UNJOINED


def test_scene_planes_are_those_of_the_encodings() -> None:
    from arctag.encodings.planes import assign_planes

    for crossing in ("relaxed", "strict"):
        scene = make_scene(CYCLIC, look=Look(crossing=crossing))
        assert [edge.plane for edge in scene.edges] == assign_planes(CYCLIC.graph, crossing).tolist()
    assert scene.planes > 1


def test_scene_takes_planes_as_given_and_checks_their_number() -> None:
    assert make_scene(SIMPLE, planes=[2, 0, 0, 0, 0, 0]).edges[0].plane == 2
    with pytest.raises(InputError, match="1 planes for 6 arcs"):
        make_scene(SIMPLE, planes=[0])
    with pytest.raises(UnknownName, match="unknown crossing"):
        Look(crossing="none")  # type: ignore[arg-type]


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


TREED = Sentence(
    rows=[
        ["1", "She", "she", "PRON", "PRP", "Case=Nom", "2", "nsubj", "_", "_"],
        ["2", "wants", "want", "VERB", "VBZ", "_", "0", "root", "_", "_"],
        ["3", "to", "to", "PART", "TO", "_", "4", "mark", "_", "_"],
        ["4", "leave", "leave", "VERB", "VB", "_", "2", "xcomp", "_", "_"],
        ["5", ".", ".", "PUNCT", ".", "_", "2", "punct", "_", "_"],
    ],
    graph=SIMPLE.graph,
    comments=("# sent_id = treed",),
)


def test_scene_colours_what_the_tree_lacks() -> None:
    scene = make_scene(TREED, look=Look(colours="tree"))
    assert [edge.label for edge in scene.edges if edge.kind == FURTHER] == ["nsubj:xsubj"]
    assert scene.meanings == {SHARED: "also in the tree", FURTHER: "only in the graph"}
    assert make_scene(SIMPLE, look=Look(colours="tree")).meanings == {}  # there is no tree to compare with
    assert "(only in the graph)" in scene.describe(next(edge for edge in scene.edges if edge.kind == FURTHER))


def test_scene_hides_punctuation() -> None:
    scene = make_scene(TREED, look=Look(punctuation=False))
    assert scene.words == ["She", "wants", "to", "leave"]
    assert len(scene.edges) == 5
    assert (len(scene.about), len(scene.depths), len(scene.notes["tag"])) == (4, 4, 4)
    untagged = make_scene(SIMPLE, look=Look(punctuation=False))
    assert untagged.words == ["She", "wants", "to", "leave"]
    head = Sentence.from_words(["a", ",", "b"], Graph(3, [(2, 1, "x"), (2, 3, "x"), (0, 2, "root")]))
    assert make_scene(head, look=Look(punctuation=False)).words == ["a", ",", "b"]  # arcs come from it
    between = Sentence.from_words(["a", ",", "b"], Graph(3, [(0, 1, "root"), (1, 3, "x"), (1, 2, "punct")]))
    _, second = make_scene(between, look=Look(punctuation=False)).edges
    assert (second.head, second.dependent) == (1, 2)


def test_scene_says_how_deep_words_are() -> None:
    assert make_scene(TREED).depths == [1, 0, 2, 1, 1]
    assert make_scene(SIMPLE).depths == [1, 0, 2, 1, 1]
    loop = Sentence.from_words(["a", "b", "c"], Graph(3, [(1, 2, "x"), (2, 1, "x")]))
    assert make_scene(loop).depths == [0, 0, 0]


def test_scene_shows_a_layer_below() -> None:
    layered = TREED.with_layers({"dm": Graph(5, [(2, 1, "ARG1"), (4, 1, "ARG1")])})
    scene = make_scene(layered, look=Look(below="dm"))
    assert [(edge.head, edge.dependent, edge.about) for edge in scene.below] == [
        (2, 1, explain("ARG1", "dm")), (4, 1, explain("ARG1", "dm")),
    ]  # fmt: skip
    assert [edge.label for edge in make_scene(TREED, look=Look(below="tree")).below] == [
        "nsubj",
        "root",
        "mark",
        "xcomp",
        "punct",
    ]
    with pytest.raises(InputError, match="no column nothing"):
        make_scene(TREED, look=Look(below="nothing"))


def test_scene_explains_words_and_relations() -> None:
    scene = make_scene(TREED)
    assert scene.about[0] == "She · she · PRON (pronoun) · PRP · Case=Nom"
    assert scene.edges[0].about == explain("nsubj")
    both = Sentence.from_words(["a"], Graph(1, [(0, 1, "root"), (0, 1, "ref"), (0, 1, "odd")]))
    assert make_scene(both).edges[0].about == f"root: {explain('root')}; ref: {explain('ref')}"


@pytest.mark.parametrize(
    ("options", "message"), [({"colours": "red"}, "unknown colours"), ({"wrap": 10}, "at least 200")]
)
def test_scene_refuses_looks_that_do_not_exist(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Look(**options)
