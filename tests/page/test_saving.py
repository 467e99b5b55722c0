"""What the page saves, beside what the command line writes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import arctag
from tests.conftest import Run
from tests.page.conftest import Open
from tests.page.helpers import open_file, parsed
from tests.places import SAMPLES

TEXT = 'The kettle sings. "She wants to leave," he said.\n\nMia asked Tom to wait.'


@pytest.fixture(scope="module")
def english(address: str) -> Iterator[str]:  # where the service and a browser are
    """Where a server with the English model is: it gives trees, and reads raw text."""
    from tests.serve.servers import running

    with running({"en": arctag.load("en")}) as server:
        yield server.url


def copied(page: Any, menu: str, name: str, news: str) -> str:
    """Copy something by the menu, and what is then on the clipboard."""
    page.locator("summary", has_text=menu).first.click()
    page.get_by_role("button", name=f"Copy {name}", exact=True).click()
    page.locator(".toast", has_text=news).wait_for()
    found: str = page.evaluate("navigator.clipboard.readText()")
    return found


def browse(page: Any, path: Path, number: int) -> None:
    open_file(page, path)
    page.locator(".row").nth(number - 1).click()
    page.locator(".pager .where", has_text=f"{number} of ").wait_for()


def block(path: Path, number: int) -> str:
    return path.read_text("utf-8").split("\n\n")[number - 1] + "\n\n"


def test_page_saves_a_sentence_as_it_is_in_the_file(open_page: Open, run: Run, sample: Path, tmp_path: Path) -> None:
    page = open_page("#browse")
    browse(page, sample, 8)
    assert copied(page, "Save", "CoNLL-U", "CoNLL-U copied") == block(sample, 8)
    one = tmp_path / "one.conllu"
    one.write_text(block(sample, 8), encoding="utf-8")
    written = run("convert", one, "--to", "sdp", "-")
    losses = written.err.strip()
    assert losses.startswith("lost: ")
    assert copied(page, "Save", "SDP", f"SDP copied; {losses}") == written.text


def test_page_saves_a_sentence_of_an_sdp_file(open_page: Open, run: Run, sample_sdp: Path, tmp_path: Path) -> None:
    page = open_page("#browse")
    browse(page, sample_sdp, 3)
    one = tmp_path / "one.sdp"
    one.write_text("#SDP 2015\n" + block(sample_sdp, 3), encoding="utf-8")
    assert copied(page, "Save", "SDP", "SDP copied") == one.read_text("utf-8")
    assert copied(page, "Save", "CoNLL-U", "CoNLL-U copied") == run("convert", one, "--to", "conllu", "-").text


@pytest.fixture
def plus(sample: Path, tmp_path: Path) -> Path:
    """The sample in CoNLL-U Plus, with its columns in another order, a further graph and further tags."""
    path = tmp_path / "plus.conllup"
    rows = [line.split("\t") for line in sample.read_text("utf-8").split("\n")]
    rows = [
        [row[1], row[0], *row[2:], "0:top" if row[0] == "1" else "_", f"x{i}"] if len(row) > 1 else row
        for i, row in enumerate(rows)
    ]
    header = "# global.columns = FORM ID LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC MY:GRAPH MY:TAG\n"
    path.write_text(header + "\n".join("\t".join(row) for row in rows), encoding="utf-8")
    return path


def test_page_saves_a_sentence_of_a_file_with_columns_of_its_own(
    open_page: Open, run: Run, plus: Path, tmp_path: Path
) -> None:
    page = open_page("#browse")
    browse(page, plus, 8)
    header, blocks = plus.read_text("utf-8").split("\n", 1)
    one = tmp_path / "one.conllup"
    one.write_text(header + "\n" + blocks.split("\n\n")[7] + "\n\n", encoding="utf-8")
    assert copied(page, "Save", "CoNLL-U Plus", "CoNLL-U Plus copied") == one.read_text("utf-8")
    assert copied(page, "Save", "CoNLL-U", "CoNLL-U copied") == run("convert", one, "--to", "conllu", "-").text
    assert page.locator(".panel-tools .segments:visible label").all_text_contents() == ["Graph", "Tree", "GRAPH"]
    page.get_by_label("GRAPH", exact=True).check()
    assert page.locator(".panel-place .arc .label").all_text_contents() == ["top"]
    written = run("convert", one, "--to", "sdp", "--layer", "graph", "-").text
    assert copied(page, "Save", "SDP", "SDP copied") == written
    assert page.locator(".panel-place .caption").text_content().endswith(f"line {line_of(plus, 8)}")


def line_of(path: Path, number: int) -> int:
    """The line on which the words of a sentence begin."""
    sentence = next(islice(arctag.read(path), number - 1, None))
    return int(sentence.source.rpartition(":")[2])


@pytest.mark.parametrize("name", ["sample.conllu", "sample.sdp"])
def test_page_says_whose_sentence_is_saved(open_page: Open, english: str, run: Run, name: str) -> None:
    gold = SAMPLES / name
    page = open_page()
    page.goto(f"{english}/#browse")
    browse(page, gold, 8)
    page.get_by_label("Compare with").select_option(label="parse with English")
    page.locator(".verdict p", has_text="UF ").wait_for()
    kind = {".conllu": "CoNLL-U", ".sdp": "SDP"}[gold.suffix]
    header = "" if gold.suffix == ".conllu" else "#SDP 2015\n"
    layers = ["--layers", "graph,tree"] if gold.suffix == ".conllu" else []  # all that gold has is compared
    assert copied(page, "Save", kind, f"{kind} copied: gold, as in {gold.name}") == header + block(gold, 8)
    page.get_by_label("Predicted").check()
    predicted = copied(page, "Save", kind, f"{kind} copied: predicted, parsed with English")
    assert predicted == header + run("parse", gold, *layers).text.split("\n\n")[7] + "\n\n"


@pytest.mark.parametrize(
    ("text", "options"),
    [(TEXT, []), (TEXT, ["--probabilities"]), ("\n\n".join([TEXT] * 60), [])],
    ids=["", "p", "long"],
)
def test_page_saves_what_the_command_line_writes(
    open_page: Open, english: str, run: Run, text: str, options: list[str]
) -> None:
    written = run("parse", text, *options).text
    assert "\t0\troot\t" in written
    assert "SpaceAfter=No" in written
    page = open_page()
    page.goto(f"{english}/#parse?p={int(bool(options))}")
    page.get_by_label("Text to parse").fill(text)
    parsed(page, written.count("# sent_id"))
    assert copied(page, "Save all", "CoNLL-U", "CoNLL-U copied") == written
    page.get_by_label("Save sentence 1", exact=True).click()
    page.get_by_role("button", name="Copy JSON").click()
    page.locator(".toast", has_text="JSON copied").wait_for()
    assert '"raw"' not in page.evaluate("navigator.clipboard.readText()")


def test_page_saves_sentences_of_lines(open_page: Open, english: str, run: Run, tmp_path: Path) -> None:
    """Paragraphs and numbers are those of the whole text, though it is sent in pieces."""
    text = tmp_path / "lines.txt"
    text.write_text("\n".join(["The kettle sings .\nShe left .\n"] * 40 + ["A bird sings ."] * 300), encoding="utf-8")
    written = run("parse", "--layout", "sentences", text).text.replace(" id = lines", "")
    written = written.replace("sent_id = lines-", "sent_id = ")
    page = open_page()
    page.goto(f"{english}/#parse?r=lines")
    page.get_by_label("Text to parse").fill(text.read_text("utf-8"))
    parsed(page, written.count("# sent_id"))
    assert copied(page, "Save all", "CoNLL-U", "CoNLL-U copied") == written


def test_page_converts_many_sentences_in_several_requests(
    open_page: Open, run: Run, sample: Path, tmp_path: Path
) -> None:
    many = tmp_path / "many.conllu"
    many.write_text(sample.read_text("utf-8") * 20, encoding="utf-8")
    blocks = many.read_text("utf-8").removesuffix("\n\n").split("\n\n")
    page = open_page("#browse")
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    found = page.evaluate(
        """async blocks => {
          const { written } = await import('/static/js/export/formats.js');
          return written(blocks.map(raw => ({ raw, format: 'conllu', header: '' })), 'sdp');
        }""",
        blocks,
    )
    assert len([url for url in requests if url.endswith("api/convert")]) > 1
    converted = run("convert", many, "--to", "sdp", "-")
    assert found["content"] == converted.text
    assert all(f"{number} {kind}" in converted.err for kind, number in found["lost"].items())
