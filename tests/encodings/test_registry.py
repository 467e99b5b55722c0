"""Names, options, and an encoding of one's own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arctag.encodings import ENCODINGS, Encoding, SimpleEncoding, encoding, register, standard_names, tree_names
from arctag.encodings.bits4 import Bits4
from arctag.encodings.bits6 import Bits6
from arctag.encodings.brackets import Brackets
from arctag.encodings.hierarchical import Hierarchical
from arctag.encodings.pos_relative import PosRelative
from arctag.encodings.positional import Absolute, Relative
from arctag.errors import InputError, UnknownName
from arctag.testing import check_encoding
from tests.conftest import Run
from tests.encodings.neighbours import Neighbours, registered


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("A", Absolute()), ("absolute", Absolute()), ("R", Relative()), ("relative", Relative()),
        ("B_2", Brackets(2)), ("brackets-2", Brackets(2)), ("B4_3", Bits4(3)), ("bits4-3", Bits4(3)),
        ("B6_4", Bits6(4)), ("bits6-4", Bits6(4)), ("b6_4", Bits6(4)), (" bits6-4 ", Bits6(4)),
        ("P", PosRelative()), ("pos", PosRelative()),
        ("H", Hierarchical()), ("hierarchical", Hierarchical()), ("brackets-12", Brackets(12)),
    ],
)  # fmt: skip
def test_registry_finds_by_name_and_by_the_papers_name(name: str, wanted: Encoding) -> None:
    assert encoding(name) == wanted


@pytest.mark.parametrize("name", [*standard_names(), *tree_names()])
def test_registry_names_lead_back_to_the_encoding(name: str) -> None:
    assert encoding(name).name == name


@pytest.mark.parametrize("name", ["", "nothing", "bits6-4-2", "6bits", "B6 4", "bits-2", "../bits6-4"])
def test_registry_unknown_name_lists_the_known(name: str) -> None:
    with pytest.raises(UnknownName, match=r"Known: absolute, .*bits4-2.*relative"):
        encoding(name)


def test_registry_unknown_name_suggests_the_nearest() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'bits6-4'"):
        encoding("bit6-4")


@pytest.mark.parametrize("name", ["bits6", "brackets", "B4", "bits6-0"])
def test_registry_asks_for_a_number_of_planes(name: str) -> None:
    with pytest.raises(InputError, match="needs a number of planes from 1 to 999"):
        encoding(name)


@pytest.mark.parametrize("name", ["absolute-2", "A_1", "hierarchical-3"])
def test_registry_refuses_a_number_that_means_nothing(name: str) -> None:
    with pytest.raises(InputError, match="takes no number of planes"):
        encoding(name)


def test_registry_passes_options_to_encodings_that_have_them() -> None:
    options = {"crossing": "strict", "planes": "best"}
    assert encoding("brackets-2", **options) == Brackets(2, "strict", "best")
    assert encoding("bits6-2", **options) == Bits6(2, "best")
    assert encoding("absolute", **options) == Absolute()


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("absolute", {"colour": "red"}, "unknown encoding option 'colour'.*crossing, first_null, planes"),
        ("brackets-2", {"crossing": "none"}, "unknown crossing 'none'. Known: relaxed, strict"),
        ("bits6-2", {"planes": "worst"}, "unknown plane assignment 'worst'.*best, greedy"),
        ("bits4-2", {"first_null": "last"}, "unknown first null arc 'last'.*next, root"),
    ],
)
def test_registry_refuses_unknown_options_at_once(name: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(UnknownName, match=message):
        encoding(name, **options)


@pytest.mark.parametrize("make", [Brackets, Bits4, Bits6])
def test_encodings_refuse_less_than_one_plane(make: Any) -> None:
    with pytest.raises(InputError, match="number of planes 0"):
        make(k=0)


@pytest.fixture
def toy() -> Iterator[None]:
    with registered():
        yield


def test_registered_encoding_has_its_name_everywhere(toy: None) -> None:
    assert encoding("toy") == encoding("T") == Neighbours()
    assert "toy" in standard_names()


def test_registered_encoding_conforms(toy: None) -> None:
    check_encoding(encoding("toy"), words=3)


def test_registered_encoding_is_in_the_command_line(toy: None, run: Run, sample: Path) -> None:
    listed = run("encodings")
    assert "toy\tT\t-\tWhether the word before" in listed.text
    assert "toy: Whether" in run("encodings", "toy").text
    found = json.loads(run("diagnose", sample, "--encodings", "toy,absolute", "--json").out)
    assert list(found["encodings"]) == ["toy", "absolute"]
    assert 0 < found["encodings"]["toy"]["coverage"]["UF"] < 100
    assert found["encodings"]["toy"]["labels"] <= 4


def test_registered_encoding_is_in_the_benchmark(toy: None, run: Run, sample: Path) -> None:
    found = json.loads(run("bench", "encodings", sample, "--encodings", "toy", "--json").out)
    assert set(found["encodings"]["toy"]) == {"encode_tokens_per_s", "decode_tokens_per_s"}


def test_registered_encoding_is_gone_afterwards() -> None:
    with registered():
        assert "toy" in ENCODINGS
    with pytest.raises(UnknownName):
        encoding("toy")


@pytest.mark.parametrize("name", ["Toy", "to-y", "2toy", "", "toy 2"])
def test_register_refuses_names_the_command_line_could_not_take(name: str) -> None:
    with pytest.raises(InputError, match="lower-case letters and digits"):
        register(name, Neighbours)


@pytest.mark.parametrize(("name", "paper"), [("absolute", ""), ("mine", "A"), ("mine", "B6")])
def test_register_refuses_names_that_are_taken(name: str, paper: str) -> None:
    with pytest.raises(InputError, match="taken"):
        register(name, Neighbours, paper)


def test_register_refuses_what_is_no_dataclass() -> None:
    """Else every later look-up of any name would fail on it."""
    with pytest.raises(InputError, match="@dataclass"):
        register("plain", SimpleEncoding)  # type: ignore[type-abstract]
    assert "plain" not in ENCODINGS


def test_register_refuses_numbers_of_planes_without_a_field_for_them() -> None:
    with pytest.raises(InputError, match="needs a field `k`"):
        register("plain", Neighbours, ks=(2, 3))
    assert "plain" not in ENCODINGS


@pytest.mark.parametrize("number", ["0", "1000", "9" * 30])
def test_registry_says_how_many_planes_there_may_be(number: str) -> None:
    with pytest.raises(InputError, match=f"number of planes from 1 to 999, such as bits6-2; found {number[:20]}"):
        encoding(f"bits6-{number}")
    assert encoding("bits6-999").name == "bits6-999"
