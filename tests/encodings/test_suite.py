"""The conformance suite notices: each way of being wrong is caught by the check that is named for it."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest

import arctag.testing
from arctag.encodings import Arcs, DecodedBatch, Encoding, LabelRow, Labels, SimpleEncoding, encoding
from arctag.encodings.positional import Absolute
from arctag.encodings.trees.base import NotATree, as_arcs
from arctag.encodings.trees.base import Repairs as TreeRepairs
from arctag.errors import MissingExtra
from arctag.graph import BoolArray, IntArray
from arctag.testing import Check, check_encoding, encoding_checks, oracle
from tests.encodings.neighbours import Neighbours
from tests.encodings.tree_toy import Near

CHECKS = {check.name: check for check in encoding_checks(oracle=oracle(Absolute()), words=3, examples=40)}


class Loses(Absolute):
    """Drops the last arc of what it decodes."""

    def decode_all(self, labels: Labels) -> DecodedBatch:
        decoded = super().decode_all(labels)
        arcs = decoded.arcs
        if not len(arcs.heads):
            return decoded
        starts = np.minimum(arcs.starts, len(arcs.heads) - 1)
        return DecodedBatch(Arcs(arcs.sizes, starts, arcs.heads[:-1], arcs.dependents[:-1]), decoded.repairs)


class Boasts(Neighbours):
    """Claims to cover everything."""

    def covers_all(self, arcs: Arcs) -> BoolArray:
        return np.ones(len(arcs.heads), dtype=np.bool_)


class Repairs(Absolute):
    """Counts repairs where there are none."""

    def decode_all(self, labels: Labels) -> DecodedBatch:
        decoded = super().decode_all(labels)
        return replace(decoded, repairs=decoded.repairs + 1)


class Crashes(Neighbours):
    """Decodes only what it wrote itself."""

    def decode_one(self, rows: list[LabelRow]) -> tuple[Iterable[tuple[int, int]], int]:
        return [(word - 1, word) for word, row in enumerate(rows, 1) if row[0] > row[1]], 0


class Unsorted(Absolute):
    """Gives arcs back in the wrong order."""

    def decode_all(self, labels: Labels) -> DecodedBatch:
        decoded = super().decode_all(labels)
        heads, dependents = decoded.arcs.heads.copy(), decoded.arcs.dependents.copy()
        for start, end in zip(decoded.arcs.starts, decoded.arcs.starts[1:], strict=False):
            heads[start:end], dependents[start:end] = heads[start:end][::-1], dependents[start:end][::-1]
        return replace(decoded, arcs=replace(decoded.arcs, heads=heads, dependents=dependents))


class Forgets(Absolute):
    """Its result depends on how often it was called."""

    def decode_all(self, labels: Labels) -> DecodedBatch:
        decoded = super().decode_all(labels)
        calls = self.__dict__.setdefault("calls", [])
        calls.append(1)
        return replace(decoded, repairs=decoded.repairs + len(calls))


class Scribbles(Absolute):
    """Writes into the labels it is given."""

    def decode_all(self, labels: Labels) -> DecodedBatch:
        decoded = super().decode_all(labels)
        labels.values[:] = 0
        return decoded


class Spaces(Absolute):
    """Writes labels with a space in them."""

    def format(self, row: Sequence[int]) -> str:
        return super().format(row).replace(",", ", ")


class Mumbles(Absolute):
    """Cannot read what it wrote."""

    def parse(self, text: str) -> LabelRow:
        return super().parse(text)[:1]


class Careless(Absolute):
    """Raises whatever comes up."""

    def parse(self, text: str) -> LabelRow:
        return tuple(int(part) for part in text[1:-1].split(",") if part)


class Solitary(Absolute):
    """Treats a sentence that is alone in its batch differently."""

    def covers_all(self, arcs: Arcs) -> BoolArray:
        return np.full(len(arcs.heads), len(arcs) != 1)


class Fractions(Absolute):
    """Labels that are no integers."""

    def encode_all(self, arcs: Arcs) -> Labels:
        labels = super().encode_all(arcs)
        return replace(labels, values=labels.values.astype(float))


class Bounded(Absolute):
    """Promises two columns of bits."""

    @property
    def factors(self) -> tuple[int, ...]:
        return (2, 2)


class Loopless(Absolute):
    """Breaks on a self-loop."""

    def encode_all(self, arcs: Arcs) -> Labels:
        if np.any(arcs.heads == arcs.dependents):
            raise RecursionError("round and round")
        return super().encode_all(arcs)


class Short(Absolute):
    """Cannot do long sentences."""

    def encode_all(self, arcs: Arcs) -> Labels:
        if arcs.sizes.max(initial=0) > 500:
            raise RecursionError("too deep")
        return super().encode_all(arcs)


class Nameless(Absolute):
    """A name in two pieces."""

    @property
    def name(self) -> str:
        return "no name"


@dataclass
class Unhashable(SimpleEncoding):
    """No key of a dictionary: dataclasses that are not frozen have no hash."""

    k: int = 2

    @property
    def name(self) -> str:
        return "unfrozen"

    def encode_one(self, n: int, arcs: list[tuple[int, int]]) -> list[LabelRow]:
        return [()] * n

    def decode_one(self, rows: list[LabelRow]) -> tuple[Iterable[tuple[int, int]], int]:
        return [], 0

    def format(self, row: Sequence[int]) -> str:
        return "."

    def parse(self, text: str) -> LabelRow:
        return ()


@dataclass(unsafe_hash=True)
class Changeable(Unhashable):
    """Anyone may change it."""


class Shifted(Absolute):
    """Other labels than the oracle's, though they decode well."""

    def encode_all(self, arcs: Arcs) -> Labels:
        labels = super().encode_all(arcs)
        return replace(labels, values=labels.values + np.int32(1))


