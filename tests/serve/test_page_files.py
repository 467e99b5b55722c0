"""The files of the page: checked, small, and all of them needed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from arctag.serve.app import PAGE

MODULES = sorted((PAGE / "js").rglob("*.js"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PAGE)))
def test_page_files_are_checked_and_small(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "// @ts-check"
    assert lines[1].startswith("// ")  # what it is for
    assert len(lines) <= 300


def test_page_files_are_all_needed() -> None:
    """Each module is imported by another, or named by the page."""
    index = (PAGE / "index.html").read_text(encoding="utf-8")
    named = {PAGE / "js" / name for name in re.findall(r"static/js/([\w/]+\.js)", index)}
    for path in MODULES:
        source = path.read_text(encoding="utf-8")
        named |= {(path.parent / name).resolve() for name in re.findall(r'from "(\.[^"]+\.js)"', source)}
    assert [str(path) for path in MODULES if path not in named] == []
    sheets = re.findall(r"static/css/([\w]+\.css)", index)
    assert sorted(sheets) == sorted(path.name for path in (PAGE / "css").iterdir() if path.name != "docs.css")


def test_page_files_take_nothing_from_elsewhere() -> None:
    for path in PAGE.rglob("*"):
        if path.suffix in (".js", ".css", ".html"):
            found = re.findall(r"https?://[^\s\"')]+", path.read_text(encoding="utf-8"))
            assert [url for url in found if url != "http://www.w3.org/2000/svg"] == [], path
