"""The view that browses treebanks, used as a person uses it."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

import arctag
from arctag.encodings.planes import count_planes
from arctag.parsing.loading import load
from tests.networks import Models
from tests.page.conftest import Open
from tests.page.helpers import at, choose_file, find, labels, open_file, put, text, where, whole
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


@pytest.mark.parametrize("name", ["sample.conllu", "sample.sdp", "sample.conllu.gz"])
def test_page_opens_a_treebank(open_page: Open, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    content = (SAMPLES / name.removesuffix(".gz")).read_bytes()
    path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    page = open_page("#browse")
    open_file(page, path)
    assert text(page).startswith("The kettle sings")
    assert where(page).startswith("1 of ")
    assert "broken" not in page.locator(".file-facts").text_content()


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


def test_page_says_where_a_file_is_broken(open_page: Open, tmp_path: Path) -> None:
    path = tmp_path / "birds.conllu"
    path.write_text(BROKEN, encoding="utf-8")
    page = open_page("#browse")
    open_file(page, path)
    assert page.locator(".file-facts").text_content() == "3 sentences · 4 words · 1 broken · graph"
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
    assert page.locator(".file-facts").text_content() == "5,002 sentences · 10,002 words · 1 broken · graph"
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
    choose_file(page, "Choose a file", path)
    page.locator(".notice", has_text=told).wait_for()
    assert page.locator("main img").count() == 0
    choose_file(page, "Open another", SAMPLES / "sample.conllu")
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


BASIC = """# sent_id = basic
1	Birds	bird	NOUN	NNS	Number=Plur	2	nsubj	_	_
2	sing	sing	VERB	VBP	_	0	root	_	_

"""


def test_page_shows_basic_trees_and_says_so(open_page: Open, tmp_path: Path) -> None:
    page = open_page("#browse")
    open_file(page, put(tmp_path / "basic.conllu", BASIC))
    facts = "1 sentence · 2 words · tags, language-specific tags, lemmas, features and tree"
    assert page.locator(".file-facts").text_content() == facts
    assert page.get_by_text("DEPS is empty in this file: its basic trees are shown.").is_visible()
    assert labels(page, ".panel-place") == ["nsubj", "root"]
    assert "v=tree" in page.url
    assert page.locator(".panel-place .segments:visible").count() == 0  # there is nothing to choose from


def test_page_switches_between_graph_and_tree(open_page: Open, sample: Path) -> None:
    page = open_page("#browse")
    open_file(page, sample)
    page.keyboard.press("ArrowRight")
    assert "nsubj:xsubj" in labels(page, ".panel-place")
    page.get_by_label("Tree", exact=True).check()
    assert "nsubj:xsubj" not in labels(page, ".panel-place")
    page.keyboard.press("ArrowRight")  # an arrow in a group of choices belongs to them
    assert where(page).startswith("2 of ")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("1\tGo\t_\t_\t_\t_\t_\t_\t_\t_\n\n", "neither DEPS nor HEAD is filled"),
        ("#SDP 2015\n#1\n1\tGo\tgo\tVB\t-\t-\t_\n\n", "There are no arcs in this file."),
    ],
)
def test_page_says_if_a_file_has_no_arcs(open_page: Open, tmp_path: Path, content: str, told: str) -> None:
    page = open_page("#browse")
    open_file(page, put(tmp_path / "words.txt", content))
    page.locator(".notice.soft", has_text=told).wait_for()


def test_page_keeps_what_is_readable_of_a_cut_file(open_page: Open, tmp_path: Path, sample: Path) -> None:
    packed = gzip.compress(sample.read_bytes() * 30)
    page = open_page("#browse")
    open_file(page, put(tmp_path / "cut.conllu.gz", packed[: int(len(packed) * 0.7)]))
    told = page.locator(".treebank > .notice.bad").text_content()
    read = int(where(page).split()[-1].replace(",", ""))
    assert 100 < read < 34 * 30
    assert told == f"cut.conllu.gz: not a whole gzip file; the {read} sentences before that can be used"


def test_page_agrees_with_itself_on_planes(open_page: Open, sample: Path) -> None:
    """In the badge, the caption and the legend there are as many planes as the encodings count."""
    page = open_page("#browse")
    open_file(page, sample)
    page.locator(".panel-place .look-menu summary").click()
    page.get_by_label("Colours", exact=True).select_option("planes")
    page.keyboard.press("Escape")
    seen = set()
    for number, sentence in enumerate(arctag.read(sample), 1):
        planes = count_planes(sentence.graph, "relaxed")
        page.wait_for_function("n => document.querySelector('.where').textContent.startsWith(`${n} of`)", arg=number)
        badge = page.locator(".row[aria-current] .badge", has_text="planes").all_text_contents()
        legend = page.locator(".panel-place .legend text", has_text="plane").count()
        caption = page.locator(".panel-place .caption").text_content()
        assert badge == ([f"{planes} planes"] if planes > 1 else [])
        assert legend == (planes if planes > 1 else 0)
        assert (f"{planes} planes" in caption) == (planes > 1)
        seen.add(planes)
        page.get_by_role("button", name="Next sentence").click(force=True)
    assert len(seen) > 2


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
    find(page, "Relation", "nsubj:xsubj")
    assert not where(page).endswith("2,077")
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
        at(page, "4 of 34")
        assert text(page) == "The cat that I fed purred."


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
        choose_file(page, "Open another", sample)
        page.locator(".file-name", has_text=sample.name).wait_for()
        whole(page)
        assert page.url.endswith("#browse")  # no link can name a file of one's own
