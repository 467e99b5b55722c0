"""What tests of the page do again and again: wait, open files, search, answer in place of the service."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any


def settled(page: Any) -> None:
    """Wait until what the page shows is no longer about to change."""
    page.wait_for_function("() => !document.querySelector('[aria-busy]') && document.fonts.status === 'loaded'")


def parsed(page: Any, sentences: int) -> None:
    """Wait until there are so many sentences, the first of them drawn, and nothing is under way."""
    page.wait_for_function(
        "n => document.querySelectorAll('.sentence').length === n && !document.querySelector('[aria-busy]')"
        " && (n === 0 || document.querySelector('.sentence .picture') !== null)",
        arg=sentences,
    )


def type_text(page: Any, text: str, sentences: int) -> None:
    """Type, and wait for the graphs of this text: those of the one before may be as many."""
    page.get_by_label("Text to parse").fill(text)
    shown = "start => (document.querySelector('.sentence-text')?.textContent ?? '').startsWith(start)"
    page.wait_for_function(shown, arg=text[:8])
    parsed(page, sentences)


def words(page: Any) -> list[str]:
    """The words of all pictures of parsed sentences."""
    found: list[str] = page.locator(".sentence .word > text:not(.note)").all_text_contents()
    return found


def labels(page: Any, place: str = ".sentence") -> list[str]:
    """The labels of all arcs, sorted."""
    found: list[str] = page.locator(f"{place} .arc .label").all_text_contents()
    return sorted(found)


def arc(head: int, dependent: int, name: str) -> dict[str, Any]:
    """An arc as the service gives it."""
    return {"head": head, "dependent": dependent, "relations": [name]}


def tree(*heads: tuple[int, str]) -> list[dict[str, Any]]:
    """A basic tree as the service gives it."""
    return [{"head": head, "relation": relation} for head, relation in heads]


def answer_with(page: Any, *sentences: dict[str, Any]) -> None:
    """Let the service parse every text to these sentences."""
    rows = [{"id": "s", "rows": "", **sentence} for sentence in sentences]
    page.route("**/api/parse", lambda route: route.fulfill(json={"sentences": rows, "skipped": []}))


def set_view(page: Any, *names: str, place: str = "") -> None:
    """Choose options in the View menu, by their labels, and close it."""
    menu = page.locator(f"{place} .look-menu summary:visible")
    menu.click()
    for name in names:
        page.get_by_label(name, exact=True).check()
    menu.press("Escape")


def choose_file(page: Any, button: str, path: Path | Sequence[Path]) -> None:
    """Choose a file with a button."""
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name=button).click()
    chooser.value.set_files(path)


def open_file(page: Any, path: Path) -> None:
    """Choose a file, and wait until all of it is read."""
    choose_file(page, "Choose a file", path)
    whole(page)


def whole(page: Any) -> None:
    """Wait until the treebank is read and a sentence is shown."""
    page.locator(".treebank").wait_for()  # which is hidden, with its progress bar, before a file is opened
    page.locator(".bank-head > progress").wait_for(state="hidden")
    page.locator(".panel-place > :visible").first.wait_for()


def where(page: Any) -> str:
    """Which sentence is shown: '2 of 34'."""
    found: str = page.locator(".pager .where").text_content()
    return found


def at(page: Any, told: str) -> None:
    """Wait until that sentence is shown."""
    page.wait_for_function("told => document.querySelector('.pager .where')?.textContent === told", arg=told)


def text(page: Any) -> str:
    """The text of the sentence that is shown."""
    found: str = page.locator(".panel-place .sentence-text").text_content()
    return found


def find(page: Any, kind: str, what: str) -> None:
    """Search, and wait until the search is done."""
    page.get_by_label("Find", exact=True).select_option(label=kind)
    page.get_by_label("Search", exact=True).fill(what)
    page.get_by_label("Search", exact=True).press("Enter")
    if what:
        told = "document.querySelector('.found-count').textContent"
        page.wait_for_function(f"() => /^[\\d,]+ match(es)? in [\\d,]+ sentences?$/.test({told})")


def put(path: Path, content: str | bytes) -> Path:
    """Write a file, and give its path."""
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path
