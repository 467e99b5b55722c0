"""The service's page checks labels before it sends them; it refuses what `parse` refuses."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arctag.encodings import Labels, encoding
from arctag.errors import InputError
from arctag.testing.graphs import every_graph
from tests.encodings.all_encodings import names
from tests.javascript import load

CHECKED = [name for name in names(1, 3) if name != "hierarchical"]  # which the service alone checks
TEXTS = st.text("()-,.\\></*01256", max_size=9)


@pytest.fixture(scope="module")
def page() -> Any:
    return load("lesson/checks")


def refused(page: Any, name: str, text: str) -> bool:
    family, _, planes = name.partition("-")
    return bool(page("labelFault", text, family, int(planes or 1), name))


@pytest.mark.parametrize("name", CHECKED)
def test_page_labels_of_graphs_are_accepted(name: str, page: Any) -> None:
    enc = encoding(name)
    labels: Labels = enc.encode_all(every_graph(3))
    assert not any(refused(page, name, text) for text in {enc.format(row) for row in labels})


@pytest.mark.parametrize("name", CHECKED)
@given(text=TEXTS)
def test_page_labels_are_refused_as_parse_refuses_them(name: str, text: str, page: Any) -> None:
    try:
        encoding(name).parse(text)
    except InputError:
        assert refused(page, name, text)
    else:
        assert not refused(page, name, text)
