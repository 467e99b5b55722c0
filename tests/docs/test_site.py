"""The site: every page is in it, every link leads somewhere, nothing is loaded from a network."""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.places import ROOT

pytest.importorskip("sphinx", reason="the site needs Sphinx: pip install '.[docs]'")
pytest.importorskip("myst_parser")
pytest.importorskip("nbformat")
sys.path.insert(0, str(ROOT / "docs" / "make"))
from make_site import CONTENTS, build, moved, stage

_LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}


class _Page(HTMLParser):
    """The links and anchors of a page, and what it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if given.get("id"):
            self.anchors.add(str(given["id"]))
        if tag == "a" and given.get("href"):
            self.links.append(str(given["href"]))
        if tag in _LOADED and given.get(_LOADED[tag]):
            self.loaded.append(str(given[_LOADED[tag]]))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    stage(folder / "source", run=False)
    assert build(folder / "source", folder / "site") == 0  # any warning of Sphinx is an error
    return folder / "site"


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, _Page]:
    return {path: _Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}


def test_site_has_every_page(site: Path) -> None:
    named = {name for names in CONTENTS.values() for name in names}
    written = {path.relative_to(ROOT / "docs").with_suffix("").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert written - {"search"} <= named
    assert [name for name in named if not (site / f"{name}.html").is_file()] == []
    assert (site / "search.html").is_file()


def test_site_links_lead_somewhere(site: Path, pages: dict[Path, _Page]) -> None:
    dead = []
    for path, page in pages.items():
        for link in {*page.links, *page.loaded}:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            anchors = pages[target].anchors if target in pages else None
            known = not parts.fragment or anchors is None or unquote(parts.fragment) in anchors
            if not target.exists() or not known:
                dead.append(f"{path.relative_to(site)}: {link}")
    assert dead == []


def test_site_loads_nothing_from_a_network(site: Path, pages: dict[Path, _Page]) -> None:
    assert [url for page in pages.values() for url in page.loaded if urlsplit(url).netloc] == []
    for sheet in site.rglob("*.css"):
        assert re.findall(r"(?:@import|url\()\s*['\"]?(?:https?:)?//", sheet.read_text(encoding="utf-8")) == []


def test_site_search_knows_the_words_of_pages(site: Path) -> None:
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    assert '"hierarch"' in index
    assert '"nsubj' in index


def test_site_links_are_those_of_the_project() -> None:
    text = "[a](docs/parsing.md#x) [b](LICENSE) [c](#d) [e](https://f.org) [![g](docs/images/page.png)](docs/search.md)"
    assert moved(text, "README.md") == (
        "[a](parsing.md#x) b [c](#d) [e](https://f.org) [![g](images/page.png)](searching.md)"
    )
    assert moved("[a](../../README.md) [b](../experiments.md#c)", "docs/experiments/cost.md") == (
        "[a](../index.md) [b](../experiments.md#c)"
    )
    assert moved("[a](../CHANGELOG.md#b)", "docs/python.md") == "[a](changelog.md#b)"
