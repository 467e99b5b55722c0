"""The tutorial notebook runs in a kernel, as it does in Jupyter, and shows what it says."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from tests.places import ROOT

pytest.importorskip("ipykernel", reason="the notebook needs a kernel: pip install '.[docs]'")
nbformat = pytest.importorskip("nbformat")
pytest.importorskip("torch", reason="the notebook trains a parser")
pytest.importorskip("pandas")
sys.path.insert(0, str(ROOT / "docs" / "make"))
from make_tutorial import execute  # noqa: E402

NOTEBOOK = ROOT / "docs" / "tutorial.ipynb"


@pytest.fixture(scope="module")
def book() -> Any:
    book = nbformat.read(NOTEBOOK, 4)
    execute(book)  # an error in a cell ends it
    return book


def outputs(book: Any) -> list[Any]:
    return [output for cell in book.cells if cell.cell_type == "code" for output in cell.outputs]


def html(book: Any) -> list[str]:
    return [output["data"]["text/html"] for output in outputs(book) if "text/html" in output.get("data", {})]


@pytest.mark.filterwarnings("default")  # those of Jupyter
def test_tutorial_runs_and_draws(book: Any) -> None:
    pictures = [text for text in html(book) if 'class="arctag"' in text]
    assert len(pictures) == 4
    assert "missing" in pictures[2]  # the comparison
    assert sum("<progress" in text for text in html(book)) >= 1
    assert sum("<caption>" in text for text in html(book)) == 2


@pytest.mark.filterwarnings("default")
def test_tutorial_prints_no_warning(book: Any) -> None:
    errors = [output.text for output in outputs(book) if output.output_type == "stream" and output.name == "stderr"]
    assert errors == []


def test_tutorial_is_kept_without_outputs() -> None:
    """They would differ from machine to machine; the site shows them."""
    for cell in nbformat.read(NOTEBOOK, 4).cells:
        if cell.cell_type == "code":
            assert (cell.outputs, cell.execution_count) == ([], None)
