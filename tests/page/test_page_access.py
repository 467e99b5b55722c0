"""For everyone: dark colours, small screens, keys alone, readers of the page aloud; and nothing from elsewhere."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.page.conftest import Open
from tests.page.helpers import set_view, settled
from tests.places import ROOT

VIEWS = {
    "parse": "#parse?t=She+wants+to+leave%2C+but+the+cat+that+I+fed+still+sleeps.",
    "probabilities": "#parse?p=1&t=The+kettle+sings.",
    "tree": "#parse?v=tree&u=graph&t=The+kettle+sings.",
    "browse": "#browse",
    "compare": "#browse?x=1&i=4",
    "search": "#browse?x=1&q=%5B%5D+%3Ensubj+%5B%5D&k=pattern",
    "lesson": "#encodings?e=bits4-2&x=sharing",
    "step": "#encodings?e=brackets-2&x=figure&s=4",
    "no tree": "#encodings?e=hexatag&x=two-heads",
}


def opened(page: Any, view: str) -> None:
    page.locator(".welcome" if view == "browse" else ".picture .word").first.wait_for()
    settled(page)


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core: as installed in tools/, or the file that `ARCTAG_AXE` names."""
    path = Path(os.environ.get("ARCTAG_AXE") or ROOT / "tools" / "node_modules" / "axe-core" / "axe.min.js")
    if not path.is_file():
        pytest.skip(f"axe-core is not installed: {path} not found (make page-tools)")
    return path.read_text("utf-8")


def faults(page: Any, axe: str, only: tuple[str, ...] = ()) -> list[tuple[str, str, str]]:
    """What axe finds, of whatever impact; `only` restricts it to rules with these tags."""
    page.evaluate(axe)
    options = {"resultTypes": ["violations"], **({"runOnly": list(only)} if only else {})}
    found = page.evaluate("(options) => axe.run(document, options)", options)
    return [(fault["id"], fault["impact"], fault["nodes"][0]["html"][:200]) for fault in found["violations"]]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("view", VIEWS)
def test_page_has_no_fault_that_axe_finds(open_page: Open, axe: str, view: str, dark: bool) -> None:
    page = open_page(VIEWS[view], dark=dark)
    opened(page, view)
    assert faults(page, axe) == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_page_has_no_fault_that_axe_finds_in_what_opens(open_page: Open, axe: str, dark: bool) -> None:
    """Menus, lists, tooltips, errors, tables, notifications."""
    page = open_page(VIEWS["parse"], dark=dark, refused=True)
    opened(page, "parse")
    page.locator(".word[data-word='2']").hover()
    assert faults(page, axe) == []
    for menu in ("View", "Guarantees", "Save all"):
        page.locator("summary", has_text=menu).click()
        assert faults(page, axe) == [], menu
        page.keyboard.press("Escape")
    set_view(page, "List", "Lemmas", "Compact")
    assert faults(page, axe) == []
    page.get_by_label("Text to parse").fill("Ich habe die ganze Nacht nicht geschlafen und bin müde.")
    settled(page)
    assert faults(page, axe) == []
    page.goto(page.url.split("#")[0] + VIEWS["compare"])
    opened(page, "compare")
    page.locator(".confusions summary").click()
    page.locator("summary", has_text="Examples").click()
    assert faults(page, axe) == []
    page.keyboard.press("Escape")
    page.get_by_label("Find", exact=True).select_option(label="Pattern")
    page.get_by_label("Search", exact=True).fill("[x")
    page.locator(".search-row .field-error").wait_for()
    page.evaluate("async () => (await import('/static/js/ui/toast.js')).notify('Something', true)")
    assert faults(page, axe) == []
    page.route("**/api/*", lambda route: route.abort())
    page.goto(page.url.split("#")[0] + VIEWS["lesson"])
    page.locator(".connection").wait_for()
    assert faults(page, axe) == []


def test_page_docs_have_no_fault_that_axe_finds(open_page: Open, axe: str, address: str) -> None:
    page = open_page()
    page.goto(f"{address}/docs")
    page.locator("section").first.wait_for()
    assert faults(page, axe) == []


@pytest.mark.parametrize("view", VIEWS)
def test_page_fits_a_phone(open_page: Open, view: str) -> None:
    page = open_page(VIEWS[view], width=360, height=740)
    opened(page, view)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
    small = page.evaluate(
        "() => [...document.querySelectorAll('main button, main select, main summary, .masthead a')]"
        ".filter(one => one.checkVisibility()).map(one => [one.textContent, one.getBoundingClientRect().height])"
        ".filter(([, height]) => height < 24)"
    )
    assert small == []


def test_page_follows_the_system_and_the_button(open_page: Open) -> None:
    page = open_page(VIEWS["parse"], dark=True)
    opened(page, "parse")
    theme = "() => document.documentElement.dataset.theme"
    assert page.evaluate(theme) == "dark"
    page.emulate_media(color_scheme="light")
    page.locator("html[data-theme=light]").wait_for()
    page.get_by_role("button", name="Dark colours").click()
    assert page.evaluate(theme) == "dark"
    page.reload()
    assert page.evaluate(theme) == "dark"
    page.emulate_media(color_scheme="dark")
    page.get_by_role("button", name="Dark colours").click()
    page.get_by_role("button", name="Dark colours").click()
    page.emulate_media(color_scheme="light")  # what equals the system's choice follows the system again
    page.locator("html[data-theme=light]").wait_for()


def test_page_is_drawn_light_in_files_even_when_dark(open_page: Open, tmp_path: Path) -> None:
    page = open_page(VIEWS["parse"], dark=True)
    opened(page, "parse")
    page.get_by_label("Save sentence 1").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Download SVG").click()
    saved.value.save_as(tmp_path / "picture.svg")
    assert 'fill="#ffffff"' in (tmp_path / "picture.svg").read_text("utf-8")


def test_page_can_be_reached_with_tab(open_page: Open) -> None:
    page = open_page(VIEWS["parse"])
    opened(page, "parse")
    reached = []
    for _ in range(25):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("() => document.activeElement.id || document.activeElement.className"))
    for wanted in ("skip", "brand", "theme", "text", "scroller shape-wrap"):
        assert wanted in reached
    assert reached.count("scroller shape-wrap") == 1  # a graph of any length is one stop


def test_page_skips_to_its_content(open_page: Open) -> None:
    page = open_page(VIEWS["compare"])
    opened(page, "compare")
    page.locator(".skip").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("() => document.activeElement.id") == "view"
    assert "#browse" in page.url


def test_page_goes_back_and_forth(open_page: Open) -> None:
    page = open_page(VIEWS["parse"])
    opened(page, "parse")
    page.get_by_role("link", name="Encodings").click()
    page.locator(".board .word").first.wait_for()
    page.get_by_role("button", name="One step back").click()
    page.get_by_role("link", name="Browse").click()
    page.locator(".welcome").wait_for()
    page.go_back()
    page.locator(".board .word").first.wait_for()
    assert page.locator(".player .where").text_content() != "done"
    page.get_by_role("link", name="Parse", exact=True).click()
    page.locator(".sentence").wait_for()
    assert page.get_by_label("Text to parse").input_value().startswith("She wants to leave, but")


def test_page_loads_nothing_from_elsewhere(open_page: Open, address: str) -> None:
    page = open_page(VIEWS["parse"])
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.reload()
    opened(page, "parse")
    for view in ("compare", "lesson"):
        page.goto(f"{address}/{VIEWS[view]}")
        opened(page, view)
    assert len(asked) > 20
    assert [url for url in asked if not url.startswith((address, "blob:"))] == []
