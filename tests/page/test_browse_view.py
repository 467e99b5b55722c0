"""The view that browses treebanks, used as a person uses it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from arctag.metrics import score
from arctag.parsing.loading import load
from tests.conftest import Run
from tests.networks import Models
from tests.page.conftest import Open
from tests.places import ROOT, SAMPLES

EXAMPLES = ROOT / "src" / "arctag" / "serve" / "page" / "examples"
BROKEN = """# sent_id = good
1	Birds	_	_	_	_	_	_	2:nsubj	_
2	sing	_	_	_	_	_	_	0:root	_

# sent_id = bad
1	Birds	_	_	_	_	_	_	9:nsubj	_
2	sing

# sent_id = fine
1	Fish	_	_	_	_	_	_	2:nsubj	_
2	swim	_	_	_	_	_	_	0:root	_

"""


def open_file(page: Any, path: Path) -> None:
    """Choose a file, and wait until all of it is read."""
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose a file").click()
    chooser.value.set_files(path)
    whole(page)


def whole(page: Any) -> None:
    page.locator(".treebank").wait_for()  # which is hidden, with its progress bar, before a file is opened
    page.locator(".treebank progress").wait_for(state="hidden")
    page.locator(".panel-place > *").first.wait_for()


def where(page: Any) -> str:
    found: str = page.locator(".pager .where").text_content()
    return found


def text(page: Any) -> str:
    found: str = page.locator(".panel-place .sentence-text").text_content()
    return found


@pytest.mark.parametrize("name", ["sample.conllu", "sample.sdp", "sample.conllu.gz"])
def test_page_opens_a_treebank(open_page: Open, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    content = (SAMPLES / name.removesuffix(".gz")).read_bytes()
    path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    page = open_page("#browse")
    open_file(page, path)
    assert text(page).startswith("The kettle sings")
    assert where(page).startswith("1 of ")
    assert "broken" not in page.locator(".status").text_content()


def test_page_browses_with_arrow_keys(open_page: Open) -> None:
    page = open_page("#browse")
    open_file(page, SAMPLES / "sample.conllu")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert text(page) == "She wants to leave."
    assert where(page).startswith("2 of ")
    assert page.url.endswith("#browse?i=2")
    page.locator(".scroller").click(position={"x": 5, "y": 5})  # the picture leaves the keys alone until it is entered
    page.keyboard.press("ArrowRight")
    assert where(page).startswith("3 of ")
    page.locator(".scroller").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    assert where(page).startswith("3 of ")
    assert page.locator(".caption").text_content().startswith("asked: ")


def test_page_searches_a_treebank(open_page: Open) -> None:
    page = open_page("#browse?x=1")
    whole(page)
    assert where(page) == "1 of 6"
    page.get_by_label("Word", exact=True).fill("CAT")
    page.wait_for_function("() => document.querySelector('.pager .where').textContent === '1 of 1'")
    assert text(page) == "The cat that I fed purred."
    assert page.locator(".word.found").text_content() == "cat"
    page.get_by_label("Word", exact=True).fill("")
    page.get_by_label("Relation").fill("nsubj")
    page.wait_for_function("() => document.querySelector('.pager .where').textContent === '4 of 6'")
    page.get_by_label("Relation").fill("nsubj:xsubj")
    page.wait_for_function("() => document.querySelector('.pager .where').textContent === '1 of 1'")
    page.get_by_label("Relation").fill("")
    page.get_by_label("Planes").select_option("2")
    page.wait_for_function("() => document.querySelector('.pager .where').textContent === '1 of 3'")
    page.get_by_label("Planes").select_option("0")
    page.get_by_label("Cyclic").check()
    assert text(page) == "The cat that I fed purred."
    page.get_by_label("Word", exact=True).fill("nothing like it")
    page.get_by_text("No sentence matches the search.").wait_for()


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
    figures: Any = score(EXAMPLES / "gold.conllu", EXAMPLES / "predicted.conllu", "sdp").figures["including_tops"]
    expected = f"UF {100 * figures['UF']:.2f} · LF {100 * figures['LF']:.2f} over 6 sentences"
    assert page.locator(".total").text_content() == expected


def test_page_compares_with_a_model(open_page: Open) -> None:
    page = open_page("#browse")
    open_file(page, SAMPLES / "sample.conllu")
    sentences = where(page).split()[-1]
    page.get_by_label("Compare with").select_option("parse with tiny")
    page.locator(".total", has_text=f"over {sentences} sentences").wait_for()
    assert page.locator(".verdict p").text_content().startswith("UF ")
    page.get_by_label("Compare with").select_option("nothing")
    page.locator(".verdict").wait_for(state="detached")
    assert page.locator(".total").text_content() == ""


def test_page_says_where_a_file_is_broken(open_page: Open, tmp_path: Path) -> None:
    path = tmp_path / "birds.conllu"
    path.write_text(BROKEN, encoding="utf-8")
    page = open_page("#browse")
    open_file(page, path)
    assert page.locator(".status").text_content() == "3 sentences · 4 words · 1 broken"
    assert text(page) == "Birds sing"
    page.keyboard.press("ArrowRight")
    notice = page.locator(".notice.broken")
    assert notice.text_content() == "birds.conllu:7: found 2 columns; expected 10 columns with tabs between them"
    page.keyboard.press("ArrowRight")
    assert text(page) == "Fish swim"
    page.get_by_label("Broken").check()
    assert where(page) == "1 of 1"


def test_page_names_the_line_in_any_chunk(open_page: Open, tmp_path: Path) -> None:
    good = BROKEN.split("\n\n")[0] + "\n\n"
    many = 5000  # several requests
    path = tmp_path / "long.conllu"
    path.write_text(good * many + "1\tonly\n\n" + good, encoding="utf-8")
    page = open_page("#browse")
    open_file(page, path)
    assert page.locator(".status").text_content() == "5,002 sentences · 10,002 words · 1 broken"
    page.get_by_label("Broken").check()
    page.locator(".notice.broken").wait_for()
    assert page.locator(".notice.broken").text_content().startswith(f"long.conllu:{4 * many + 1}: found 2 columns")


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("empty.conllu", b"", "no sentence"),
        ("bad.gz", b"\x1f\x8bnot a gzip file", "bad.gz: not a whole gzip file"),
        ("picture.png", b"\x89PNG\r\n\x1a\n\x00\x00", "picture.png:1: found bytes that are not UTF-8"),
        ("odd.conllu", b"# good\n1\tna\xefve\n", "odd.conllu:2: found bytes that are not UTF-8; expected UTF-8 text"),
        ("page.html", b"<img src=x onerror=alert(1)>\n", "page.html:1: found 1 column"),
    ],
)
def test_page_refuses_what_is_no_treebank(
    open_page: Open, tmp_path: Path, name: str, content: bytes, told: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    page = open_page("#browse")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose a file").click()
    chooser.value.set_files(path)
    page.locator(".notice", has_text=told).wait_for()
    assert page.locator("main img").count() == 0
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Open another").click()
    chooser.value.set_files(SAMPLES / "sample.conllu")
    page.locator(".sentence-text", has_text="The kettle sings.").wait_for()


def test_page_takes_dropped_files(open_page: Open) -> None:
    page = open_page("#browse")
    page.locator(".welcome").wait_for()
    page.evaluate(
        """texts => {
          const carried = new DataTransfer();
          texts.forEach((text, i) => carried.items.add(new File([text], `file${i}.conllu`)));
          const view = document.querySelector('.browse-view');
          for (const type of ['dragenter', 'dragover', 'drop']) {
            view.dispatchEvent(new DragEvent(type, { dataTransfer: carried, bubbles: true, cancelable: true }));
          }
        }""",
        [(EXAMPLES / name).read_text("utf-8") for name in ("gold.conllu", "predicted.conllu")],
    )
    page.locator(".total", has_text="over 6 sentences").wait_for()
    assert page.locator(".file-name").text_content() == "file0.conllu"


def test_page_takes_a_sentence_over_to_the_encodings(open_page: Open) -> None:
    page = open_page("#browse?x=1&i=3")
    whole(page)
    page.get_by_role("button", name="As labels").click()
    page.locator(".board .word").first.wait_for()
    assert page.get_by_label("Words", exact=True).input_value() == "A talk was announced about bees yesterday ."
    assert page.locator(".board [data-arc]").count() == 8


def test_page_walks_through_large_files(open_page: Open, shared: Path) -> None:
    path = shared / "data" / "en_ewt" / "test.conllu"
    if not path.is_file():
        pytest.skip(f"not found: {path}")
    page = open_page("#browse")
    open_file(page, path)
    assert where(page) == "1 of 2,077"
    assert page.locator(".row").count() < 40
    page.get_by_label("Relation").fill("nsubj:xsubj")
    page.wait_for_function("() => !document.querySelector('.pager .where').textContent.endsWith('2,077')")
    assert page.locator(".board, .viewer .picture").count() == 1


def test_page_opens_the_treebank_given_to_the_service(open_page: Open, models: Models, sample: Path) -> None:
    from tests.serve.servers import running

    with running({"tiny": load(models("verified"), "cpu")}, files=[sample]) as server:
        page = open_page()
        page.goto(f"{server.url}/#browse")
        whole(page)
        assert page.locator(".file-name").text_content() == sample.name
        page.get_by_role("button", name="Next sentence").click()
        assert "f=1&i=2" in page.url
        page.goto("about:blank")
        page.goto(f"{server.url}/#browse?f=1&i=4")
        page.wait_for_function("() => document.querySelector('.pager .where')?.textContent === '4 of 34'")
        assert text(page) == "The cat that I fed purred."


def test_page_scores_without_empty_nodes(open_page: Open, sample: Path, tmp_path: Path, run: Run) -> None:
    parsed = tmp_path / "parsed.conllu"
    parsed.write_bytes(run("parse", sample).out)
    page = open_page("#browse")
    open_file(page, sample)
    words = json.loads(run("diagnose", sample, "--json").text)["statistics"]["tokens"]
    assert page.locator(".status").text_content() == f"34 sentences · {words} words and 4 empty nodes"
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="A second file").click()
    chooser.value.set_files(parsed)
    page.locator(".total", has_text="over 34 sentences").wait_for()
    figures: Any = score(sample, parsed, "sdp").figures["including_tops"]
    expected = f"UF {100 * figures['UF']:.2f} · LF {100 * figures['LF']:.2f} over 34 sentences"
    assert page.locator(".total").text_content() == expected
    page.locator(".row").nth(7).click()
    page.locator(".verdict p", has_text="of empty nodes not scored").wait_for()
    assert page.locator(".panel-place [data-arc].unscored").count() > 0


def test_page_addresses_name_the_treebank_that_is_open(open_page: Open, models: Models, sample: Path) -> None:
    from tests.serve.servers import running

    files = [sample, SAMPLES / "sample.sdp"]
    with running({"tiny": load(models("verified"), "cpu")}, files=files) as server:
        page = open_page()
        page.goto(f"{server.url}/#browse")
        page.get_by_role("button", name="sample.sdp").click()
        whole(page)
        assert page.url.endswith("#browse?f=2")
        page.goto("about:blank")
        page.goto(f"{server.url}/#browse?f=2")
        whole(page)
        assert page.locator(".file-name").text_content() == "sample.sdp"
        with page.expect_file_chooser() as chooser:
            page.get_by_role("button", name="Open another").click()
        chooser.value.set_files(sample)
        page.locator(".file-name", has_text=sample.name).wait_for()
        assert page.url.endswith("#browse")  # no link can name a file of one's own
