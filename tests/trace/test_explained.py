"""Labels explained: the parts make up the labels, and what is said of arcs and planes is so."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arctag import encoding
from arctag.encodings import Encoding
from arctag.encodings.conflicts import (
    Arc,
    Conflict,
    one_head_conflict,
    one_head_each_way_conflict,
    relaxed_conflict,
    strict_conflict,
)
from arctag.errors import InputError
from arctag.graph import Graph
from arctag.testing.graphs import every_graph, graphs_of_masks, random_graph
from arctag.trace import encode_explained, explain_encoding, trace
from tests.encodings.all_encodings import ALL, MANY_PLANES, label, names
from tests.encodings.neighbours import Neighbours
from tests.strategies import graphs

FIGURE = Graph(6, [(h, d, "_") for h, d in [(2, 1), (2, 3), (3, 5), (4, 5), (6, 3), (5, 6), (1, 5), (1, 4)]])
GIVEN_UP = [(1, 4), (6, 5), (2, 5), (3, 5), (2, 6)]  # greedy puts the first two into one plane, the others into another
_HEADS = re.compile(r"(?<!no )\bheads?( \d+ places?)?( to the \w+| here)?[:,] (?P<who>.*)")
_DEPENDENTS = re.compile(r"(?<!no )\bdependents? to the \w+, (?P<who>.*)")
_CROSSES = re.compile(r"plane (\d): it crosses (\d+)→(\d+)")
_RIVAL = re.compile(r"plane (\d): word \d+ has a head(?: to its \w+)? there already, (?:word (\d+)|the root)")


def described_arcs(word: int, meaning: str) -> set[Arc]:
    """The arcs that is said of a part of a word's label."""
    if arrows := re.findall(r"(\d+)→(\d+)", meaning):
        return {(int(head), int(dependent)) for head, dependent in arrows}
    if match := _HEADS.search(meaning):
        return {(head, word) for head in _words(match["who"], word)}
    if match := _DEPENDENTS.search(meaning):
        return {(word, dependent) for dependent in _words(match["who"], word)}
    return set()


def _words(text: str, word: int) -> set[int]:
    root = {0} if "the root" in text else set()
    return (
        {int(number) for number in re.findall(r"\d+", text)} | root | ({word} if "the word itself" in text else set())
    )


def check(enc: Encoding, graph: Graph) -> None:
    """Parts make up the labels, arcs are where `covers` says, and the parts tell every arc."""
    found, covered = explain_encoding(enc, graph), enc.covers(graph)
    assert [word.label for word in found.words] == [enc.format(row) for row in enc.encode(graph)]
    assert [(arc.head, arc.dependent) for arc in found.arcs] == [(arc.head, arc.dependent) for arc in graph]
    assert [arc.plane > 0 for arc in found.arcs] == covered.tolist() == [not arc.why for arc in found.arcs]
    assert set(found.decoded) == graph.restricted(covered).arc_set()
    steps = trace(enc, [word.label for word in found.words], graph.n, [word.null_planes for word in found.words])
    assert [(arc.head, arc.dependent, arc.plane) for arc in found.arcs if arc.plane] == steps.placed
    assert list(found.null_arcs) == steps.null_arcs
    described = set[Arc]()
    for word in found.words:
        assert _joined(enc, [part.text for part in word.parts]) == word.label
        for part in word.parts:
            described |= described_arcs(word.word, part.meaning)
    assert described == set(found.decoded) | {(arc.head, arc.dependent) for arc in found.null_arcs}


def _joined(enc: Encoding, parts: list[str]) -> str:
    """The label that these parts make up."""
    if enc.name in ("absolute", "relative"):
        return "()" if parts == ["()"] else f"({','.join(parts)})"
    if enc.name == "pos":
        return ",".join(parts)
    if enc.factors:  # a dot between planes
        width = enc.factors[0].bit_length() - 1
        return ".".join(re.findall("." * width, "".join(parts)))
    return "".join(parts)


@pytest.mark.parametrize("enc", [*ALL, *MANY_PLANES], ids=label)
def test_explain_tells_every_arc_of_small_graphs(enc: Encoding) -> None:
    for arcs in (every_graph(2, loops=True), graphs_of_masks(4, np.arange(0, 1 << 16, 991))):
        for graph in arcs.graphs():
            check(enc, graph)


@pytest.mark.parametrize("name", names(3))
def test_explain_tells_every_arc(name: str) -> None:
    enc = encoding(name)

    @settings(max_examples=60)
    @given(graphs(labels=st.just("_")))
    def run(graph: Graph) -> None:
        check(enc, graph)

    run()


