from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest

from arctag.draw import html, html_parts
from arctag.sentence import Sentence
from tests.draw.pictured import ALL, ARABIC, HOSTILE, SIMPLE, UNJOINED

_VOID = {"meta", "br"}


class Balanced(HTMLParser):
    """Checks that every element is closed, and collects what the page would load."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.loads: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.loads += [
            value or "" for name, value in attrs if name in ("src", "href") and not str(value).startswith("#")
        ]
        assert not any(name.startswith("on") for name, _ in attrs)
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def checked(page: str) -> Balanced:
    parser = Balanced()
    parser.feed(page)
    assert parser.open == []
    return parser


def test_html_page_is_balanced_and_loads_nothing() -> None:
    page = checked(html(ALL, title="<All>"))
    assert page.loads == []
    assert page.tags.count("section") == page.tags.count("svg") == len(ALL)
    assert page.tags.count("script") == 1
    assert "img" not in page.tags
    assert not re.search(r"url\(|@import|https?://(?!www\.w3\.org/2000/svg)", html(SIMPLE))


def test_html_page_escapes_title_id_and_text() -> None:
    page = html(HOSTILE, title="</title><script>")
    assert "<title>&lt;/title&gt;&lt;script&gt;</title>" in page
    assert "<bdi>&lt;img src=x onerror=alert(2)&gt;</bdi>" in page
    assert "${name}" in page


def test_html_page_counts_what_is_correct_missing_and_extra() -> None:
    page = html(UNJOINED, against=Sentence.from_words(["no", "arcs"]))
    assert "0 correct · 0 relabelled · 0 missing · 0 extra</p>" in page
    both = html([SIMPLE, UNJOINED], against=[SIMPLE, UNJOINED])
    assert "2 sentences: 6 correct" in both
    assert '<p class="counts">' not in html(SIMPLE)


def test_html_page_needs_a_gold_sentence_for_each() -> None:
    with pytest.raises(ValueError, match="shorter"):
        html([SIMPLE, UNJOINED], against=[SIMPLE])


def test_html_page_mirrors_and_scrolls_from_the_right() -> None:
    assert '<div class="picture" tabindex="0" dir="rtl">' in html(ARABIC, direction="rtl")


def test_html_page_is_streamed() -> None:
    drawn = 0

    def sentences() -> Iterator[tuple[Sentence, None]]:
        nonlocal drawn
        for sentence in ALL:
            drawn += 1
            yield sentence, None

    parts = html_parts(sentences())
    next(parts)
    next(parts)
    assert drawn == 1