class Forest(Near):
    """Joins the last two words in both directions."""

    def decode_all(self, labels: Labels) -> DecodedBatch:
        decoded = super().decode_all(labels)
        heads, ends = decoded.arcs.heads.copy(), np.cumsum(labels.sizes)
        for end, n in zip(ends, labels.sizes, strict=True):
            heads[end - 2 : end] = [n, n - 1] if n > 1 else heads[end - 2 : end]
        return DecodedBatch(as_arcs(labels.sizes, heads), decoded.repairs)


class Proud(Near):
    """Claims to cover every tree."""

    def covers_all(self, arcs: Arcs) -> BoolArray:
        return np.ones(len(arcs.heads), dtype=np.bool_)


class Modest(Near):
    """Claims to cover none."""

    def covers_all(self, arcs: Arcs) -> BoolArray:
        return np.zeros(len(arcs.heads), dtype=np.bool_)


class Fussy(Near):
    """Repairs trees that came back whole."""

    def decode_heads(self, labels: Labels) -> tuple[IntArray, TreeRepairs]:
        heads, repairs = super().decode_heads(labels)
        return heads, repairs + 1


class Lenient(Near):
    """Takes any graph for a tree, of each word one arc."""

    def encode_all(self, arcs: Arcs) -> Labels:
        heads = np.zeros(int(arcs.sizes.sum()), dtype=np.int32)
        heads[: len(arcs.heads)] = arcs.heads[: len(heads)]
        return self.encode_trees(arcs.sizes, heads)


class Vague(Near):
    """Says of the wrong sentence that it is no tree."""

    def encode_all(self, arcs: Arcs) -> Labels:
        try:
            return super().encode_all(arcs)
        except NotATree as error:
            raise NotATree(0, error.what) from error


class Small(Near):
    """Cannot do deep trees."""

    def encode_trees(self, sizes: IntArray, heads: IntArray) -> Labels:
        if sizes.max(initial=0) > 500:
            raise RecursionError("too deep")
        return super().encode_trees(sizes, heads)


class Brittle(Near):
    """Decodes only what it wrote itself."""

    def decode_heads(self, labels: Labels) -> tuple[IntArray, TreeRepairs]:
        if any(len(row) != 1 for row in labels):
            raise IndexError("no step")
        return super().decode_heads(labels)


@pytest.mark.parametrize("check", encoding_checks(words=3, examples=10), ids=str)
def test_suite_lets_a_sound_tree_encoding_pass(check: Check) -> None:
    check(Near())


