"""The page about tables, docs/arrow.md, shows what happens."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.documents import run_page
from tests.places import ROOT


def test_docs_query_from_a_shell(run: Run, sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    duckdb = pytest.importorskip("duckdb")
    monkeypatch.chdir(tmp_path)
    assert run("convert", sample, "train.parquet").code == 0
    page = (ROOT / "docs" / "arrow.md").read_text(encoding="utf-8")
    (query,) = re.findall(r'^duckdb -c "(.*)"$', page, re.MULTILINE)
    assert duckdb.sql(query).fetchall()[:3] == [("punct", 46), ("nsubj", 39), ("root", 34)]


def test_docs_of_tables_show_what_happens(run: Run, examples_folder: Path) -> None:
    pytest.importorskip("duckdb")
    pytest.importorskip("pandas")
    assert run_page(ROOT / "docs" / "arrow.md", run) > 8
