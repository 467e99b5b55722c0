"""The site of the documents in a browser, opened from a folder: searched, accessible, and without a network."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.page.test_page_access import axe, faults
from tests.places import ROOT

pytest.importorskip("sphinx", reason="the site needs Sphinx: pip install '.[docs]'")
pytest.importorskip("nbformat")
sys.path.insert(0, str(ROOT / "docs" / "make"))
from make_site import build, stage

__all__ = ["axe"]  # a fixture
Open = Callable[..., Any]
WCAG = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa")
"""The rules of WCAG 2.1 AA; what axe recommends beside them is up to the theme."""


@pytest.fixture(scope="module")
def site(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site; no browser, no site."""
    folder = tmp_path_factory.mktemp("site")
    stage(folder / "source", run=False)
    assert build(folder / "source", folder / "site") == 0
    return folder / "site"


@pytest.fixture
def open_site(chromium: Any, site: Path) -> Iterator[Open]:
    """Open a page of the site; anything that is not in its folder, and any error, fails the test."""
    contexts: list[Any] = []
    wrong: list[str] = []

    def open_site(name: str, width: int = 1280, dark: bool = False) -> Any:
        context = chromium.new_context(
            viewport={"width": width, "height": 900}, color_scheme="dark" if dark else "light"
        )
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: wrong.append(request.url) if not request.url.startswith("file:") else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(f"file://{site}/{name}")
        return page

    yield open_site
    for context in contexts:
        context.close()
    assert wrong == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("name", ["index", "tutorial", "encodings", "commands", "rest", "experiments/accuracy"])
def test_site_has_no_fault_that_axe_finds(open_site: Open, axe: str, name: str, dark: bool) -> None:
    assert faults(open_site(f"{name}.html", dark=dark), axe, WCAG) == []


@pytest.mark.parametrize("name", ["index", "rest", "encodings"])
def test_site_fits_a_phone(open_site: Open, name: str) -> None:
    page = open_site(f"{name}.html", width=390)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390


def test_site_is_searched_from_a_folder(open_site: Open) -> None:
    page = open_site("index.html")
    page.locator("input.sidebar-search").fill("bracketing")
    page.keyboard.press("Enter")
    page.locator("#search-results a", has_text="Encodings").wait_for()
