"""The view that explains encodings, used as a teacher uses it."""

from __future__ import annotations

from typing import Any

import pytest

from arctag import Graph, encoding
from arctag.encodings import ENCODINGS, Labels, tree_names
from tests.page.conftest import Open
from tests.page.helpers import settled

FIGURE = [(2, 1), (2, 3), (6, 3), (1, 4), (1, 5), (3, 5), (4, 5), (5, 6)]


def ready(page: Any) -> None:
    page.locator(".board .word").first.wait_for()
    settled(page)


def labels(page: Any) -> list[str]:
    """The labels below the words, lines joined as the encoding writes them."""
    found: list[str] = page.evaluate(
        "() => [...document.querySelectorAll('.board .word:not(.root-place)')].map(word =>"
        " [...word.querySelectorAll('.note')].slice(1).map(note => note.textContent).join('.'))"
    )
    return found


def arcs(page: Any, look: str = "") -> int:
    number: int = page.locator(f".board [data-arc]{look}").count()
    return number


@pytest.mark.parametrize("name", ["absolute", "relative", "brackets-2", "bits4-3", "bits6-3", "hierarchical"])
def test_page_shows_the_labels_of_each_encoding(open_page: Open, name: str) -> None:
    page = open_page(f"#encodings?e={name}&x=figure")
    ready(page)
    made = encoding(name)
    graph = Graph(6, [(head, dependent, "_") for head, dependent in FIGURE])
    assert labels(page) == [made.format(row) for row in made.encode(graph)]
    assert page.locator(".coverage h2").text_content().endswith("8 of 8 arcs covered")


TREE = [(2, 1), (4, 2), (4, 3), (0, 4), (6, 5), (2, 6), (4, 7)]


@pytest.mark.parametrize("name", tree_names())
def test_page_shows_the_labels_of_trees_and_how_they_are_read(open_page: Open, name: str) -> None:
    page = open_page(f"#encodings?e={name}&x=crossing&s=3")
    ready(page)
    made = encoding(name)
    graph = Graph(7, [(head, dependent, "_") for head, dependent in TREE])
    assert labels(page) == [made.format(row) for row in made.encode(graph)]
    assert page.locator(".coverage h2").text_content().endswith(f"{made.covers(graph).sum()} of 7 arcs covered")
    assert page.locator(".where").text_content().startswith("3 / ")
    assert page.locator(".step-text").text_content()


def test_page_says_what_is_no_tree_and_takes_another_head(open_page: Open) -> None:
    page = open_page("#encodings?e=hexatag&x=two-heads")
    ready(page)
    assert "Not a tree" in page.locator(".coverage").text_content()
    assert "hexatag is for trees only, and word 1 “She” has 2 heads." in page.locator(".coverage").text_content()
    assert labels(page) == [""] * 5
    assert arcs(page) == 6
    words = page.locator(".board .word")
    words.nth(4).click()
    page.get_by_role("button", name="Draw an arc from here").click()
    words.nth(1).click()
    page.get_by_text("There is an arc leave → She already.").wait_for()
    words.nth(3).click()
    page.get_by_role("button", name="Draw an arc from here").click()
    words.nth(1).click()
    page.locator(".coverage", has_text="5 of 5 arcs covered").wait_for()
    assert all(labels(page))


def test_page_compares_trees_in_every_encoding(open_page: Open) -> None:
    page = open_page("#encodings?x=tree")
    ready(page)
    page.get_by_text("This graph in every encoding").click()
    page.locator(".comparison tbody tr").nth(len(ENCODINGS) - 1).wait_for()
    page.get_by_label("Example").select_option("two-heads")
    page.locator(".comparison tbody th", has_text="hexatag").wait_for(state="detached")


def test_page_switches_encodings_and_planes(open_page: Open) -> None:
    page = open_page("#encodings?x=figure")
    ready(page)
    page.get_by_label("bits6", exact=True).check()
    settled(page)
    assert page.locator(".coverage h2").text_content().endswith("7 of 8 arcs covered")
    assert arcs(page, ".lost") == 1
    assert "word 5" in page.locator(".lost-list").text_content()
    page.get_by_role("button", name="More planes").click()
    page.locator(".coverage", has_text="8 of 8").wait_for()
    assert arcs(page, ".lost") == 0
    assert "e=bits6-3" in page.url
    page.get_by_label("bits4", exact=True).check()
    page.locator(".board .null").first.wait_for()
    page.get_by_label("Null arcs").uncheck()
    page.locator(".board .null").first.wait_for(state="detached")


