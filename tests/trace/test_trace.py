"""Decoding step by step leads to what `decode` gives, whatever the labels."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arctag import drop, encoding, read
from arctag.encodings import Arcs, Encoding, Labels
from arctag.errors import InputError
from arctag.graph import Graph
from arctag.testing.graphs import every_graph, graphs_of_masks
from arctag.trace import Trace, trace
from arctag.trace.placing import null_planes
from arctag.trace.recorder import MOST_CELLS
from tests.encodings.all_encodings import ALL, names
from tests.encodings.neighbours import Neighbours

SIX = [encoding(name) for name in names(6) if name.endswith("-6")]
Sequence_ = tuple[tuple[str, ...], tuple[tuple[int, ...], ...] | None]  # texts, planes with null arcs


def check(enc: Encoding, texts: list[str], nulls: list[tuple[int, ...]] | None = None) -> Trace:
    """Compare a trace with `decode`, and look at its steps."""
    labels = Labels.from_rows([enc.parse(text) for text in texts])
    if nulls is not None:
        k = len(labels[0]) if texts else 0
        marks = np.array([p in planes for planes in nulls for p in range(1, k + 1)], dtype=np.bool_)
        labels = Labels(labels.values, labels.offsets, labels.sizes, marks)
    traced, decoded = trace(enc, texts, len(texts), nulls), enc.decode(labels)
    assert traced.arcs == list(zip(decoded.graph.heads.tolist(), decoded.graph.dependents.tolist(), strict=True))
    assert traced.repairs == decoded.repairs
    _check_steps(traced)
    return traced


def _check_steps(traced: Trace) -> None:
    for step in traced.steps:
        assert step.text.endswith(".")
        assert step.repair == (step.repairs > 0) == bool(step.why)
        assert step.why.split("; ")[0] in step.text
        assert step.label == (traced.labels[step.word - 1] if step.word else "")
        assert step.part in step.label
        for arc in (*step.new_arcs, *step.null_arcs):
            assert f"{arc.head}→{arc.dependent}" in step.text
        for stack in step.stacks.values():
            assert all(0 <= word <= traced.n for word in stack)
    passes = {step.sweep for step in traced.steps}
    for sweep in passes:  # each pass that does anything reads every word once, in one direction
        words = [step.word for step in traced.steps if step.sweep == sweep and step.word]
        assert words in ([], list(range(1, traced.n + 1)), list(range(traced.n, 0, -1)))


def _sequences(enc: Encoding, arcs: Arcs) -> set[Sequence_]:
    """The different label sequences of a batch of graphs, with and without their marks of null arcs."""
    found: set[Sequence_] = set()
    for labels in enc.encode_all(arcs).sentences():
        texts = tuple(enc.format(row) for row in labels)
        found.add((texts, None))
        if labels.artificial is not None:
            found.add((texts, tuple(null_planes(labels))))
    return found


@pytest.mark.parametrize("name", names(1, 2, 3, 6))
def test_trace_equals_decoding_of_every_small_graph(name: str) -> None:
    enc = [one for one in (*ALL, *SIX) if one.name == name]
    batches = [every_graph(0), every_graph(1, loops=True), every_graph(2, loops=True), every_graph(3)]
    found = {sequence for one in enc for arcs in batches for sequence in _sequences(one, arcs)}
    assert len(found) > 100
    for texts, nulls in found:
        traced = check(enc[0], list(texts), None if nulls is None else list(nulls))
        assert traced.repairs == 0


@pytest.mark.parametrize("name", names(2))
def test_trace_equals_decoding_of_graphs_of_four_words(name: str) -> None:
    enc = encoding(name)
    for texts, nulls in _sequences(enc, graphs_of_masks(4, np.arange(0, 1 << 16, 197))):
        check(enc, list(texts), None if nulls is None else list(nulls))


@pytest.mark.full
@pytest.mark.parametrize("name", names(2))
def test_trace_equals_decoding_of_every_graph_of_four_words(name: str) -> None:
    enc = encoding(name)
    for texts, nulls in _sequences(enc, every_graph(4)):
        check(enc, list(texts), None if nulls is None else list(nulls))


@pytest.mark.parametrize(("name", "width", "n"), [("bits4-1", 4, 1), ("bits4-1", 4, 2), ("bits6-1", 6, 1)])
def test_trace_equals_decoding_of_every_sequence_of_bits(name: str, width: int, n: int) -> None:
    for values in product(range(1 << width), repeat=n):
        check(encoding(name), [f"{value:0{width}b}" for value in values])


def test_trace_equals_decoding_of_every_pair_of_three_bits() -> None:
    """The two directions of bits6 do not touch each other: all of one, with a few of the other."""
    for right, left in product(product(range(8), repeat=3), ((0, 0, 0), (3, 1, 6), (4, 2, 7))):
        check(encoding("bits6-1"), [f"{r:03b}{s:03b}" for r, s in zip(right, left, strict=True)])


def _label_texts(enc: Encoding) -> st.SearchStrategy[str]:
    """Any label of an encoding, though a graph may give none like it."""
    if enc.name in ("absolute", "relative"):
        return st.lists(st.integers(-7, 7), max_size=4).map(enc.format)
    if enc.name == "pos":
        pair = st.tuples(st.sampled_from(["X", "X", "X", "ROOT", "NOUN"]), st.integers(-4, 4))
        return (
            st.lists(pair.map(lambda parts: f"{parts[0]}{parts[1]:+}"), max_size=4)
            .map(",".join)
            .map(lambda t: t or "()")
        )
    if enc.name.startswith("brackets"):
        bracket = st.tuples(st.sampled_from("\\></"), st.integers(0, getattr(enc, "k", 1) - 1))
        return st.lists(bracket, max_size=6).map(lambda found: "".join(s + "*" * p for s, p in found) or ".")
    if enc.factors:
        return st.tuples(*(st.integers(0, top - 1) for top in enc.factors)).map(enc.format)
    mark = st.tuples(st.sampled_from("><="), st.sampled_from(["", "", "1", "2", "9"])).map("".join)
    semis = st.lists(mark, max_size=2)
    return st.builds(
        lambda loop, closer, closers, openers, opens: (
            f"{loop}{']' + closer if closer else ''}{''.join(')' + m for m in closers)}"
            f"{''.join('(' + m for m in openers)}{opens}" or "."
        ),
        st.sampled_from(["", "", "", "@"]), st.one_of(st.just(""), mark), semis, semis, st.sampled_from(["", "["]),
    )  # fmt: skip


@pytest.mark.parametrize("name", names(1, 3, 6))
def test_trace_equals_decoding_of_any_labels(name: str) -> None:
    enc = encoding(name)
    planes = st.frozensets(st.integers(1, getattr(enc, "k", 1))).map(tuple)

    @settings(max_examples=100)
    @given(st.lists(st.tuples(_label_texts(enc), planes), max_size=6))
    def run(words: list[tuple[str, tuple[int, ...]]]) -> None:
        texts = [text for text, _ in words]
        check(enc, texts)
        if name.startswith("bits4"):
            check(enc, texts, [nulls for _, nulls in words])

    run()


def test_trace_of_a_treebank_has_no_repairs(sample: Path) -> None:
    for name in names(4):
        enc = encoding(name)
        for sentence in map(drop, read(sample)):
            labels = enc.encode(sentence.graph)
            traced = check(
                enc,
                [enc.format(row) for row in labels],
                null_planes(labels) if labels.artificial is not None else None,
            )
            assert traced.repairs == 0
            assert traced.arcs == [(a.head, a.dependent) for a in sentence.graph.restricted(enc.covers(sentence.graph))]


@pytest.mark.parametrize(
    ("name", "labels", "step", "text", "stacks"),
    [
        ("absolute", "(2) ()", 0, "2 is word 2: arc 2→1.", {}),
        ("absolute", "(2) ()", 1, "The label is empty: word 2 has no head.", {}),
        ("relative", "(0) (-2,-1)", 1, "-2 is the root: arc 0→2. -1 is word 1: arc 1→2.", {}),
        ("relative", "(0) (-2,-1)", 0, "0 is the word itself: arc 1→1.", {}),
        (
            "brackets-2", ". </*", 2,
            "'<' opens an arc whose head is to the right: word 2 waits on the left stack of plane 1. "
            "'/*' opens an arc whose dependent is to the right: word 2 waits on the right stack of plane 2.",
            {"plane 1 →": [0], "plane 1 ←": [2], "plane 2 →": [0, 2], "plane 2 ←": []},
        ),
        (
            "brackets-1", "// > >>", 3,
            "'>' takes a head from the right stack: word 1 comes off, arc 1→3. "
            "'>' finds no open '/', so the root is the head: arc 0→3.",
            {"plane 1 →": [0], "plane 1 ←": []},
        ),
        (
            "bits4-1", "0101 1110", 2,
            "Bit 1 is 1: the head of word 2 is to the left, and word 1 is on top of the stack: arc 1→2. "
            "Bit 2 is 1: word 2 is the farthest dependent of word 1, which comes off the stack.",
            {"plane 1 →": [0]},
        ),
        (
            "bits6-1", "001000 100000 110000", 2,
            "Bit 1 is 1: the head of word 2 is to the left, and word 1 is on top of the stack: arc 1→2. "
            "Bit 2 is 0: word 1 has a dependent farther away and stays on the stack.",
            {"plane 1 →": [0, 1]},
        ),
        (
            "hierarchical", "[ (>[ ]=", 3,
            "']=' closes the span that word 2 opened: arcs 2→3 and 3→2. Word 2 comes off the stack.",
            {"open": [0, 1], "waiting": [2]},
        ),
        (
            "hierarchical", "[ [ )<1(> ]>1 ]>", 4,
            "']>1' skips 1 open word and closes the span that word 1 opened: arc 1→4. Word 1 comes off the stack. "
            "Word 3 waited for this closer: arc 3→4.",
            {"open": [0, 2], "waiting": []},
        ),
    ],
)  # fmt: skip
def test_trace_says_what_happens(name: str, labels: str, step: int, text: str, stacks: dict[str, list[int]]) -> None:
    found = trace(name, labels.split()).steps[step]
    assert (found.text, found.stacks) == (text, stacks)


@pytest.mark.parametrize(
    ("name", "labels", "whys"),
    [
        ("absolute", "(2,2) (9)", [
            "2→1 is there already and counts once", "9 would be word 9, which this sentence lacks; it is left out"]),
        ("brackets-2", "\\* /", [
            "'\\*' finds no open '<' in plane 2 and is left out",
            "no '>' came for word 2 on the right stack of plane 1"]),
        ("brackets-1", "// >>>", ["1→2 is there already and counts once"]),
        ("brackets-2", "//* >>*", ["1→2 is there already and counts once"]),
        ("bits4-1", "0000 1101", [
            "no farthest dependent came for word 2, still on the stack",
            "bit 1 is 0: the head of word 1 is to the right, but no word waits there, so it gets none"]),
        ("bits6-1", "010000 001000", [
            "bit 2 calls word 1 the farthest dependent of a head to its left, but bit 1 says it has none",
            "no farthest dependent came for word 2, still on the stack"]),
        ("hierarchical", "]>5 ]< (>[", [
            "']>5' skips 5 open words, but the root alone is open; it takes the root",
            "']<' finds the root, which cannot have a head",
            "no ']' came for word 3, still open; no closer came for word 3, still waiting"]),
    ],
)  # fmt: skip
def test_trace_says_why_it_repairs(name: str, labels: str, whys: list[str]) -> None:
    assert [step.why for step in trace(name, labels.split()).steps if step.repair] == whys


def test_trace_tells_null_arcs_from_others_where_they_are_marked() -> None:
    enc = encoding("bits4-2")
    labels = enc.encode(Graph(3, [(1, 3, "_")]))
    texts, nulls = [enc.format(row) for row in labels], null_planes(labels)
    marked, plain = trace(enc, texts, nulls=nulls), trace(enc, texts)
    assert marked.arcs == [(1, 3)]
    assert [tuple(arc) for arc in marked.null_arcs] == [(2, 1, 1), (2, 1, 2), (1, 2, 1), (1, 2, 2), (2, 3, 2)]
    assert plain.arcs == [(2, 1), (1, 2), (1, 3), (2, 3)]
    assert (plain.null_arcs, plain.repairs) == ([], 0)
    assert any("1→2 is there already, from plane 1." in step.text for step in plain.steps)


def test_trace_skips_passes_that_hold_nothing() -> None:
    traced = trace("bits6-6", [first_plane(row) for row in (8, 48)])
    assert [step.sweep for step in traced.steps if step.word] == ["plane 1 →"] * 2
    assert len(traced.steps) == 12 + 2
    assert "plane 2 →" not in trace("brackets-6", ["/", ">"]).steps[-1].stacks


def first_plane(first: int) -> str:
    """A label of bits6-6 with bits in the first plane alone."""
    return encoding("bits6-6").format((first, 0, 0, 0, 0, 0))


def test_trace_reads_labels_in_any_order_of_brackets() -> None:
    assert trace("brackets-1", ["/<", "\\", ">"]).labels == ("</", "\\", ">")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: trace("bits6-1", ["000000", "12"]), "word 2: '12' is not a label of bits6-1; one looks like '110001'"),
        (lambda: trace("absolute", ["()"], 2), "2 words need 2 labels; found 1"),
        (lambda: trace("no", []), "unknown encoding 'no'"),
        (lambda: trace(Neighbours(), ["10"]), "toy cannot be shown step by step; that of these can: absolute,"),
        (lambda: trace("bits4-2", ["0000.0000"], nulls=[[3]]), "a null arc in plane 3, but its planes are 1 to 2"),
        (lambda: trace("bits6-2", ["000000.000000"], nulls=[[1]]), "only bits4 has null arcs"),
        (lambda: trace("bits4-1", ["0000"], nulls=[]), "1 words need 1 lists"),
        (lambda: trace("brackets-1", ["/" * (MOST_CELLS // 2)] * 3), "too long to show step by step"),
    ],
)  # fmt: skip
def test_trace_refuses_on_one_line(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError, match=message) as error:
        call()
    assert "\n" not in str(error.value)


def test_trace_json_is_what_the_service_promises() -> None:
    value = json.loads(json.dumps(trace("brackets-1", ["/", ">", "\\"]).to_json()))
    assert value["arcs"] == [{"head": 1, "dependent": 2}]
    assert value["repairs"] == 1
    assert [step["word"] for step in value["steps"]] == [None, 1, 2, 3]
    assert value["steps"][2] == {
        "word": 2, "label": ">", "part": ">", "pass": "",
        "text": "'>' takes a head from the right stack: word 1 comes off, arc 1→2.",
        "stacks": {"plane 1 →": [0], "plane 1 ←": []}, "new_arcs": [{"head": 1, "dependent": 2, "plane": 1}],
        "null_arcs": [], "repair": False, "repairs": 0, "why": "", "lost_arcs": [],
    }  # fmt: skip
    assert (value["steps"][3]["repair"], value["steps"][3]["repairs"]) == (True, 1)
