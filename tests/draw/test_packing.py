from __future__ import annotations

from arctag.draw.packing import Part, packed


def test_packing_fills_lines_and_indents_the_later_ones() -> None:
    parts = [Part("one"), Part("two"), Part("three"), Part("four")]
    assert list(packed(parts, 10, gap=1, indent=2)) == ["one two", "  three", "  four"]


def test_packing_splits_what_fits_on_no_line() -> None:
    assert list(packed([Part("abcdefgh")], 4, gap=1)) == ["abcd", "efgh"]
    assert list(packed([Part("图书馆", "\x1b[94m")], 4, gap=1)) == ["\x1b[94m图书\x1b[0m", "\x1b[94m馆\x1b[0m"]


def test_packing_of_nothing_is_nothing() -> None:
    assert list(packed([], 10, gap=1)) == []