@pytest.mark.parametrize(
    ("name", "word", "parts"),
    [
        ("absolute", 3, ["2: a head: word 2", "6: a head: word 6"]),
        ("absolute", 2, ["(): no head"]),
        ("relative", 3, ["-1: a head 1 place to the left: word 2", "3: a head 3 places to the right: word 6"]),
        ("brackets-2", 1, ["<: plane 1: a head to the right, word 2",
                           "//: plane 1: 2 dependents to the right, words 4 and 5"]),
        ("bits4-1", 2, ["1: plane 1, bit 1: head to the left, word 1 (a null arc)",
                        "0: plane 1, bit 2: word 5 is farther away",
                        "1: plane 1, bit 3: dependents to the left, word 1",
                        "1: plane 1, bit 4: dependents to the right, word 3"]),
        ("bits6-2", 4, ["1: plane 1, bit 1: head to the left, word 1",
                        "0: plane 1, bit 2: word 5 is farther away",
                        "0: plane 1, bit 3: no dependents to the right",
                        "0: plane 1, bit 4: no head to the right",
                        "0: plane 1, bit 5: no head there, so not its farthest dependent",
                        "0: plane 1, bit 6: no dependents to the left",
                        "000000: plane 2: no arc"]),
        ("hierarchical", 4, [")>1: 1→4: leans on the span 1–5, which starts at 1 too; 1 span opened later still open",
                             "(>: 4→5: leans on the span 1–5, which ends at 5 too"]),
        ("hierarchical", 6, ["]<: 6→3: closes the structural span 3–6"]),
    ],
)  # fmt: skip
def test_explain_takes_labels_apart(name: str, word: int, parts: list[str]) -> None:
    found = explain_encoding(name, FIGURE).words[word - 1]
    assert [f"{part.text}: {part.meaning}" for part in found.parts] == parts


@pytest.mark.parametrize("name", ["bits4-2", "bits6-3"])
def test_explain_calls_the_farthest_dependent_what_it_is(name: str) -> None:
    """The second bit says so, and the word named instead is farther away on the same side."""
    for graph in graphs_of_masks(4, np.arange(0, 1 << 16, 773)).graphs():
        for word in explain_encoding(name, graph).words:
            for before, part in zip(word.parts, word.parts[1:], strict=False):
                head = next((head for head, _ in described_arcs(word.word, before.meaning)), None)
                if part.meaning.endswith("is farther away") and head is not None:
                    [farther] = map(int, re.findall(r"word (\d)", part.meaning))
                    assert part.text == "0"
                    assert abs(farther - head) > abs(word.word - head)
                    assert (farther > head) == (word.word > head)
                elif "the farthest dependent of" in part.meaning:
                    assert part.text == "1"


@settings(max_examples=80)
@given(graphs(labels=st.just("_")))
def test_explain_matches_each_hierarchical_bracket_with_its_span(graph: Graph) -> None:
    """The type of a bracket fits the arcs it is said to stand for, and its index leads to where they end."""
    words = explain_encoding("hierarchical", graph).words
    meanings = " ".join(part.meaning for word in words for part in word.parts)
    held = {(int(a), int(b)) for a, b in re.findall(r"closes the structural span (\d+)–(\d+)", meanings)}
    for word in words:
        for part in word.parts:
            bracket, rest = part.text[0], part.text[1:]
            if bracket in ".[@":
                continue
            arcs = described_arcs(word.word, part.meaning)
            left, right = sorted(min(arcs))
            wanted = {">": {(left, right)}, "<": {(right, left)}, "=": {(left, right), (right, left)}}
            assert arcs == wanted[rest[0]]
            index, here = int(rest[1:] or 0), word.word
            if bracket == "(":
                assert sorted(b for a, b in held if a < here < b)[index] == right
            else:
                still_open = {a for a, b in held if a < here < b or (bracket == "]" and b == here)} | {0}
                assert sorted(still_open)[-1 - index] == left


def _conflict(enc: Encoding) -> Conflict:
    if enc.name.startswith("bits"):
        return one_head_conflict if enc.name.startswith("bits4") else one_head_each_way_conflict
    return strict_conflict if getattr(enc, "crossing", "") == "strict" else relaxed_conflict


def _rivals(why: str, dependent: int) -> dict[int, Arc]:
    """For each plane that a reason names, the arc that is in the way."""
    crossed = {int(plane): (int(head), int(other)) for plane, head, other in _CROSSES.findall(why)}
    return crossed | {int(plane): (int(head or 0), dependent) for plane, head in _RIVAL.findall(why)}


@pytest.mark.parametrize("enc", [enc for enc in ALL if hasattr(enc, "k")], ids=label)
def test_explain_says_truly_why_arcs_are_left_out(enc: Encoding) -> None:
    """In every plane an arc that is there and in conflict; or there is room, but greedy planes are not changed."""
    random, seen = np.random.default_rng(1), 0
    for _ in range(12):
        found = explain_encoding(enc, random_graph(random, 8, 0.5, loops=True))
        planes = {(arc.head, arc.dependent): arc.plane for arc in found.arcs}
        for arc in found.arcs:
            rivals = _rivals(arc.why, arc.dependent)
            if arc.head == arc.dependent:
                assert arc.why == "no plane holds an arc from a word to itself"
            elif arc.plane == 0 and not rivals:
                assert getattr(enc, "planes", "") == "greedy"
                assert "it was put into a plane that is not kept" in arc.why
            elif arc.plane == 0:
                seen += 1
                assert sorted(rivals) == list(range(1, getattr(enc, "k", 0) + 1))
                assert all(planes[other] == plane for plane, other in rivals.items())
                assert all(_conflict(enc)((arc.head, arc.dependent), other) for other in rivals.values())
    assert seen


