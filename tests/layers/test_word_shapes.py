"""Word shapes: one number for any form."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arctag.layers.word_shapes import SHAPES, shape, shapes

EXAMPLES = {
    "lower case": ["dog", "o'clock", "well-known", "ß", "ªb"],
    "capitalised": ["Dog", "Mr.", "O'clock", "'Tis", "ǅa", "İstanbul", "Straße"],
    "capitals": ["NATO", "U.S.", "AT&T", "ΑΒ"],
    "one capital": ["I", "A.", "(X)", "É", "ǅ"],
    "mixed case": ["iPhone", "McDonald", "TVs", "New-York"],
    "digits": ["7", "1,000.50", "$5", "٣", "10:30"],
    "digits and letters": ["3rd", "B52", "1990s", "MP3"],
    "punctuation": [".", "--", "$", "☺", "", "\u0301"],
    "no case": ["தமிழ்", "中文", "कमल", "שלום"],
}


@pytest.mark.parametrize(("name", "form"), [(name, form) for name in EXAMPLES for form in EXAMPLES[name]])
def test_shapes_by_example(name: str, form: str) -> None:
    assert SHAPES[shape(form)] == name


def test_every_shape_has_an_example() -> None:
    assert list(EXAMPLES) == list(SHAPES)


@given(st.lists(st.text()))
def test_any_form_has_a_shape(forms: list[str]) -> None:
    found = shapes(forms)
    assert found.dtype == np.int64
    assert found.tolist() == [shape(form) for form in forms]
    assert all(0 <= number < len(SHAPES) for number in found.tolist())


@given(st.text("abcdef", min_size=2))
def test_case_changes_the_shape(form: str) -> None:
    assert [SHAPES[number] for number in shapes([form, form.capitalize(), form.upper(), form[0].upper()])] == [
        "lower case", "capitalised", "capitals", "one capital",
    ]  # fmt: skip
