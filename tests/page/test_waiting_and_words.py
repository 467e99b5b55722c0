"""What the page says while one waits, and when something cannot be done."""

from __future__ import annotations

from typing import Any

import pytest

from tests.page.conftest import Open
from tests.page.helpers import at, find, parsed, settled, text, type_text, where, whole


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
    find(page, "Relation", "nsubj")
    page.get_by_label("Planes").select_option("2")
    page.get_by_role("button", name="Next sentence").click()
    page.wait_for_url("**q=nsubj*")
    shown = (where(page), text(page))
    again = open_page(page.url[page.url.index("#") :])
    whole(again)
    at(again, shown[0])
    assert (where(again), text(again)) == shown
    assert again.get_by_label("Search", exact=True).input_value() == "nsubj"
    assert again.get_by_label("Find", exact=True).input_value() == "rel"


@pytest.mark.parametrize(
    ("hash", "told"),
    [
        ("#nonsense", "There is no view “nonsense”"),
        ("#encodings?e=bits9-99", "encoding “bits9-99”"),
        ("#encodings?e=bits6-99", "encoding “bits6-99”"),
        ("#encodings?x=nothing", "example “nothing”"),
        ("#browse?x=1&i=99", "sentence 99"),
        ("#browse?f=7", "no file 7"),
        ("#browse?i=50", "sentence 50 of a treebank that is not open"),
        ("#parse?m=nomodel", "There is no model “nomodel”; tiny is used."),
        ("#encodings?x=tree&s=abc", "step “abc”"),
        ("#parse?z=notpacked", "The link is damaged"),
        ("#encodings?g=notpacked", "The link is damaged"),
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
    field = page.get_by_label("Words", exact=True)
    field.fill("  ")
    field.press("Enter")
    page.locator(".source .field-error", has_text="at least one word").wait_for()
    assert field.get_attribute("aria-invalid") == "true"
    field.fill("a b")
    field.press("Enter")
    page.locator(".source .field-error").wait_for(state="hidden")


@pytest.mark.parametrize(
    ("name", "label", "good"),
    [
        ("bits6-2", "110", "110001.000000"),
        ("bits4-2", "11", "1101.0000"),
        ("brackets-1", "<*", "</"),
        ("absolute", "4", "(4)"),
        ("relative", "x", "(-1,2)"),
        ("hexatag", "q", "ll<"),
    ],
)
def test_page_says_what_is_no_label_beside_the_field(open_page: Open, name: str, label: str, good: str) -> None:
    page = open_page(f"#encodings?e={name}&x=tree", refused=True)
    settled(page)
    page.locator(".board .word[data-word='2']").click()
    field = page.get_by_label("Label of word 2")
    field.fill(label)
    field.press("Enter")
    page.locator(".label-panel .field-error", has_text=f"'{label}' is not a label of {name}").wait_for()
    field.fill(good)
    field.press("Enter")
    page.locator(".label-panel .field-error").wait_for(state="hidden")
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


def test_page_refuses_a_link_that_unpacks_to_too_much(open_page: Open) -> None:
    page = open_page("#browse")
    packed = page.evaluate("async () => (await import('/static/js/pack.js')).pack('x'.repeat(2_000_000))")
    assert len(packed) < 6_000
    page = open_page(f"#parse?z={packed}")
    page.locator(".toast", has_text="it holds more than 100,000 characters").wait_for()
    parsed(page, 0)
    assert page.get_by_label("Text to parse").input_value() == ""


def test_page_makes_history_of_what_is_chosen_and_not_of_what_is_typed(open_page: Open) -> None:
    page = open_page("#parse?t=The+kettle+sings.")
    parsed(page, 1)
    page.get_by_role("button", name="A question").click()
    page.locator(".sentence-text", has_text="What did you say").wait_for()
    type_text(page, "She left.", 1)
    page.get_by_role("button", name="Shared dependents").click()
    page.locator(".sentence-text", has_text="Anna bought apples").wait_for()
    page.go_back()
    page.locator(".sentence-text", has_text="She left.").wait_for()
    page.go_back()
    page.locator(".sentence-text", has_text="The kettle sings.").wait_for()
    page.go_forward()
    page.locator(".sentence-text", has_text="She left.").wait_for()


def test_page_makes_history_of_examples_of_graphs(open_page: Open) -> None:
    page = open_page("#encodings?e=bits6-2&x=tree")
    settled(page)
    page.get_by_label("Example").select_option("cycle")
    page.locator(".board .word", has_text="purred").wait_for()
    page.wait_for_url("**x=cycle*")
    page.go_back()
    page.locator(".board .word", has_text="mat").wait_for()
    assert page.get_by_label("Example").input_value() == "tree"


def test_page_says_that_the_service_is_down_and_when_it_is_back(open_page: Open) -> None:
    page = open_page("#encodings?e=bits6-2&x=tree", refused=True)
    settled(page)
    assert page.locator(".connection").is_hidden()
    page.route("**/api/*", lambda route: route.abort())
    page.get_by_label("Example").select_option("cycle")
    page.locator(".connection", has_text="The service does not answer.").wait_for()
    page.unroute("**/api/*")
    page.get_by_role("button", name="Try again").click()
    page.locator(".connection").wait_for(state="hidden")
    page.locator(".board .word", has_text="purred").wait_for()  # what was asked for meanwhile


def test_page_shows_few_toasts_and_each_once(open_page: Open) -> None:
    page = open_page("#encodings?e=bits6-2&x=tree")
    settled(page)
    module = "await import('/static/js/ui/toast.js')"
    page.evaluate(
        f"async texts => {{ const {{ notify }} = {module}; texts.forEach(one => notify(one)); }}",
        ["one", "two", "one", "three", "four", "two"],
    )
    assert page.locator(".toast > span").all_text_contents() == ["three", "four", "two"]
    page.locator(".toast", has_text="four").get_by_role("button", name="Close").click()
    assert page.locator(".toast > span").all_text_contents() == ["three", "two"]
    page.get_by_role("link", name="Browse").click()
    page.locator(".welcome").wait_for()
    assert page.locator(".toast").count() == 0