def test_explain_knows_arcs_that_were_given_up_with_their_plane() -> None:
    graph = Graph(6, [(head, dependent, "_") for head, dependent in GIVEN_UP])
    left_out = {arc.head: arc.why for arc in explain_encoding("brackets-1", graph).arcs if arc.why}
    assert left_out == {
        1: "plane 1: it crosses 2→5",
        6: "there is room in plane 1, but it was put into a plane that is not kept (planes 'best' looks further)",
    }
    best = explain_encoding(encoding("brackets-1", planes="best"), graph)
    assert [arc.head for arc in best.arcs if arc.why] == [1]


def test_explain_knows_when_best_planes_were_not_searched_for() -> None:
    """Past two thousand arcs the greedy planes stay as they are."""
    blocks = 401
    arcs = [(6 * i + head, 6 * i + dependent, "_") for i in range(blocks) for head, dependent in GIVEN_UP]
    found = explain_encoding(encoding("brackets-1", planes="best"), Graph(6 * blocks, arcs))
    whys = [arc.why for arc in found.arcs if arc.why]
    assert len(whys) == 2 * blocks
    assert whys.count("there is room in plane 1, but the graph is too tangled to search for the best planes") == blocks


def test_explain_leaves_encodings_of_your_own_in_one_piece() -> None:
    found = explain_encoding(Neighbours(), FIGURE)
    assert [word.label for word in found.words] == ["01", "00", "10", "00", "10", "10"]
    assert all(word.parts == () for word in found.words)
    assert [arc.plane for arc in found.arcs] == Neighbours().covers(FIGURE).astype(int).tolist()
    assert {arc.why for arc in found.arcs} == {"", "toy has no room for it"}


def test_explain_takes_the_options_of_an_encoding() -> None:
    root, following = (explain_encoding(encoding("bits4-1", first_null=f), Graph(2)) for f in ("root", "next"))
    assert [tuple(arc) for arc in root.null_arcs] == [(0, 1, 1), (1, 2, 1)]
    assert [tuple(arc) for arc in following.null_arcs] == [(2, 1, 1), (1, 2, 1)]
    strict = explain_encoding(encoding("brackets-1", crossing="strict"), FIGURE)
    assert "plane 1: it crosses 6→3" in {arc.why for arc in strict.arcs}


def test_encode_explained_is_what_the_service_promises() -> None:
    order = [(4, 5), (2, 1), (6, 3)]
    value = encode_explained(FIGURE, "bits4-2", order=order)
    assert json.loads(json.dumps(value)) == value
    enc = encoding("bits4-2")
    assert value["encoding"] == "bits4-2"
    assert value["labels"] == [enc.format(row) for row in enc.encode(FIGURE)]
    assert (value["planes"], value["covered"]) == ([0, 1, 2], [False, True, True])
    assert value["why"][0].startswith("plane 1: word 5 has a head there already, ")
    assert value["why"][1:] == [None, None]
    assert value["coverage"] == 0.875
    assert value["decoded"] == [
        {"head": a.head, "dependent": a.dependent} for a in FIGURE.restricted(enc.covers(FIGURE))
    ]
    assert value["null_arcs"][0] == {"head": 2, "dependent": 1, "plane": 2}
    assert value["nulls"] == [[2], [1, 2], [], [2], [], [2]]
    assert value["parts"][0][0] == {"text": "0", "meaning": "plane 1, bit 1: head to the right, word 2"}


def test_encode_explained_follows_the_graph_and_the_options() -> None:
    value = encode_explained(FIGURE, "brackets-2", crossing="strict")
    assert value["labels"] == ["</*/*", "\\/", "></", ">*/", ">>>*/", "\\>"]
    assert value["planes"] == [1, 1, 1, 2, 2, 1, 1, 1]
    graph = Graph(6, [(head, dependent, "_") for head, dependent in GIVEN_UP])
    assert encode_explained(graph, "brackets-1")["coverage"] == 0.6
    assert encode_explained(graph, "brackets-1", planes="best")["coverage"] == 0.8
    assert encode_explained(graph, encoding("brackets-1", planes="best"))["coverage"] == 0.8
    assert encode_explained(Graph(0), "bits4-2")["coverage"] == 1.0


def test_encode_explained_refuses_what_it_does_not_know() -> None:
    with pytest.raises(InputError, match="the graph has no arc 1→2"):
        encode_explained(FIGURE, "absolute", order=[(1, 2)])
    with pytest.raises(InputError, match="unknown plane assignment 'worst'"):
        encode_explained(FIGURE, "bits4-2", planes="worst")
