"""The view that parses, used as a person uses it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from arctag.parsing.loading import load
from tests.networks import Models
from tests.page.conftest import Open
from tests.page.helpers import answer_with, arc, labels, parsed, set_view, tree, type_text, words


def test_page_opens_with_an_example_parsed(open_page: Open) -> None:
    page = open_page()
    parsed(page, 1)
    assert "wants" in words(page)
    assert page.locator(".status").text_content().startswith("1 sentence · 17 words")
    assert page.title() == "Parse · Arctag"
    assert "stays here" in page.locator(".lead").text_content()


def test_page_parses_while_one_types(open_page: Open) -> None:
    page = open_page()
    type_text(page, "The kettle sings. She wants to leave.", 2)
    assert words(page) == ["The", "kettle", "sings", ".", "She", "wants", "to", "leave", "."]
    type_text(page, "", 0)
    assert page.locator(".status").text_content() == "Nothing to parse yet."
    assert not page.get_by_role("alert").is_visible()


def test_page_lights_up_what_belongs_to_a_word(open_page: Open) -> None:
    page = open_page("#parse?t=The+kettle+sings.")
    parsed(page, 1)
    page.locator(".word[data-word='2']").hover()
    picture = page.locator(".picture").first
    assert "lit" in picture.get_attribute("class")
    assert page.locator(".word[data-word='2']").get_attribute("class").split()[-2:] == ["hot", "is-self"]
    assert page.locator(".caption").text_content().startswith("kettle: ")
    page.locator("h2").first.hover()
    assert "lit" not in picture.get_attribute("class")


def test_page_walks_through_a_graph_with_keys(open_page: Open) -> None:
    page = open_page("#parse?t=The+kettle+sings.")
    parsed(page, 1)
    page.locator(".scroller").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.locator(".caption").text_content().startswith("kettle: ")
    page.keyboard.press("ArrowUp")
    assert "→" in page.locator(".caption").text_content()
    page.keyboard.press("Escape")
    assert page.locator(".caption").text_content().startswith("4 words")


def test_page_shows_probabilities_on_request(open_page: Open) -> None:
    page = open_page("#parse?t=The+kettle+sings.")
    parsed(page, 1)
    assert "%" not in page.locator(".picture").text_content()
    page.get_by_label("Probabilities").check()
    page.wait_for_function("() => document.querySelector('.picture').textContent.includes('%')")
    assert "p=1" in page.url


def test_page_asks_for_guarantees(open_page: Open) -> None:
    page = open_page("#parse?t=Colourless+green+ideas+sleep+furiously.")
    parsed(page, 1)
    page.get_by_text("Guarantees", exact=True).click()
    with page.expect_request("**/api/parse") as sent:
        page.get_by_label("attached: every word has a head").check()
    assert json.loads(sent.value.post_data)["ensure"] == ["attached"]
    page.wait_for_function("() => document.querySelectorAll('.sentence .alone').length === 0")
    page.keyboard.press("Escape")
    assert page.get_by_text("Guarantees: attached").is_visible()


def test_page_sends_words_to_a_model_without_tokenizer(open_page: Open) -> None:
    page = open_page("#parse?t=The+kettle+sings")
    parsed(page, 1)
    with page.expect_request("**/api/parse") as sent:
        page.get_by_label("Model").select_option("words")
    assert json.loads(sent.value.post_data)["tokens"] == [["The", "kettle", "sings"]]
    parsed(page, 1)
    assert words(page) == ["The", "kettle", "sings"]


def test_page_gives_a_link_that_shows_the_same(open_page: Open) -> None:
    page = open_page()
    text = "The kettle sings. " * 20
    type_text(page, text, 20)
    page.get_by_role("button", name="Copy link").click()
    page.get_by_text("Link copied").wait_for()
    link = page.evaluate("navigator.clipboard.readText()")
    assert "z=" in link
    assert len(link) < 200
    again = open_page(link[link.index("#") :])
    parsed(again, 20)
    assert again.get_by_label("Text to parse").input_value() == text


def test_page_says_so_if_a_link_is_damaged(open_page: Open) -> None:
    page = open_page("#parse?z=notpacked")
    page.get_by_text("The link is damaged").wait_for()
    parsed(page, 0)


@pytest.mark.parametrize("name", ["SVG", "PNG", "CoNLL-U", "SDP", "JSON"])
def test_page_saves_a_sentence(open_page: Open, tmp_path: Path, name: str) -> None:
    page = open_page("#parse?t=The+kettle+sings.")
    parsed(page, 1)
    page.get_by_label("Save sentence 1").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name=f"Download {name}", exact=True).click()
    file = tmp_path / saved.value.suggested_filename
    saved.value.save_as(file)
    assert file.stem == "The-kettle-sings"
    content = file.read_bytes()
    if name == "PNG":
        assert content.startswith(b"\x89PNG")
        assert len(content) > 3000
        return
    text = content.decode("utf-8")
    assert "kettle" in text
    if name == "SVG":
        assert "var(" not in text
        assert " class=" not in text
    if name == "JSON":
        assert json.loads(text)["words"] == ["The", "kettle", "sings", "."]
    if name == "CoNLL-U":
        assert re.search(r"^2\tkettle\t(?:[^\t]*\t){7}[^\t]*$", text, re.MULTILINE)


def test_page_saves_all_sentences_as_one_picture(open_page: Open, tmp_path: Path) -> None:
    page = open_page("#parse?t=The+kettle+sings.+She+wants+to+leave.")
    parsed(page, 2)
    page.get_by_text("Save all").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Download SVG").click()
    saved.value.save_as(tmp_path / "all.svg")
    text = (tmp_path / "all.svg").read_text("utf-8")
    assert "kettle" in text
    assert "wants" in text


def test_page_copies_text(open_page: Open) -> None:
    page = open_page("#parse?t=The+kettle+sings.")
    parsed(page, 1)
    page.get_by_label("Save sentence 1").click()
    page.get_by_role("button", name="Copy CoNLL-U", exact=True).click()
    page.get_by_text("CoNLL-U copied").wait_for()
    assert "2\tkettle\t" in page.evaluate("navigator.clipboard.readText()")


def test_page_takes_markup_for_text(open_page: Open) -> None:
    page = open_page()
    type_text(page, "<img src=x onerror=alert(1)> sings.", 1)
    assert page.locator("main img").count() == 0
    assert "<img" in page.locator(".sentence-text").text_content()


def test_page_draws_right_to_left(open_page: Open) -> None:
    page = open_page()
    type_text(page, "הילדה רצתה לאכול תפוח", 1)
    places = page.evaluate("[...document.querySelectorAll('.word > text')].map(one => Number(one.getAttribute('x')))")
    assert places == sorted(places, reverse=True)


def test_page_keeps_long_sentences_in_their_box(open_page: Open) -> None:
    page = open_page("#parse?r=words&t=The")
    parsed(page, 1)
    type_text(page, " ".join(["kettle", "sings", "and"] * 70), 1)
    set_view(page, "One line")
    assert len(words(page)) == 210
    sizes = page.evaluate(
        "(() => { const box = document.querySelector('.scroller');"
        " return [document.documentElement.scrollWidth, innerWidth, box.scrollWidth, box.clientWidth]; })()"
    )
    assert sizes[0] <= sizes[1]
    assert sizes[2] > sizes[3]
    page.locator(".scroller").focus()
    page.keyboard.press("End")
    box = page.locator(".scroller").bounding_box()
    last = page.locator(".word[data-word='210'] > text:not(.note)").bounding_box()
    assert box["x"] <= last["x"]
    assert last["x"] + last["width"] <= box["x"] + box["width"]


def test_page_stays_quick_with_long_sentences(open_page: Open) -> None:
    page = open_page("#parse?r=words&t=The")
    parsed(page, 1)
    type_text(page, " ".join(["kettle", "sings", "and"] * 70), 1)
    milliseconds = page.evaluate(
        """async () => {
          const { drawPicture } = await import('/static/js/graph/picture.js');
          const words = Array.from({length: 200}, (_, i) => `word${i}`);
          const edges = Array.from({length: 400}, (_, i) => ({
            head: (i * 7) % 201, dependent: (i * 13) % 200 + 1, label: 'nsubj', look: 'plane-1' }));
          const start = performance.now();
          drawPicture({ words, edges });
          return performance.now() - start;
        }"""
    )
    assert milliseconds < 1000  # measured: about 50


def test_page_takes_a_long_paste(open_page: Open) -> None:
    page = open_page()
    text = "\n\n".join(["The kettle sings. She wants to leave. Mia asked Tom to wait."] * 84)
    assert len(text) > 5000
    type_text(page, text, 252)
    assert page.locator(".status").text_content().startswith("252 sentences")
    assert page.locator(".sentence .picture").count() < 20  # the others are drawn when one comes near
    page.get_by_role("heading").filter(has_text="252").scroll_into_view_if_needed()
    page.locator(".sentence").last.locator(".picture").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_page_tells_what_the_service_refuses(open_page: Open) -> None:
    page = open_page(refused=True)
    parsed(page, 1)
    page.route("**/api/parse", lambda route: route.fulfill(status=400, json={"error": "a clear line"}))
    page.get_by_label("Text to parse").fill("again")
    page.get_by_role("alert").filter(has_text="a clear line").wait_for()
    page.route("**/api/*", lambda route: route.abort())
    page.get_by_label("Text to parse").fill("and again")
    page.locator(".parse-view > .notice", has_text="does not answer").wait_for()
    page.unroute("**/api/*")
    page.unroute("**/api/parse")
    type_text(page, "The kettle sings.", 1)
    page.locator(".notice.bad:visible").first.wait_for(state="detached")


def test_page_draws_the_graph_that_is_chosen(open_page: Open) -> None:
    page = open_page()
    parsed(page, 1)
    sentence = {
        "text": "She left", "words": ["She", "left"], "arcs": [arc(0, 2, "root")],
        "tree": tree((2, "nsubj"), (0, "top")),
        "layers": {"dm": {"arcs": [arc(2, 1, "ARG1")]}, "sense": {"tags": ["_", "leave.01"]}},
    }  # fmt: skip
    answer_with(page, sentence)
    type_text(page, "She left", 1)
    assert page.locator(".segments:visible label").all_text_contents() == ["Graph", "Tree", "DM"]
    assert labels(page) == ["root"]
    page.get_by_label("Tree", exact=True).check()
    assert labels(page) == ["nsubj", "top"]
    assert page.locator(".status").text_content().startswith("1 sentence · 2 words · 2 arcs")
    assert "v=tree" in page.url
    page.get_by_label("DM", exact=True).check()
    assert labels(page) == ["ARG1"]
    page.get_by_role("button", name="As labels").click()
    page.locator(".word.root-place").wait_for()
    assert page.locator(".arc .label:visible").all_text_contents() == ["ARG1"]


def test_page_takes_trees_over_to_an_encoding_of_trees(open_page: Open) -> None:
    page = open_page()
    parsed(page, 1)
    forms = {"words": ["They", "left", "did", "."], "ids": ["1", "1.1", "2", "3"], "text": "They did."}
    heads = [{"head": 2, "relation": "nsubj"}, None, {"head": 0, "relation": "root"}, {"head": 2, "relation": "punct"}]
    answer_with(page, {**forms, "arcs": [arc(0, 2, "root")], "tree": heads})
    type_text(page, "They did.", 1)
    page.get_by_label("Tree", exact=True).check()
    page.get_by_role("button", name="As labels").click()
    page.locator(".coverage", has_text="3 of 3 arcs covered").wait_for()
    assert "e=treebits7" in page.url
    assert page.get_by_label("Words", exact=True).input_value() == "They did ."  # a tree has no empty nodes


def test_page_shows_probabilities_of_trees(open_page: Open) -> None:
    page = open_page("#parse?p=1&v=tree")
    parsed(page, 1)
    heads = [{"head": 2, "relation": "nsubj", "probability": 0.5}, {"head": 0, "relation": "root", "probability": 1.0}]
    answer_with(
        page, {"text": "She left", "words": ["She", "left"], "arcs": [arc(0, 2, "root")], "tree": heads, "score": -0.1}
    )
    type_text(page, "She left", 1)
    assert labels(page) == ["nsubj 50%", "root 100%"]
    assert page.locator(".sentence .arc[opacity^='0.6']").count() == 1


@pytest.mark.parametrize(
    ("arcs", "told", "marked"),
    [
        ([arc(0, 2, "root"), arc(2, 1, "a"), arc(2, 3, "b"), arc(3, 4, "c")], "4 words · 4 arcs", 0),
        ([arc(1, 2, "x"), arc(2, 1, "a"), arc(2, 3, "b"), arc(3, 4, "c")], "4 words · 4 arcs · no root", 0),
        ([arc(0, 2, "root"), arc(2, 1, "a"), arc(2, 3, "b")], "4 words · 3 arcs · 1 word without a head", 1),
        ([arc(2, 1, "ARG1")], "4 words · 1 arc", 0),  # few words have a head: that is how such graphs are
    ],
)
def test_page_marks_what_a_graph_lacks(open_page: Open, arcs: list[dict[str, Any]], told: str, marked: int) -> None:
    page = open_page()
    parsed(page, 1)
    answer_with(page, {"text": "a b c d", "words": ["a", "b", "c", "d"], "arcs": arcs})
    type_text(page, "a b c d", 1)
    if marked:
        assert page.locator(".sentence .headless").count() == marked
    assert page.locator(".caption").text_content() == told


def test_page_offers_no_choice_where_there_is_one_graph(open_page: Open) -> None:
    page = open_page("#parse?v=dm")
    parsed(page, 1)
    answer_with(page, {"text": "She left", "words": ["She", "left"], "arcs": [arc(0, 2, "root")]})
    type_text(page, "She left", 1)
    assert (labels(page), page.locator(".entry .segments:visible").count()) == (["root"], 0)
    page.unroute("**/api/parse")
    heads = tree((2, "nsubj"), (0, "top"))
    answer_with(page, {"text": "Tree only", "words": ["Tree", "only"], "arcs": [], "tree": heads})
    type_text(page, "Tree only", 1)
    assert (labels(page), page.locator(".entry .segments:visible").count()) == (["nsubj", "top"], 0)


def test_page_draws_trees_beside_empty_nodes(open_page: Open) -> None:
    page = open_page("#parse?v=tree")
    parsed(page, 1)
    heads = [{"head": 2, "relation": "nsubj"}, None, {"head": 0, "relation": "root"}]
    forms = {"words": ["They", "left", "did"], "ids": ["1", "1.1", "2"]}
    answer_with(page, {"text": "They did", **forms, "arcs": [arc(0, 1, "x")], "tree": heads})
    type_text(page, "They did", 1)
    assert "did → They: nsubj" in page.locator(".sentence .unseen").text_content()


def test_page_shows_tags_and_lemmas_below_words(open_page: Open) -> None:
    page = open_page()
    parsed(page, 1)
    assert page.locator(".sentence .note").count() == 0  # this model predicts no tags
    sentence = {
        "text": "She left", "words": ["She", "left"], "arcs": [arc(0, 2, "root")],
        "tags": ["A-RATHER-LONG-TAG", "VERB"], "lemmas": ["_", "leave"],
    }  # fmt: skip
    answer_with(page, sentence)
    type_text(page, "She left", 1)
    assert words(page) == ["She", "left"]
    assert page.locator(".sentence .note").all_text_contents() == ["A-RATHER-LONG-TAG", "VERB"]
    set_view(page, "Lemmas")
    assert page.locator(".sentence .note").all_text_contents() == ["A-RATHER-LONG-TAG", "", "VERB", "leave"]
    boxes = [page.locator(".sentence .note", has_text=text).bounding_box() for text in ("LONG", "VERB")]
    assert boxes[0]["x"] + boxes[0]["width"] < boxes[1]["x"]
    page.locator(".sentence summary", has_text="Save").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download SVG").click()
    assert "leave" in Path(download.value.path()).read_text(encoding="utf-8")


def test_page_says_so_if_a_picture_is_too_large(open_page: Open) -> None:
    page = open_page("#parse?r=words&t=The")
    parsed(page, 1)
    type_text(page, "\n".join(["The kettle sings"] * 300), 300)
    page.get_by_text("Save all").click()
    page.get_by_role("button", name="Download PNG").click()
    page.get_by_text("That is too large for a PNG file").wait_for()


def test_page_keeps_what_a_finger_touched_lit(chromium: Any, address: str) -> None:
    context = chromium.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(f"{address}/#parse?t=The+kettle+sings.")
    parsed(page, 1)
    page.locator(".word[data-word='2']").tap()
    assert page.locator(".caption").text_content().startswith("kettle: ")
    page.locator(".word[data-word='3']").tap()
    assert page.locator(".caption").text_content().startswith("sings: ")
    page.locator(".status").tap()
    context.close()


def test_page_says_that_a_paragraph_is_too_long_and_lives_on(open_page: Open) -> None:
    page = open_page("#parse?t=The+kettle+sings.", refused=True)
    parsed(page, 1)
    page.get_by_label("Text to parse").fill("This is a text. " * 66_000)
    page.get_by_role("alert").filter(has_text="A paragraph of this text is longer").wait_for()
    parsed(page, 0)  # nothing of the text before
    type_text(page, "She left.", 1)
    assert page.get_by_role("alert").is_hidden()


def test_page_warns_of_other_languages(open_page: Open, models: Models) -> None:
    from tests.serve.servers import running

    with running({"en": load(models("verified"), "cpu")}) as server:
        page = open_page()
        page.goto(f"{server.url}/")
        parsed(page, 1)
        assert page.get_by_label("Model").locator("option").all_text_contents() == ["English"]
        notice = page.locator(".entry .notice.soft")
        assert notice.is_hidden()
        for typed, told in [
            ("Ich habe die ganze Nacht nicht geschlafen und bin jetzt sehr müde.", "German"),
            ("Le chat que nous avons vu dort dans la maison de ma tante.", "French"),
            ("Она хочет уйти.", "Cyrillic script"),
            ("我昨天借了书。", "Chinese or Japanese"),
        ]:
            page.get_by_label("Text to parse").fill(typed)
            notice.filter(has_text=f"looks like {told}.").wait_for()
        page.get_by_label("Text to parse").fill("Naïve Zoë met señor Núñez at the café near the Champs-Élysées.")
        notice.wait_for(state="hidden")


def test_page_stops_on_request(open_page: Open) -> None:
    page = open_page("#parse?r=words&t=The")
    parsed(page, 1)
    page.route("**/api/parse", lambda route: None if "second" in (route.request.post_data or "") else route.continue_())
    page.get_by_label("Text to parse").fill("\n".join(["one two three"] * 400 + ["second"] * 10))
    page.get_by_role("button", name="Stop").click()
    page.locator(".status", has_text="stopped: the rest of the text is not parsed").wait_for()
    assert page.locator(".sentence").count() > 100
    assert page.get_by_role("button", name="Stop").is_hidden()
    page.unroute("**/api/parse")
    type_text(page, "The kettle sings", 1)
    assert "stopped" not in page.locator(".status").text_content()


def test_page_does_not_draw_a_whole_book(open_page: Open) -> None:
    page = open_page("#parse?r=words&t=The")
    parsed(page, 1)
    page.get_by_label("Text to parse").fill("\n".join(["a b"] * 1200))
    page.locator(".status", has_text="1,200 sentences").wait_for()
    assert page.locator(".sentence").count() == 500
    page.get_by_role("button", name="Show more: 500 of 1,200 sentences are shown").click()
    assert page.locator(".sentence").count() == 1000
