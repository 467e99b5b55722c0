"""Comparing a treebank with another file, or with what a model makes of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from arctag.metrics import score
from tests.conftest import Run
from tests.page.conftest import Open
from tests.page.helpers import at, choose_file, labels, open_file, put, text, where, whole
from tests.places import ROOT, SAMPLES

EXAMPLES = ROOT / "src" / "arctag" / "serve" / "page" / "examples"
GOLD = """# sent_id = a
1	Birds	bird	NOUN	_	_	2	nsubj	_	_
2	sing	sing	VERB	_	_	0	root	_	_
3	loudly	loudly	ADV	_	_	2	advmod	_	_

"""


def figures(gold: Path, predicted: Path, sentences: int) -> str:
    found: Any = score(gold, predicted, "sdp").figures["including_tops"]
    return f"UF {100 * found['UF']:.2f} · LF {100 * found['LF']:.2f} over {sentences} sentences"


def test_page_marks_differences_from_gold(open_page: Open) -> None:
    page = open_page("#browse?x=1&i=4")
    whole(page)
    page.locator(".verdict p", has_text="UF 80.00").wait_for()
    kinds = {kind: page.locator(f".panel-place [data-arc].{kind}").count() for kind in ("correct", "missing", "extra")}
    assert kinds == {"correct": 6, "missing": 2, "extra": 1}
    assert page.locator(".verdict p").text_content() == "UF 80.00 · LF 80.00: 6 of 8 gold arcs found, 1 arc too many"
    page.get_by_label("Predicted").check()
    assert page.locator(".panel-place [data-arc]").count() == 7
    page.get_by_label("Gold").check()
    assert page.locator(".panel-place [data-arc]").count() == 8
    page.get_by_label("With mistakes").check()
    assert where(page).endswith(" of 4")


def test_page_scores_as_the_metric_does(open_page: Open) -> None:
    page = open_page("#browse?x=1")
    whole(page)
    page.locator(".total", has_text="over 6 sentences").wait_for()
    expected = figures(EXAMPLES / "gold.conllu", EXAMPLES / "predicted.conllu", 6)
    assert page.locator(".total").text_content() == f"{expected} · UPOS 97.50 · lemmas 97.50"


def test_page_compares_with_a_model(open_page: Open) -> None:
    page = open_page("#browse")
    open_file(page, SAMPLES / "sample.conllu")
    sentences = where(page).split()[-1]
    page.get_by_label("Compare with").select_option(label="parse with tiny")
    page.locator(".total", has_text=f"over {sentences} sentences").wait_for()
    assert page.locator(".verdict p").text_content().startswith("UF ")
    assert page.locator(".far").is_hidden()
    page.get_by_label("Compare with").select_option(label="nothing")
    page.locator(".verdict").wait_for(state="hidden")
    assert page.locator(".total").text_content() == ""


def test_page_compares_trees_with_trees(open_page: Open, tmp_path: Path) -> None:
    page = open_page("#browse")
    open_file(page, put(tmp_path / "gold.conllu", GOLD))
    wrong = GOLD.replace("VERB", "NOUN").replace("2\tadvmod", "1\tadvmod")
    choose_file(page, "A second file", put(tmp_path / "other.conllu", wrong))
    page.locator(".total", has_text="over 1 sentence").wait_for()
    told = "UAS 66.67 · LAS 66.67 over 1 sentence · UPOS 66.67 · lemmas 100.00"
    assert page.locator(".total").text_content() == told
    assert page.locator(".verdict p").text_content().startswith("UAS 66.67 · LAS 66.67: 2 of 3 gold arcs found")
    assert labels(page, ".panel-place") == ["+advmod", "nsubj", "root", "−advmod"]


def test_page_compares_basic_trees_with_a_model(open_page: Open, tmp_path: Path) -> None:
    page = open_page("#browse")
    open_file(page, put(tmp_path / "gold.conllu", GOLD))
    with page.expect_request("**/api/parse") as sent:
        page.get_by_label("Compare with").select_option(label="parse with tiny")
    assert "tree" in json.loads(sent.value.post_data)["layers"]
    page.locator(".total", has_text="UAS ").wait_for()
    page.get_by_label("Compare with").select_option(label="parse with words")
    page.locator(".total", has_text="words does not predict trees").wait_for()


def test_page_scores_without_empty_nodes(open_page: Open, sample: Path, tmp_path: Path, run: Run) -> None:
    parsed = put(tmp_path / "parsed.conllu", run("parse", sample).out)
    page = open_page("#browse")
    open_file(page, sample)
    count = json.loads(run("diagnose", sample, "--json").text)["statistics"]["tokens"]
    assert (
        page.locator(".file-facts").text_content().startswith(f"34 sentences · {count} words and 4 empty nodes · tags")
    )
    choose_file(page, "A second file", parsed)
    page.locator(".total", has_text="over 34 sentences").wait_for()
    assert page.locator(".total").text_content().startswith(figures(sample, parsed, 34))
    page.locator(".row").nth(7).click()
    page.locator(".verdict p", has_text="of empty nodes not scored").wait_for()
    assert page.locator(".panel-place [data-arc].unscored").count() > 0


def test_page_walks_from_mistake_to_mistake(open_page: Open) -> None:
    page = open_page("#browse?x=1")
    whole(page)
    page.locator(".total", has_text="over 6 sentences").wait_for()
    seen = []
    for _ in range(9):
        page.keyboard.press("n")
        seen.append((where(page), page.locator(".panel-place .caption").text_content()))
    assert [place for place, _ in seen][:2] == ["2 of 6", "2 of 6"]
    assert all("−" in told or "+" in told for _, told in seen)
    assert len(set(seen)) >= 8
    page.keyboard.press("p")
    assert (where(page), page.locator(".panel-place .caption").text_content()) == seen[-2]
    page.get_by_role("button", name="Next mistake (N)").click()
    assert (where(page), page.locator(".panel-place .caption").text_content()) == seen[-1]


def test_page_leads_from_confusions_to_sentences(open_page: Open) -> None:
    page = open_page("#browse?x=1")
    whole(page)
    page.locator(".confusions summary").click()
    rows = [row.split("\n") for row in page.locator(".confusions tbody tr").all_inner_texts()]
    assert rows
    first = page.locator(".confusions tbody tr").first
    sentences = first.locator("button").text_content()
    first.locator("button").click()
    page.wait_for_function("n => document.querySelector('.where').textContent.endsWith(` of ${n}`)", arg=sentences)
    assert page.locator(".panel-place .caption").text_content() != ""
    assert page.locator(".panel-place .picture.lit").count() == 1
    page.get_by_role("button", name="Show all sentences again").click()
    page.wait_for_function("() => document.querySelector('.where').textContent.endsWith(' of 6')")


def test_page_does_not_move_while_results_come(open_page: Open, tmp_path: Path, sample: Path) -> None:
    """The picture, its place, an open menu and the focus stay as they are."""
    many = put(tmp_path / "many.conllu", sample.read_text("utf-8") * 4)
    page = open_page("#browse")
    open_file(page, many)
    held: list[Any] = []
    allowed = 1

    def hold(route: Any) -> None:
        """Let the first request through; the others wait."""
        nonlocal allowed
        allowed -= 1
        if allowed >= 0:
            route.continue_()
        else:
            held.append(route)

    page.route("**/api/parse", hold)
    page.get_by_label("Compare with").select_option(label="parse with tiny")
    page.locator(".far", has_text="1 of 136").wait_for()
    assert page.locator(".compare-bar").is_visible()
    page.locator(".panel-card summary", has_text="Save").click()
    page.get_by_label("Search", exact=True).focus()
    page.evaluate("() => { window.kept = document.querySelector('.panel-place .picture'); window.scrollTo(0, 40); }")
    allowed = 1_000
    for route in held:
        route.continue_()
    page.locator(".total", has_text="over 136 sentences").wait_for()
    same = "() => window.kept === document.querySelector('.panel-place .picture')"
    assert page.evaluate(same)
    assert page.evaluate(
        "() => [document.activeElement.type, document.querySelector('.panel-card details.menu[open]') !== null]"
    ) == ["search", True]


ROW = "1\t{}\t_\t_\t_\t_\t0\troot\t_\t_\n\n"


@pytest.mark.parametrize(
    ("mine", "theirs", "problem"),
    [
        (ROW.format("a"), ROW.format("b"), "word 1 is “a” in gold and “b” in the other"),
        (GOLD, "# sent_id = other\n" + ROW.format("x"), "word 1 is “Birds” in gold and “x” in the other"),
    ],
)
def test_page_says_why_sentences_cannot_be_compared(
    open_page: Open, tmp_path: Path, mine: str, theirs: str, problem: str
) -> None:
    page = open_page("#browse")
    open_file(page, put(tmp_path / "gold.conllu", mine))
    choose_file(page, "A second file", put(tmp_path / "other.conllu", theirs))
    page.locator(".verdict p", has_text=f"Cannot be compared: {problem}.").wait_for()


def test_page_compares_semantic_graphs_with_the_layer_of_their_kind(open_page: Open, sample_sdp: Path) -> None:
    """The main graph of an SDP file is known by its relations; the model's layer of that name is asked for."""
    page = open_page("#browse")
    layers: dict[str, dict[str, str]] = {"graph": {}, "tree": {}, "dm": {}, "propbank": {}}
    model = {
        "name": "rich",
        "title": "Rich",
        "language": None,
        "raw_text": True,
        "layers": layers,
        "encoder": "",
        "card": {},
    }
    page.route("**/api/models", lambda route: route.fulfill(json={"default": "rich", "models": [model]}))
    page.reload()
    open_file(page, sample_sdp)
    sentences = page.evaluate("() => document.querySelector('.where').textContent").split()[-1]
    asked: list[Any] = []

    def answer(route: Any) -> None:
        body = json.loads(route.request.post_data)
        asked.append(body["layers"])
        read = page.request.post(route.request.url.replace("parse", "read"), data={"graphs": body["graphs"]}).json()
        found = [{**one, "arcs": [], "layers": {"dm": {"arcs": one["arcs"]}}, "rows": ""} for one in read["sentences"]]
        route.fulfill(json={"sentences": found, "skipped": [], "format": "sdp", "header": "#SDP 2015\n"})

    page.route("**/api/parse", answer)
    page.get_by_label("Compare with").select_option(label="parse with Rich")
    page.locator(".total", has_text=f"UF 100.00 · LF 100.00 over {sentences} sentences").wait_for()
    assert asked[0] == ["dm"]
    assert text(page).startswith("The kettle sings")
    at(page, f"1 of {sentences}")
