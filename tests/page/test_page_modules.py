"""The page's modules, called one by one inside the browser."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arctag import Graph
from arctag.encodings.planes import assign_planes
from tests.page.conftest import Open
from tests.text.test_other_language import CASES


@pytest.fixture
def call(open_page: Open) -> Any:
    """Call an exported function of a module with plain values."""
    page = open_page("#browse")

    def call(module: str, name: str, *values: Any) -> Any:
        return page.evaluate(
            "async ([module, name, values]) => (await import(`/static/js/${module}.js`))[name](...values)",
            [module, name, list(values)],
        )

    return call


def test_page_modules_assign_planes_as_the_encodings_do(call: Any) -> None:
    pairs = st.sets(st.tuples(st.integers(0, 7), st.integers(1, 7)).filter(lambda arc: arc[0] != arc[1]))

    @settings(max_examples=60, deadline=None)
    @given(pairs)
    def check(arcs: set[tuple[int, int]]) -> None:
        graph = Graph(7, [(head, dependent, "_") for head, dependent in arcs])
        given_arcs = [{"head": arc.head, "dependent": arc.dependent} for arc in graph]
        expected = (assign_planes(graph) + 1).tolist()
        assert call("graph/planes", "assignPlanes", given_arcs) == expected

    check()


def test_page_modules_never_let_labels_overlap(call: Any) -> None:
    edges = st.lists(
        st.tuples(st.integers(0, 9), st.integers(1, 9), st.integers(5, 120)), max_size=25, unique_by=lambda e: e[:2]
    )

    @settings(max_examples=60, deadline=None)
    @given(edges, st.booleans())
    def check(drawn: list[tuple[int, int, int]], mirrored: bool) -> None:
        given_edges = [{"head": head, "dependent": dependent} for head, dependent, _ in drawn]
        widths = [width for *_, width in drawn]
        (layout,) = call("graph/layout", "layOut", [40] * 9, given_edges, widths, {"mirrored": mirrored})
        boxes = [
            (b["middle"] - b["labelWidth"] / 2, b["middle"] + b["labelWidth"] / 2, b["y"]) for b in layout["bridges"]
        ]
        for i, (left, right, y) in enumerate(boxes):
            assert left >= -0.01
            assert right <= layout["width"] + 0.01
            for other_left, other_right, other_y in boxes[:i]:
                assert y != other_y or right <= other_left or other_right <= left
        centres = layout["centres"] if not mirrored else layout["centres"][::-1]
        assert all(right - left >= 40 for left, right in zip(centres, centres[1:], strict=False))

    check()


@pytest.mark.parametrize("text", ["", "She left", "שלום, עולם", "🙂\n\t\u0000 & <b>", "x" * 20_000])
def test_page_modules_pack_and_unpack(call: Any, text: str) -> None:
    packed = call("pack", "pack", text)
    assert call("pack", "unpack", packed) == text
    assert packed.replace("-", "a").replace("_", "a").isalnum()


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        ([0, 1], [0, 1, 2], [[0, ""], [1, ""], [2, "pushed"]]),
        ([0, 1, 2], [0], [[0, ""], [1, "taken"], [2, "taken"]]),
        ([0, 1, 3], [0, 3], [[0, ""], [1, "taken"], [3, ""]]),
        ([0, 2], [0, 4], [[0, ""], [2, "taken"], [4, "pushed"]]),
        ([], [], []),
    ],
)
def test_page_modules_tell_what_changed_on_a_stack(
    call: Any, before: list[int], after: list[int], changes: list[list[Any]]
) -> None:
    assert call("lesson/stacks", "changes", before, after) == changes


@pytest.mark.parametrize(
    ("label", "family", "texts"),
    [
        ("0101.1100", "bits4", [["0101"], ["1100"]]),
        ("></*", "brackets", [[">", "<", "/*"]]),
        (".", "brackets", [["."]]),
        ("(2,6)", "absolute", [["(2,6)"]]),
        ("]>1)>(>", "hierarchical", [["]>1)>(>"]]),
        ("<img>", "brackets", [["<img>"]]),
    ],
)
def test_page_modules_split_labels(call: Any, label: str, family: str, texts: list[list[str]]) -> None:
    lines = call("lesson/labels", "labelLines", label, family)
    assert [[part["text"] for part in line] for line in lines] == texts


def test_page_modules_compare_across_empty_nodes(call: Any) -> None:
    gold = {
        "words": ["a", "b", "c"], "ids": ["1", "1.1", "2"],
        "arcs": [{"head": 2, "dependent": 1, "relations": ["x"]}, {"head": 1, "dependent": 3, "relations": ["y", "z"]}],
    }  # fmt: skip
    predicted = {"words": ["a", "c"], "arcs": [{"head": 1, "dependent": 2, "relations": ["y"]}]}
    found = call("browse/compare", "compare", gold, predicted, "graph")
    assert [(edge["kind"], edge["label"]) for edge in found["edges"]] == [("relabelled", "y −z"), ("unscored", "x")]
    assert call("browse/compare", "scores", found["counts"]) == {"UF": 100, "LF": pytest.approx(200 / 3)}
    other = {"words": ["a", "d"], "arcs": []}
    assert (
        call("browse/compare", "compare", gold, other, "graph")["problem"]
        == "word 2 is “c” in gold and “d” in the other"
    )


def test_page_modules_pair_mistakes_at_a_word(call: Any) -> None:
    def edge(dependent: int, kind: str, lost: list[str], gained: list[str]) -> dict[str, Any]:
        return {"head": 9, "dependent": dependent, "kind": kind, "lost": lost, "gained": gained}

    edges = [
        edge(1, "correct", [], []), edge(2, "missing", ["obj"], []), edge(2, "extra", [], ["obl"]),
        edge(3, "relabelled", ["nmod"], ["obl"]), edge(4, "extra", [], ["dep"]), edge(5, "missing", ["ref"], []),
        edge(6, "unscored", [], []),
    ]  # fmt: skip
    found = call("browse/tally", "mistakesIn", edges)
    assert [(one["gold"], one["predicted"], one["edges"]) for one in found] == [
        ("obj", "obl", [1, 2]), ("nmod", "obl", [3]), ("", "dep", [4]), ("ref", "", [5]),
    ]  # fmt: skip


def test_page_modules_refuse_what_unpacks_to_too_much(call: Any) -> None:
    packed = call("pack", "pack", "a" * 2_000_000)
    assert len(packed) < 5_000
    with pytest.raises(Exception, match="more than 100,000 characters"):
        call("pack", "unpack", packed)


@pytest.mark.parametrize(("text", "language", "other"), CASES)
def test_page_modules_guess_languages(call: Any, text: str, language: str | None, other: str) -> None:
    assert call("parse/language", "otherLanguage", text, language) == other
