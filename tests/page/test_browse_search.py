"""Searching a treebank on the page: what is found, where it is marked, what is said of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import arctag
from arctag.search import search
from tests.page.conftest import Open
from tests.page.helpers import at, find, open_file, put, settled, text, where, whole


def found(page: Any) -> str:
    told: str = page.locator(".found-count").text_content()
    return told


def test_page_searches_a_treebank(open_page: Open) -> None:
    page = open_page("#browse?x=1")
    whole(page)
    assert where(page) == "1 of 6"
    find(page, "Word", "CAT")
    assert (where(page), text(page)) == ("1 of 1", "The cat that I fed purred.")
    assert page.locator(".panel-place .word.found > text").first.text_content() == "cat"
    assert page.locator(".row mark").all_text_contents() == ["cat"]
    assert found(page) == "1 match in 1 sentence"
    find(page, "Relation", "nsubj")
    assert where(page).endswith(" of 6")
    find(page, "Relation", "nsubj:xsubj")
    at(page, "1 of 1")
    shown = text(page)
    find(page, "Relation", "")
    at(page, "2 of 6")
    assert text(page) == shown  # what is shown stays, as long as it can
    page.get_by_label("Planes").select_option("2")
    assert where(page) == "1 of 2"
    page.get_by_label("Planes").select_option("0")
    page.get_by_label("Cyclic").check()
    assert text(page) == "The cat that I fed purred."
    find(page, "Word", "nothing")
    page.get_by_text("No sentence matches the search.").wait_for()
    assert found(page) == "0 matches in 0 sentences"


@pytest.mark.parametrize(
    ("kind", "typed", "pattern"),
    [
        ("Word", "the", "the"),
        ("Word", "the cat", "the cat"),
        ("Word", "/^[aeiou]/", "/^[aeiou]/"),
        ("Lemma", "be", "lemma=be"),
        ("Tag", "NOUN|PROPN", "tag=NOUN|PROPN"),
        ("Relation", "obl:*", "rel=obl:*"),
        ("Sentence id", "sample-0", "sent_id=*sample-0*"),
        ("Text", "to leave.", "text=/to leave\\./i"),
        ("Pattern", "[upos=VERB] >nsubj []", "[upos=VERB] >nsubj []"),
        ("Pattern", "a:[] > b:[]; a !>@tree b", "a:[] > b:[]; a !>@tree b"),
    ],
)
def test_page_finds_what_the_command_line_finds(
    open_page: Open, sample: Path, kind: str, typed: str, pattern: str
) -> None:
    page = open_page("#browse")
    open_file(page, sample)
    find(page, kind, typed)
    matches = list(search(arctag.read(sample), pattern))
    sentences = len({match.sentence.id for match in matches})
    assert matches
    expected = f"{len(matches)} match{'es' * (len(matches) > 1)} in {sentences} sentence{'s' * (sentences > 1)}"
    assert found(page) == expected
    assert where(page).endswith(f" of {sentences}")


def test_page_marks_the_arcs_that_are_found(open_page: Open, sample: Path) -> None:
    page = open_page("#browse")
    open_file(page, sample)
    find(page, "Pattern", "[form=leave] >nsubj:xsubj []")
    assert page.locator(".panel-place .found-arc .label").all_text_contents() == ["nsubj:xsubj"]
    assert page.locator(".panel-place .word.found").count() == 2


def test_page_searches_the_graph_that_is_shown(open_page: Open, sample: Path) -> None:
    page = open_page("#browse")
    open_file(page, sample)
    find(page, "Relation", "nsubj:xsubj")
    assert found(page).endswith("in 4 sentences") or "matches" in found(page)
    page.get_by_label("Tree", exact=True).check()
    page.locator(".found-count", has_text="0 matches in 0 sentences").wait_for()


def test_page_says_what_is_wrong_with_a_pattern_beside_it(open_page: Open, sample: Path) -> None:
    page = open_page("#browse", refused=True)
    open_file(page, sample)
    page.get_by_label("Find", exact=True).select_option(label="Pattern")
    field = page.get_by_label("Search", exact=True)
    field.fill("[upos=VERB")
    field.press("Enter")
    page.locator(".search-row .field-error", has_text="character 11: a [ is not closed").wait_for()
    assert field.get_attribute("aria-invalid") == "true"
    assert where(page).endswith(" of 34")  # nothing is searched for
    find(page, "Pattern", "[upos=VERB]")
    assert page.locator(".search-row .field-error").is_hidden()
    assert field.get_attribute("aria-invalid") is None


def test_page_offers_examples_of_patterns(open_page: Open, sample: Path) -> None:
    page = open_page("#browse")
    open_file(page, sample)
    page.locator("summary", has_text="Examples").click()
    page.get_by_role("button", name="[lemma=want] >xcomp [upos=VERB]").click()
    page.locator(".found-count", has_text="1 match in 1 sentence").wait_for()
    assert page.get_by_label("Find", exact=True).input_value() == ""
    assert text(page) == "She wants to leave."


def test_page_searches_in_several_requests(open_page: Open, tmp_path: Path, sample: Path) -> None:
    many = put(tmp_path / "many.conllu", sample.read_text("utf-8") * 40)
    page = open_page("#browse")
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    open_file(page, many)
    find(page, "Word", "kettle")
    assert len([url for url in requests if url.endswith("api/search")]) > 1
    assert found(page) == "40 matches in 40 sentences"


def test_page_brings_what_is_found_into_sight(open_page: Open, tmp_path: Path) -> None:
    rows = "".join(f"{i}\tword{i}\t_\t_\t_\t_\t{i - 1}\tdep\t{i - 1}:dep\t_\n" for i in range(1, 121))
    page = open_page("#browse")
    open_file(page, put(tmp_path / "long.conllu", rows + "\n"))
    page.locator(".panel-place .look-menu summary").click()
    page.get_by_label("One line", exact=True).check()
    page.keyboard.press("Escape")
    find(page, "Word", "word110")
    settled(page)
    page.wait_for_function("() => document.querySelector('.panel-place .scroller').scrollLeft > 1000")
    box, word = (page.locator(where).bounding_box() for where in (".panel-place .scroller", ".panel-place .word.found"))
    assert box["x"] <= word["x"] <= box["x"] + box["width"]
    assert page.locator(".row-text").text_content().startswith("… word107 word108 word109 word110")


def test_page_keeps_a_search_in_its_link(open_page: Open, sample: Path) -> None:
    page = open_page("#browse?x=1")
    whole(page)
    find(page, "Pattern", "[] >nsubj []")
    page.wait_for_url("**k=pattern*")
    again = open_page(page.url[page.url.index("#") :])
    whole(again)
    again.locator(".found-count", has_text=found(page)).wait_for()
    assert again.get_by_label("Search", exact=True).input_value() == "[] >nsubj []"