def test_page_steps_through_decoding(open_page: Open) -> None:
    page = open_page("#encodings?e=brackets-2&x=figure")
    ready(page)
    assert arcs(page, ".ghost") == 0
    page.get_by_role("button", name="To the start").click()
    assert arcs(page, ".ghost") == 8
    for _ in range(3):
        page.keyboard.press("ArrowRight")  # the button has the focus, and no use for arrow keys
    assert page.locator(".player .where").text_content() == "3 / 7"
    assert page.locator(".step-panel h2").text_content() == "Word 2 w2 \\/"
    assert "arc 2→1" in page.locator(".step-text").text_content()
    assert arcs(page, ".fresh") == 1
    assert page.locator(".word.reading").get_attribute("data-word") == "2"
    tower = page.get_by_label("Stack plane 1 →, top first")
    assert tower.locator(".chip").all_text_contents() == ["2w2", "1w1", "1w1", "0root"]
    assert tower.locator(".pushed").count() == 1
    page.keyboard.press("ArrowLeft")
    assert page.locator(".player .where").text_content() == "2 / 7"
    assert "s=2" in page.url
    page.get_by_role("button", name="To the end").click()
    assert arcs(page, ".ghost") == 0


def test_page_plays_and_pauses(open_page: Open) -> None:
    page = open_page("#encodings?e=relative&x=tree&s=0")
    ready(page)
    page.clock.install()
    page.get_by_role("button", name="Play").click()
    page.locator(".player .where", has_text="2 / 7").wait_for()
    page.get_by_role("button", name="Pause").click()
    stopped = page.locator(".player .where").text_content()
    page.clock.run_for(5_000)
    assert page.locator(".player .where").text_content() == stopped


def test_page_keeps_stacks_where_a_word_leaves_from_below(open_page: Open) -> None:
    page = open_page("#encodings?e=hierarchical&x=figure&s=6")
    ready(page)
    tower = page.get_by_label("Stack open, top first")
    assert tower.locator(".chip").all_text_contents() == ["3w3", "1w1", "0root"]
    assert tower.locator(".taken").all_text_contents() == ["1w1"]


def test_page_draws_an_arc_by_dragging(open_page: Open) -> None:
    page = open_page("#encodings?e=relative&x=two-heads")
    ready(page)
    before = labels(page)
    page.locator(".board [data-word='4']").drag_to(page.locator(".board [data-word='2']"))
    settled(page)
    assert arcs(page) == 7
    changed = labels(page)
    assert [i for i, (old, new) in enumerate(zip(before, changed, strict=True)) if old != new] == [1]
    assert changed[1] == "(-2,2)"
    assert page.get_by_label("Example").input_value() == "own"
    page.get_by_role("button", name="Undo").click()
    settled(page)
    assert labels(page) == before
    assert page.get_by_label("Example").input_value() == "two-heads"


def test_page_draws_from_the_root_by_clicking(open_page: Open) -> None:
    page = open_page("#encodings?e=absolute&x=two-heads")
    ready(page)
    page.locator(".board [data-word='0']").click()
    page.get_by_role("button", name="Draw an arc from here").click()
    assert page.locator(".board-hint").text_content().startswith("Head: root.")
    page.locator(".board [data-word='5']").click()
    settled(page)
    assert labels(page)[4] == "(0,4)"


def test_page_deletes_an_arc(open_page: Open) -> None:
    page = open_page("#encodings?e=relative&x=two-heads")
    ready(page)
    page.locator(".board .label", has_text="nsubj:xsubj").click()
    assert page.locator(".board-hint").text_content() == "leave → She: nsubj:xsubj"
    page.get_by_role("button", name="Delete arc").click()
    settled(page)
    assert labels(page)[0] == "(1)"
    page.locator(".board .label", has_text="advmod").click()
    page.locator(".board").focus()
    page.keyboard.press("Delete")
    settled(page)
    assert labels(page)[4] == "()"
    page.get_by_role("button", name="Reset").click()
    settled(page)
    assert arcs(page) == 6


