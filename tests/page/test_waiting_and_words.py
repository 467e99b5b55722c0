"""What the page says while one waits, and when something cannot be done."""

from __future__ import annotations

from typing import Any

import pytest

from tests.page.conftest import Open, settled
from tests.page.test_browse_view import text, where, whole
from tests.page.test_parse_view import parsed


def hold(page: Any, path: str) -> None:
    """Let requests wait until `unroute` lets them go."""
    page.route(f"**/{path}", lambda _: None)


def test_page_marks_the_lesson_before_as_old(open_page: Open) -> None:
    page = open_page("#encodings?e=bits6-2&x=tree")
    settled(page)
    hold(page, "api/encode")
    page.get_by_label("Example").select_option("cycle")
    page.get_by_text("working …").wait_for()
    assert page.locator(".board").get_attribute("aria-busy") == "true"
    assert page.locator(".transport button:enabled, .transport input:enabled").count() == 0
    page.keyboard.press("ArrowLeft")
    assert page.locator(".transport .where").text_content() == "done"
    page.unroute("**/api/encode")
    settled(page)
    assert page.get_by_text("working …").is_hidden()
    assert page.get_by_label("Play").is_enabled()
    assert page.locator(".board .word", has_text="purred").count() == 1


def test_page_marks_the_graphs_before_as_old(open_page: Open) -> None:
    page = open_page("#parse?t=The+kettle+sings.")
    parsed(page, 1)
    hold(page, "api/parse")
    page.get_by_label("Text to parse").fill("She left.")
    page.locator(".results.stale").wait_for()
    assert page.locator(".status").text_content() == "parsing …"
    page.unroute("**/api/parse")
    parsed(page, 1)
    assert page.locator(".results.stale").count() == 0
    assert "She left." in page.locator(".sentence-text").text_content()


def test_page_keeps_sentence_and_search_in_the_address(open_page: Open) -> None:
    page = open_page("#browse?x=1")
    whole(page)
    page.get_by_label("Relation").fill("nsubj")
    page.wait_for_url("**r=nsubj")
    page.get_by_label("Planes").select_option("2")
    page.get_by_role("button", name="Next sentence").click()
    shown = (where(page), text(page))
    again = open_page(page.url[page.url.index("#") :])
    whole(again)
    again.get_by_label("Relation").wait_for()
    again.wait_for_function("told => document.querySelector('.pager .where').textContent === told", arg=shown[0])
    assert (where(again), text(again)) == shown
    assert again.get_by_label("Relation").input_value() == "nsubj"


@pytest.mark.parametrize(
    ("hash", "told"),
    [
        ("#nonsense", "There is no view “nonsense”"),
        ("#encodings?e=bits9-99", "encoding “bits9-99”"),
        ("#encodings?e=bits6-99", "encoding “bits6-99”"),
        ("#encodings?x=nothing", "example “nothing”"),
        ("#browse?x=1&i=99", "sentence 99"),
        ("#browse?f=7", "no file 7"),
    ],
)
def test_page_says_what_a_link_asks_for_in_vain(open_page: Open, hash: str, told: str) -> None:
    open_page(hash).locator(".toast", has_text=told).wait_for()


@pytest.mark.parametrize("hash", ["#encodings?e=bits6-2", "#encodings?e=absolute", "#browse?x=1&i=2", "#parse", ""])
def test_page_is_silent_where_a_link_is_right(open_page: Open, hash: str) -> None:
    page = open_page(hash)
    settled(page)
    assert page.locator(".toast").count() == 0


def test_page_says_why_an_arc_cannot_be_drawn(open_page: Open) -> None:
    page = open_page("#encodings?e=bits6-2&x=tree")
    settled(page)
    arcs = page.locator(".board [data-arc]").count()
    page.locator(".board").focus()
    for key in ("ArrowRight", "Enter", "ArrowRight"):
        page.keyboard.press(key)
    assert page.locator(".board-hint").text_content() == "Head: The. Dependent: old? Enter to draw."
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    page.locator(".toast", has_text="“The” cannot be its own head").wait_for()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    page.locator(".toast", has_text="The root has no head").wait_for()
    box = page.locator(".board .word[data-word='2'] > text").first.bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(box["x"] + 40, box["y"] - 30)
    page.mouse.move(box["x"] + 6, box["y"] + 5)
    page.mouse.up()
    page.locator(".toast", has_text="“old” cannot be its own head").wait_for()
    assert page.locator(".board [data-arc]").count() == arcs


def test_page_says_that_there_must_be_words(open_page: Open) -> None:
    page = open_page("#encodings?e=bits6-2&x=tree")
    settled(page)
    page.get_by_label("Words", exact=True).fill("  ")
    page.get_by_label("Words", exact=True).press("Enter")
    page.locator(".toast", has_text="at least one word").wait_for()
    assert page.get_by_label("Words", exact=True).input_value().startswith("The old cat")


@pytest.mark.parametrize(
    ("name", "label", "good"),
    [
        ("bits6-2", "110", "110001.000000"),
        ("bits4-2", "11", "1101.0000"),
        ("brackets-1", "<*", "</"),
        ("absolute", "4", "(4)"),
        ("relative", "x", "(-1,2)"),
    ],
)
def test_page_knows_labels_before_it_asks(open_page: Open, name: str, label: str, good: str) -> None:
    page = open_page(f"#encodings?e={name}&x=tree")  # an answer of 400 would fail the test
    settled(page)
    page.locator(".board .word[data-word='2']").click()
    field = page.get_by_label("Label of word 2")
    field.fill(label)
    field.press("Enter")
    page.get_by_role("alert").filter(has_text=f"“{label}” is not a label of {name}").wait_for()
    field.fill(good)
    field.press("Enter")
    page.get_by_role("alert").wait_for(state="hidden")
    page.get_by_role("button", name="Restore labels").wait_for()


def test_page_does_not_ask_for_steps_of_long_sentences(open_page: Open) -> None:
    page = open_page("#encodings?e=bits6-2&x=tree")
    settled(page)
    page.get_by_label("Words", exact=True).fill(" ".join(["word"] * 201))
    page.get_by_label("Words", exact=True).press("Enter")
    page.get_by_text("at most 200 words").wait_for()


def test_page_says_what_bits6_calls_a_plane(open_page: Open) -> None:
    page = open_page("#encodings?e=bits6-2&x=crossing")
    settled(page)
    assert "such a pair is one plane" in page.locator(".about").text_content()
    assert "plane 1 →←" in page.locator(".board").text_content()
    assert page.locator(".stepper").text_content().startswith("Pairs of planes")
