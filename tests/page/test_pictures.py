"""Pictures on the page: lines, lists, layers, colours, and what is said of words and arcs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from arctag.glossary import explain
from tests.page.conftest import Open
from tests.page.helpers import answer_with, arc, labels, parsed, set_view, settled, tree, type_text, words

RICH: dict[str, Any] = {
    "text": "She wants to leave.", "words": ["She", "wants", "to", "leave", "."],
    "arcs": [
        arc(2, 1, "nsubj"), arc(4, 1, "nsubj:xsubj"), arc(0, 2, "root"), arc(4, 3, "mark"), arc(2, 4, "xcomp"),
        arc(2, 5, "punct"),
    ],
    "tree": tree((2, "nsubj"), (0, "root"), (4, "mark"), (2, "xcomp"), (2, "punct")),
    "tags": ["PRON", "VERB", "PART", "VERB", "PUNCT"], "xpos": ["PRP", "VBZ", "TO", "VB", "."],
    "lemmas": ["she", "want", "to", "leave", "."], "feats": ["Case=Nom|Number=Sing", "_", "_", "VerbForm=Inf", "_"],
    "layers": {
        "dm": {"arcs": [arc(2, 1, "ARG1"), arc(4, 1, "ARG1"), arc(0, 2, "root"), arc(2, 4, "ARG2")]},
        "propbank": {"arcs": [arc(2, 1, "ARG0"), arc(2, 4, "ARG1")]},
    },
}  # fmt: skip
MANY = 74
LONG: dict[str, Any] = {
    "text": " ".join(f"word{i}" for i in range(MANY)), "words": [f"word{i}" for i in range(MANY)],
    "arcs": [arc(i // 2, i, "conj:and") for i in range(1, MANY + 1)],
}  # fmt: skip


@pytest.fixture
def rich(open_page: Open) -> Any:
    """A page on which one sentence is parsed by a model that predicts all there is."""
    page = open_page()
    parsed(page, 1)
    answer_with(page, RICH)
    type_text(page, "She wants to leave.", 1)
    return page


@pytest.fixture
def long(open_page: Open) -> Any:
    """A page with a sentence of 74 words."""
    page = open_page()
    parsed(page, 1)
    answer_with(page, LONG)
    type_text(page, LONG["text"], 1)
    return page


def rows(page: Any) -> list[float]:
    """Where the words are, from the top."""
    found = page.locator(".sentence .word > text:not(.note)").evaluate_all(
        "all => all.map(one => one.getAttribute('y'))"
    )
    return sorted({float(y) for y in found})


def sizes(page: Any) -> tuple[float, float]:
    """How wide the box and what is in it are."""
    box = "document.querySelector('.sentence .scroller')"
    found: list[float] = page.evaluate(f"() => [{box}.clientWidth, {box}.scrollWidth]")
    return found[0], found[1]


def test_pictures_wrap_long_sentences_into_lines(long: Any) -> None:
    room, width = sizes(long)
    assert width <= room
    assert 3 < len(rows(long)) < 20
    parts = long.locator(".sentence [data-arc]").count()
    tips = long.locator(".sentence [data-arc] .tip").count()
    assert tips == MANY < parts  # arcs go on on other lines, and end once
    long.set_viewport_size({"width": 700, "height": 900})
    box = "document.querySelector('.sentence .scroller')"
    long.wait_for_function(f"() => {box}.clientWidth < {room} && {box}.scrollWidth <= {box}.clientWidth")


def test_pictures_can_be_one_line_or_fit(long: Any) -> None:
    set_view(long, "One line")
    room, width = sizes(long)
    assert len(rows(long)) == 1
    assert width > 2 * room
    set_view(long, "Fit to width")
    settled(long)
    assert len(rows(long)) == 1
    long.wait_for_function(
        "() => document.querySelector('.scroller').scrollWidth <= document.querySelector('.scroller').clientWidth"
    )
    natural = long.locator(".sentence .picture").evaluate("one => one.viewBox.baseVal.width")
    assert long.locator(".sentence .picture").bounding_box()["width"] < natural


def test_pictures_can_be_lists(long: Any) -> None:
    set_view(long, "List")
    assert len(rows(long)) == MANY
    room, width = sizes(long)
    assert width <= room
    texts = long.locator(".sentence .arc .label text").all_text_contents()
    assert "conj:and ← word0" in texts
    assert len(texts) == MANY


def test_pictures_space_words_evenly(rich: Any) -> None:
    boxes = rich.locator(".sentence .word .hit").evaluate_all(
        "all => all.map(one => [one.x.baseVal.value, one.width.baseVal.value])"
    )
    gaps = [right[0] - left[0] - left[1] for left, right in zip(boxes, boxes[1:], strict=False)]
    assert max(gaps) - min(gaps) < 12  # legs may need a little more room than a short word
    before = rich.locator(".sentence .picture").evaluate("one => one.viewBox.baseVal.width")
    set_view(rich, "Compact")
    assert rich.locator(".sentence .picture").evaluate("one => one.viewBox.baseVal.width") < before


def test_pictures_hide_punctuation(rich: Any) -> None:
    set_view(rich, "Hide punctuation")
    assert words(rich) == ["She", "wants", "to", "leave"]
    assert "punct" not in labels(rich)
    set_view(rich, "List")
    assert rich.locator(".sentence .word").count() == 4


def test_pictures_colour_what_the_tree_lacks(rich: Any) -> None:
    assert rich.locator(".sentence [data-arc].further .label").all_text_contents() == ["nsubj:xsubj"]
    assert rich.locator(".sentence [data-arc].shared").count() == 5
    assert rich.locator(".sentence .legend text").all_text_contents() == ["also in the tree", "only in the graph"]
    rich.locator(".look-menu summary").click()
    rich.get_by_label("Colours", exact=True).select_option("planes")
    rich.keyboard.press("Escape")
    assert rich.locator(".sentence .further").count() == 0
    assert rich.locator(".sentence [data-arc].plane-1").count() > 0
    rich.get_by_label("Tree", exact=True).check()
    assert rich.locator(".sentence .legend").count() == 0


def test_pictures_show_a_layer_below(rich: Any) -> None:
    assert rich.locator(".entry .segments:visible label").all_text_contents() == ["Graph", "Tree", "DM", "PropBank"]
    rich.locator(".look-menu summary").click()
    rich.get_by_label("Below", exact=True).select_option(label="DM")
    rich.keyboard.press("Escape")
    assert sorted(rich.locator(".sentence [data-below] .label").all_text_contents()) == ["ARG1", "ARG1", "ARG2", "root"]
    word, below = (
        rich.locator(f".sentence {where}").first.bounding_box() for where in (".word > text", "[data-below] .label")
    )
    assert below["y"] > word["y"] + word["height"]
    assert "DM: wants → She: ARG1" in rich.locator(".sentence .unseen").text_content()
    assert "u=dm" in rich.url
    rich.get_by_label("DM", exact=True).check()  # the layer below comes up: it is not drawn twice
    assert rich.locator(".sentence [data-below]").count() == 0
    assert labels(rich) == ["ARG1", "ARG1", "ARG2", "root"]


@pytest.mark.parametrize(("choose", "relation", "scheme"), [
    ("Graph", "nsubj:xsubj", "ud"), ("Tree", "xcomp", "ud"), ("DM", "ARG2", "dm"), ("PropBank", "ARG0", "propbank"),
])  # fmt: skip
def test_pictures_explain_relations(rich: Any, choose: str, relation: str, scheme: str) -> None:
    rich.get_by_label(choose, exact=True).check()
    rich.locator(".sentence [data-arc] .label", has_text=relation).first.hover()
    tooltip = rich.locator(".tooltip")
    assert explain(relation, scheme) in tooltip.text_content()
    assert explain(relation, scheme) in rich.locator(".sentence .caption").text_content()
    if relation == "nsubj:xsubj":
        assert "only in the graph" in tooltip.text_content()
    rich.keyboard.press("Escape")
    assert tooltip.is_hidden()


def test_pictures_show_the_columns_of_a_word(rich: Any) -> None:
    assert rich.locator(".sentence .note").all_text_contents() == RICH["tags"]
    rich.locator(".sentence .word[data-word='1']").hover()
    lines = rich.locator(".tooltip > *").all_text_contents()
    assert lines[0] == "She"
    assert lines[1] == "lemma she · PRON (pronoun) · PRP · Case=Nom, Number=Sing"
    assert lines[2] == "heads wants (nsubj), leave (nsubj:xsubj); no dependents"
    rich.locator("h2").first.hover()
    assert rich.locator(".tooltip").is_hidden()


def test_pictures_can_be_explored_with_keys(rich: Any) -> None:
    """Also what is below the words, and the tooltip is there, too."""
    rich.locator(".look-menu summary").click()
    rich.get_by_label("Below", exact=True).select_option(label="PropBank")
    rich.keyboard.press("Escape")
    rich.locator(".scroller").focus()
    rich.keyboard.press("ArrowRight")
    assert rich.locator(".tooltip > *").first.text_content() == "She"
    rich.keyboard.press("ArrowUp")
    assert rich.locator(".caption").text_content().startswith("wants → She: nsubj · nominal subject")
    for _ in range(2):
        rich.keyboard.press("ArrowDown")
    assert rich.locator(".caption").text_content().startswith("wants → She: ARG0 · agent")
    rich.keyboard.press("ArrowDown")
    assert rich.locator(".caption").text_content().startswith("leave → She: nsubj:xsubj")


def test_pictures_keep_their_look_for_the_next_visit(rich: Any) -> None:
    set_view(rich, "List", "Compact", "Lemmas")
    rich.unroute("**/api/parse")
    rich.reload()
    parsed(rich, 1)
    assert rich.locator(".sentence .picture.list").count() == 1
    rich.locator(".look-menu summary").click()
    assert rich.get_by_label("Compact", exact=True).is_checked()
    assert rich.get_by_label("Lemmas", exact=True).is_checked()


@pytest.mark.parametrize("shape", ["Lines", "One line", "Fit to width", "List"])
@pytest.mark.parametrize("name", ["SVG", "PNG"])
def test_pictures_are_saved_as_they_are_drawn(rich: Any, tmp_path: Path, shape: str, name: str) -> None:
    if shape != "Lines":
        set_view(rich, shape)
    rich.get_by_label("Save sentence 1").click()
    with rich.expect_download() as saved:
        rich.get_by_role("button", name=f"Download {name}", exact=True).click()
    saved.value.save_as(tmp_path / "picture")
    content = (tmp_path / "picture").read_bytes()
    if name == "PNG":
        assert content.startswith(b"\x89PNG")
        assert len(content) > 3000
        return
    written = content.decode("utf-8")
    assert "var(" not in written
    assert " class=" not in written
    assert "data-" not in written
    assert ("nsubj ← wants" in written) == (shape == "List")


@pytest.mark.parametrize(
    "sentence",
    [
        {"text": "a b", "words": ["a", "b"], "arcs": []},
        {"text": "a b", "words": ["a", "b"], "arcs": [], "tags": ["X", "X"]},
        {"text": "a b", "words": ["a", "b"], "arcs": [], "tree": tree((2, "x"), (0, "root"))},
        {"text": "a b", "words": ["a", "b"], "arcs": [arc(1, 2, "x"), arc(1, 1, "loop")]},
        {"text": "a b", "words": ["a", "b"], "arcs": [], "layers": {"dm": {"arcs": []}}},
    ],
    ids=["nothing", "tags", "tree", "graph", "empty layer"],
)
def test_pictures_of_little(open_page: Open, sentence: dict[str, Any]) -> None:
    """Models that predict only tags, only a tree, only a graph: there is always something to see."""
    page = open_page()
    parsed(page, 1)
    answer_with(page, sentence)
    type_text(page, "a b", 1)
    for shape in ("Lines", "List", "Fit to width"):
        set_view(page, shape)
        assert words(page) == ["a", "b"]