def test_page_can_be_edited_with_keys_alone(open_page: Open) -> None:
    page = open_page("#encodings?e=relative&x=two-heads")
    ready(page)
    page.locator(".board").focus()
    for key in ("ArrowRight", "ArrowRight", "Enter", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    settled(page)
    assert labels(page)[2] == "(-1,1)"  # 2→3 beside 4→3
    assert page.locator(".board-hint").text_content() == "wants → to"  # the new arc is chosen
    page.keyboard.press("Delete")
    settled(page)
    assert labels(page)[2] == "(1)"
    page.keyboard.press("Control+z")
    settled(page)
    assert labels(page)[2] == "(-1,1)"


def test_page_says_what_is_no_longer_covered(open_page: Open) -> None:
    page = open_page("#encodings?e=bits6-1&x=tree")
    ready(page)
    assert arcs(page, ".lost") == 0
    page.locator(".board [data-word='1']").drag_to(page.locator(".board [data-word='5']"))
    page.locator(".coverage", has_text="7 of 8 arcs covered").wait_for()
    assert "crosses" in page.locator(".lost-list").text_content()
    assert page.locator(".board .lost .label").text_content().startswith("✕")


def test_page_explains_and_changes_a_label(open_page: Open) -> None:
    page = open_page("#encodings?e=bits6-1&x=tree")
    ready(page)
    page.locator(".board [data-word='3']").click()
    parts = page.locator(".label-panel .parts dd").all_text_contents()
    assert len(parts) == 6
    assert parts[3].startswith("plane 1, bit 4: ")
    field = page.get_by_label("Label of word 3")
    assert field.input_value() == "000111"
    field.fill("000000")
    field.press("Enter")
    page.locator(".coverage", has_text="4 of 7 arcs come back").wait_for()
    assert arcs(page, ".added") == 2
    page.locator(".board [data-word='7']").click()
    page.get_by_label("Label of word 7").fill("001000")
    page.get_by_label("Label of word 7").press("Enter")
    settled(page)
    made = encoding("bits6-1")
    decoded = made.decode(Labels.from_rows([made.parse(label) for label in labels(page)]))
    assert decoded.repairs > 1
    page.locator(".coverage", has_text=f"{decoded.repairs} repairs").wait_for()
    page.get_by_role("button", name="Restore labels").click()
    page.locator(".coverage", has_text="7 of 7 arcs covered").wait_for()


def test_page_refuses_what_is_no_label(open_page: Open) -> None:
    page = open_page("#encodings?e=bits6-1&x=tree", refused=True)
    ready(page)
    page.locator(".board [data-word='3']").click()
    page.get_by_label("Label of word 3").fill("<b>")
    page.get_by_label("Label of word 3").press("Enter")
    page.locator(".label-panel .field-error", has_text="is not a label of bits6-1").wait_for()
    settled(page)
    assert labels(page)[2] == "000111"
    assert page.get_by_label("Label of word 3").get_attribute("aria-invalid") == "true"
    assert page.get_by_label("Label of word 3").input_value() == "<b>"  # to be corrected
    page.get_by_role("button", name="More planes").click()
    page.locator(".label-panel .field-error").wait_for(state="hidden")


def test_page_takes_words_of_your_own(open_page: Open) -> None:
    page = open_page("#encodings?e=absolute&x=tree")
    ready(page)
    page.get_by_label("Words", exact=True).fill("<script>alert(1)</script> sings loudly")
    page.get_by_label("Words", exact=True).press("Enter")
    settled(page)
    forms = page.locator(".board .word:not(.root-place) > text:not(.note)").all_text_contents()
    assert forms == ["<script>alert(1)</script>", "sings", "loudly"]
    assert labels(page) == ["(3)", "(3)", "()"]


def test_page_reproduces_a_lesson_from_its_link(open_page: Open) -> None:
    page = open_page("#encodings?e=brackets-3&x=cycle&c=strict")
    ready(page)
    page.locator(".board [data-word='1']").drag_to(page.locator(".board [data-word='6']"))
    settled(page)
    page.get_by_role("button", name="One step back").click()
    page.get_by_role("button", name="One step back").click()
    page.get_by_role("button", name="Copy link").click()
    page.get_by_text("Link copied").wait_for()
    link = page.evaluate("navigator.clipboard.readText()")
    again = open_page(link[link.index("#") :])
    ready(again)
    assert labels(again) == labels(page)
    assert again.locator(".step-panel h2").text_content() == page.locator(".step-panel h2").text_content()
    assert again.get_by_label("Crossing").input_value() == "strict"


def test_page_compares_all_encodings(open_page: Open) -> None:
    page = open_page("#encodings?e=bits6-2&x=figure")
    ready(page)
    page.get_by_text("This graph in every encoding").click()
    page.locator(".comparison tbody tr").nth(6).wait_for()
    rows = page.locator(".comparison tbody th").all_text_contents()
    assert rows == ["absolute", "relative", "pos", "brackets-2", "bits4-2", "bits6-2", "hierarchical"]
    assert page.locator(".comparison .short").count() == 2


def test_page_reads_right_to_left(open_page: Open) -> None:
    page = open_page("#encodings?e=bits6-2&x=right-to-left")
    ready(page)
    places = page.evaluate(
        "() => [...document.querySelectorAll('.board .word:not(.root-place) > text:not(.note)')]"
        ".map(one => Number(one.getAttribute('x')))"
    )
    assert places == sorted(places, reverse=True)
    assert "left means before" in page.locator(".board-hint").text_content()


def test_page_names_a_relation_that_is_drawn(open_page: Open) -> None:
    page = open_page("#encodings?e=relative&x=two-heads")
    ready(page)
    page.locator(".board [data-word='4']").drag_to(page.locator(".board [data-word='2']"))
    settled(page)
    field = page.get_by_label("Relation", exact=True)
    assert field.evaluate("one => document.activeElement === one")  # one can type at once
    page.keyboard.type("advcl")
    page.keyboard.press("Enter")
    settled(page)
    assert page.locator(".board .arc .label", has_text="advcl").count() == 1
    page.locator(".board .label", has_text="nsubj:xsubj").click()
    field.fill("nsubj")
    field.press("Enter")
    settled(page)
    assert page.locator(".board .arc .label", has_text="nsubj:xsubj").count() == 0
    link = page.url
    again = open_page(link[link.index("#") :])
    ready(again)
    assert again.locator(".board .arc .label", has_text="advcl").count() == 1


def test_page_only_says_that_labels_give_the_graph_back_where_they_do(open_page: Open) -> None:
    page = open_page("#encodings?e=bits6-2&x=figure")
    ready(page)
    told = page.locator(".step-text").text_content()
    assert told.startswith("The labels do not give the whole graph back: 1 of its arcs is lost.")
    page.get_by_role("button", name="More planes").click()
    page.locator(".step-text", has_text="The labels alone give the graph back.").wait_for()
    page.locator(".board [data-word='3']").click()
    page.get_by_label("Label of word 3").fill("000000.000000.000000")
    page.get_by_label("Label of word 3").press("Enter")
    page.locator(".step-text", has_text="The labels do not give the whole graph back").wait_for()


def test_page_begins_where_a_sentence_does(open_page: Open) -> None:
    """In a script from right to left, that is at the right."""
    page = open_page("#encodings?e=bits6-2&x=right-to-left", width=360, height=740)
    ready(page)
    page.get_by_label("Words", exact=True).fill("הילדה רצתה לאכול תפוח " * 4)
    page.get_by_label("Words", exact=True).press("Enter")
    settled(page)
    page.reload()
    ready(page)
    box, first = (page.locator(where).bounding_box() for where in (".board", ".board [data-word='1']"))
    assert first["x"] + first["width"] <= box["x"] + box["width"]


def test_page_keeps_long_words_in_their_panels(open_page: Open) -> None:
    page = open_page("#encodings?e=bits6-2&x=tree")
    ready(page)
    page.get_by_label("Words", exact=True).fill("Donaudampfschifffahrtsgesellschaft" * 6 + " sinkt")
    page.get_by_label("Words", exact=True).press("Enter")
    settled(page)
    page.locator(".board [data-word='1']").click()
    page.get_by_role("button", name="To the start").click()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    sticking_out = page.evaluate(
        "() => [...document.querySelectorAll('.panel, .step-panel, .board-head, .source')]"
        ".filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.className)"
    )
    assert sticking_out == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_page_asks_for_arcs_of_long_changed_labels(open_page: Open) -> None:
    page = open_page("#encodings?e=relative&x=tree")
    ready(page)
    page.get_by_label("Words", exact=True).fill(" ".join(["word"] * 201))
    page.get_by_label("Words", exact=True).press("Enter")
    page.get_by_text("at most 200 words").wait_for()
    settled(page)
    page.locator(".board [data-word='9']").click()
    page.get_by_label("Label of word 9").fill("(-1)")
    page.get_by_label("Label of word 9").press("Enter")
    page.locator(".coverage", has_text="Not in the graph: 8→9.").wait_for()
