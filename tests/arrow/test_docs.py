"""The page about tables, docs/arrow.md, shows what happens."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Run
from tests.documents import run_page
from tests.places import ROOT


def test_docs_of_tables_show_what_happens(run: Run, examples_folder: Path) -> None:
    pytest.importorskip("duckdb")
    pytest.importorskip("pandas")
    assert run_page(ROOT / "docs" / "arrow.md", run) > 8
