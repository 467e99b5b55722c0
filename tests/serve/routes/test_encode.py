"""`/api/encodings`, `/api/encode`, `/api/decode`, `/api/trace`."""

from __future__ import annotations

from typing import Any

import pytest

from arctag.encodings import ENCODINGS, encoding, tree_names
from arctag.graph import Graph
from tests.serve.servers import Running, error

ARCS = [(2, 1), (2, 3), (3, 5), (4, 5), (6, 3), (5, 6), (1, 5), (1, 4)]  # figure 1 of the paper
NAMES = ["absolute", "relative", "brackets-2", "bits4-3", "bits6-2", "hierarchical"]


def as_json(arcs: list[tuple[int, int]]) -> list[dict[str, int]]:
    return [{"head": head, "dependent": dependent} for head, dependent in arcs]


def test_encodings_are_listed_with_their_planes(server: Running) -> None:
    found = server.get("/api/encodings").json()["encodings"]
    assert {entry["family"] for entry in found} == set(ENCODINGS)
    for entry in found:
        assert encoding(entry["name"]).name == entry["name"]
        assert entry["description"]
    assert [entry["planes"] for entry in found if entry["family"] == "bits6"] == [1, 2, 3, 4, 5, 6]
    assert [entry["planes"] for entry in found if entry["family"] == "absolute"] == [None]
    assert {entry["family"]: entry["trees_only"] for entry in found} == {
        family: entry.make.trees_only for family, entry in ENCODINGS.items()
    }


@pytest.mark.parametrize("name", NAMES)
def test_encode_gives_labels_and_what_they_cover(server: Running, name: str) -> None:
    found = server.post("/api/encode", {"n": 6, "arcs": as_json(ARCS), "encoding": name}).json()
    chosen, graph = encoding(name), Graph(6, [(h, d, "_") for h, d in ARCS])
    assert found["encoding"] == name
    assert found["labels"] == [chosen.format(row) for row in chosen.encode(graph)]
    covered = {(arc.head, arc.dependent): bool(kept) for arc, kept in zip(graph, chosen.covers(graph), strict=True)}
    assert found["covered"] == [covered[arc] for arc in ARCS]  # in the order in which they were given
    assert [plane > 0 for plane in found["planes"]] == found["covered"]
    assert {(arc["head"], arc["dependent"]) for arc in found["decoded"]} == {a for a in ARCS if covered[a]}
    assert found["coverage"] == pytest.approx(sum(found["covered"]) / len(ARCS), abs=0.01)
    back = server.post("/api/decode", {"n": 6, "labels": found["labels"], "encoding": name}).json()
    assert back["repairs"] == 0
    kept = {(arc["head"], arc["dependent"]) for arc in back["arcs"]}
    assert kept >= {a for a in ARCS if covered[a]}  # null arcs, which the labels alone do not tell, may come along


def test_encode_takes_words_and_options(server: Running) -> None:
    arcs = as_json([(1, 3), (2, 4)])
    body = {"words": ["a", "b", "c", "d"], "arcs": arcs, "encoding": "brackets-1"}
    assert server.post("/api/encode", body).json()["covered"] == [True, False]
    opposite = as_json([(3, 1), (2, 4)])
    assert server.post("/api/encode", {**body, "arcs": opposite}).json()["covered"] == [True, True]
    strict = {**body, "arcs": opposite, "crossing": "strict", "planes": "best"}
    assert sum(server.post("/api/encode", strict).json()["covered"]) == 1


@pytest.mark.parametrize("name", NAMES)
def test_trace_ends_where_decoding_does(server: Running, name: str) -> None:
    labels = server.post("/api/encode", {"n": 6, "arcs": as_json(ARCS), "encoding": name}).json()["labels"]
    for given in (labels, labels[::-1]):
        body = {"n": 6, "labels": given, "encoding": name}
        traced, decoded = server.post("/api/trace", body).json(), server.post("/api/decode", body).json()
        assert traced["repairs"] == decoded["repairs"]
        assert traced["arcs"] == decoded["arcs"]
        made = [arc for step in traced["steps"] for arc in step["new_arcs"]]
        assert {(a["head"], a["dependent"]) for a in made} == {(a["head"], a["dependent"]) for a in traced["arcs"]}
        assert all({"word", "label", "text", "stacks", "null_arcs", "repair"} <= set(step) for step in traced["steps"])