@pytest.mark.parametrize(
    ("check", "wrong", "message"),
    [
        ("every_small_graph", Forest(), "decoding gave no tree: word . is on a cycle\n.*labels"),
        ("every_small_graph", Proud(1), "other arcs come back than `covers` says\n.*graph: Graph"),
        ("every_small_graph", Modest(), "other arcs come back than `covers` says"),
        ("every_small_graph", Fussy(), "its own labels needed 1 repairs\n.*graph: Graph"),
        ("random_graphs", Proud(1), "other arcs come back than `covers` says"),
        ("any_labels", Forest(), "decoding gave no tree"),
        ("any_labels", Brittle(), "decoding must never raise, but gave IndexError"),
        ("damaged_labels", Forest(), "decoding gave no tree"),
        ("self_loops", Lenient(), "must raise NotATree: word 2 has no head\n.*graph: Graph"),
        ("self_loops", Vague(), "the second sentence is no tree: word 2 has no head\n.*error: NotATree"),
        ("long_sentence", Small(), "too deep"),
        ("agrees_with_oracle", Proud(1), "the oracle covers other arcs"),
        ("agrees_with_oracle", Near(2), "the oracle gives other labels\n.*graph: Graph"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_suite_catches_wrong_tree_encodings(check: str, wrong: Encoding, message: str) -> None:
    checks = {one.name: one for one in encoding_checks(oracle=Near(1), words=3, examples=40)}
    with pytest.raises((AssertionError, RecursionError), match=message):
        checks[check](wrong)


@pytest.mark.parametrize(
    ("check", "wrong", "message"),
    [
        ("every_small_graph", Loses(), "other arcs come back.*\n.*graph: Graph"),
        ("every_small_graph", Boasts(), "other arcs come back than `covers` says"),
        ("every_small_graph", Repairs(), "its own labels needed 1 repairs\n.*graph: Graph"),
        ("random_graphs", Boasts(), "other arcs come back than `covers` says"),
        ("any_labels", Crashes(), "decoding must never raise, but gave IndexError"),
        ("any_labels", Forgets(), "decoding the same labels again"),
        ("damaged_labels", Unsorted(), "not sorted by"),
        ("inputs_stay_unchanged", Scribbles(), "decode_all changed the labels"),
        ("labels_as_text", Spaces(), "without spaces"),
        ("labels_as_text", Mumbles(), "`parse` does not read back"),
        ("any_text", Careless(), "`parse` must raise InputError"),
        ("batch_equals_single", Solitary(), "`covers` differs between a graph alone and in a batch"),
        ("labels_are_integers", Fractions(), "labels must be integers, not float64"),
        ("labels_are_integers", Bounded(), "`factors`"),
        ("self_loops", Loopless(), "round and round"),
        ("long_sentence", Short(), "too deep"),
        ("has_a_name", Nameless(), "a name is a text without spaces"),
        ("is_a_frozen_value", Unhashable(), "have the same hash.*frozen"),
        ("is_a_frozen_value", Changeable(), "field 'k' can be changed.*frozen"),
        ("agrees_with_oracle", Shifted(), "the oracle gives other labels\n.*graph: Graph"),
        ("agrees_with_oracle", Loses(), "the oracle decodes other arcs"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_suite_catches(check: str, wrong: Encoding, message: str) -> None:
    with pytest.raises((AssertionError, RecursionError), match=message):
        CHECKS[check](wrong)


def test_check_encoding_stops_at_the_first_failure() -> None:
    with pytest.raises(AssertionError, match="other arcs come back"):
        check_encoding(Boasts(), words=2, examples=1)


def test_check_encoding_takes_an_oracle() -> None:
    check_encoding(Absolute(), oracle=oracle(Absolute()), words=2, examples=1)
    with pytest.raises(AssertionError, match="the oracle gives other labels"):
        check_encoding(Absolute(), oracle=oracle(encoding("relative")), words=2, examples=1)


def test_encoding_checks_have_names_of_their_own() -> None:
    names = [str(check) for check in encoding_checks()]
    assert len(set(names)) == len(names) > 10
    assert "agrees_with_oracle" not in names


def test_encoding_checks_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    monkeypatch.delitem(sys.modules, "arctag.testing.random_checks")
    monkeypatch.delattr(arctag.testing, "random_checks")
    with pytest.raises(MissingExtra, match=r"pip install 'arctag\[test\]'"):
        encoding_checks()


def test_testing_exports_what_it_says() -> None:
    assert all(hasattr(arctag.testing, name) for name in arctag.testing.__all__)