def test_trace_knows_null_arcs_if_told(server: Running) -> None:
    encoded = server.post("/api/encode", {"n": 6, "arcs": as_json(ARCS), "encoding": "bits4-3"}).json()
    body = {"n": 6, "labels": encoded["labels"], "encoding": "bits4-3", "nulls": encoded["nulls"]}
    traced = server.post("/api/trace", body).json()
    assert traced["arcs"] == encoded["decoded"]
    nulls = [arc for step in traced["steps"] for arc in step["null_arcs"]]
    assert len(nulls) == len(encoded["null_arcs"]) > 0
    assert error(server.post("/api/trace", {**body, "nulls": [[9]] * 6})).startswith("word 1 of bits4-3: a null arc")


def test_encode_nothing(server: Running) -> None:
    assert server.post("/api/encode", {"n": 0, "arcs": [], "encoding": "bits6-1"}).json()["labels"] == []
    assert server.post("/api/decode", {"n": 0, "labels": [], "encoding": "bits6-1"}).json() == {
        "arcs": [],
        "repairs": 0,
    }


@pytest.mark.parametrize(
    ("path", "body", "status", "line"),
    [
        ("encode", {"arcs": [], "encoding": "bits6-4"}, 422, "give words or n"),
        ("encode", {"n": 2, "words": ["a"], "arcs": [], "encoding": "bits6-4"}, 422, "n is 2, but there are 1 words"),
        ("encode", {"n": -1, "arcs": [], "encoding": "bits6-4"}, 400, "a graph cannot have -1 words"),
        ("encode", {"n": 10**400, "arcs": [], "encoding": "bits6-4"}, 400, "a sentence of 1000"),
        ("encode", {"n": 2001, "arcs": [], "encoding": "bits6-4"}, 400, "a sentence of 2001 words; this"),
        ("encode", {"n": 2, "arcs": as_json([(3, 1)]), "encoding": "bits6-4"}, 400, "arc 3→1 does not fit a graph"),
        ("encode", {"n": 2, "arcs": as_json([(10**30, 1)]), "encoding": "bits6-4"}, 400, "arc 10000"),
        ("encode", {"n": 1, "arcs": [{"head": 0, "dependent": 1, "relations": []}], "encoding": "A"}, 422, "arcs[0]."),
        ("encode", {"n": 2, "arcs": [], "encoding": "bits7-4"}, 400, "unknown encoding 'bits7-4'. Did you mean"),
        ("encode", {"n": 2, "arcs": [], "encoding": "bits6-99"}, 400, "bits6-99 has more than 10 planes"),
        ("decode", {"n": 2, "labels": ["000000"], "encoding": "bits6-1"}, 422, "labels: found 1; expected 2, one"),
        ("decode", {"n": 1, "labels": ["0"], "encoding": "bits6-1"}, 400, "'0' is not a label of bits6-1; one"),
        ("trace", {"n": 1, "labels": ["0"], "encoding": "bits6-1"}, 400, "word 1: '0' is not a label of bits6-1"),
        ("trace", {"n": 201, "labels": ["-"] * 201, "encoding": "absolute"}, 400, "201 labels of 201 characters; at"),
    ],
)  # fmt: skip
def test_encode_says_what_is_wrong(server: Running, path: str, body: Any, status: int, line: str) -> None:
    assert error(server.post(f"/api/{path}", body), status).startswith(line)


def test_encode_errors_are_short(server: Running) -> None:
    body = {"n": 1, "labels": ["x" * 100_000], "encoding": "absolute"}
    assert len(error(server.post("/api/decode", body))) <= 1_000


@pytest.mark.parametrize("name", tree_names())
def test_trees_are_encoded_decoded_and_traced(server: Running, name: str) -> None:
    tree = [(2, 1), (0, 2), (2, 3), (1, 4), (2, 5)]
    found = server.post("/api/encode", {"n": 5, "arcs": as_json(tree), "encoding": name}).json()
    assert len(found["labels"]) == len(found["decoded"]) == 5
    assert [plane > 0 for plane in found["planes"]] == found["covered"]
    body = {"n": 5, "labels": found["labels"], "encoding": name}
    back, steps = server.post("/api/decode", body).json(), server.post("/api/trace", body).json()
    assert back["arcs"] == steps["arcs"] == found["decoded"]
    assert back["repairs"] == steps["repairs"]


@pytest.mark.parametrize(
    ("arcs", "what"),
    [
        ([(0, 1), (1, 2)], "word 3 has no head"),
        ([(0, 1), (1, 2), (1, 3), (2, 3)], "word 3 has 2 heads (1, 2)"),
        ([(0, 1), (3, 2), (2, 3)], "word 2 is on a cycle"),
    ],
)
def test_encode_says_what_is_no_tree(server: Running, arcs: list[tuple[int, int]], what: str) -> None:
    answer = server.post("/api/encode", {"n": 3, "arcs": as_json(arcs), "encoding": "treebits4"})
    assert error(answer) == f"the graph: no tree, and this encoding is for trees only: {what}"
