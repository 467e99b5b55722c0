"""The English model in the package: what it says of text, and that it says the same however it is asked."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

import arctag
from arctag import read, score
from arctag.analysis.evaluation import evaluate_raw, running_text
from arctag.parsing.parser import ParseOptions, Parser
from tests.conftest import Run
from tests.patience import HANGS


@pytest.fixture(scope="module")
def english() -> Parser:
    return arctag.load("en")


def test_english_knows_who_leaves(english: Parser) -> None:
    (sentence,) = english.parse_text("She wants to leave.")
    assert set(sentence.graph.triples()) == {
        (2, 1, "nsubj"), (4, 1, "nsubj:xsubj"), (0, 2, "root"), (4, 3, "mark"), (2, 4, "xcomp"), (2, 5, "punct"),
    }  # fmt: skip
    assert sentence.rows[0][6:8] == ["2", "nsubj"]


def test_english_needs_no_torch() -> None:
    code = "import sys, arctag; next(arctag.load('en').parse_text('She left.')); print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=HANGS, check=True)
    assert done.stdout == "False\n"


def test_english_graphs_do_not_depend_on_batches(english: Parser, shared: Path) -> None:
    sentences = list(islice(read(shared / "data" / "en_pud" / "test.conllu"), 60))
    whole, small, backwards = (
        [list(s.graph.triples()) for s in english.parse_sentences(some, ParseOptions(batch_tokens=tokens))]
        for some, tokens in ((sentences, 8192), (sentences, 1), (sentences[::-1], 100))
    )
    assert whole == small == backwards[::-1]


def test_english_is_as_good_as_its_card_says(english: Parser, shared: Path) -> None:
    """On a part of the test set, which is what there is time for; `make test-full` does all of it."""
    sentences = list(islice(read(shared / "data" / "en_ewt" / "test.conllu"), 400))
    found = score(sentences, english.parse_sentences(sentences), "elas")
    assert found.main[1] >= 85


def test_english_raw_figures_are_those_of_the_parsed_text(english: Parser, sample: Path) -> None:
    gold = list(read(sample))
    wanted = score(gold, english.parse_text(running_text(gold)), "conll").figures
    found = evaluate_raw(english, gold)["conll"]
    assert {"Tokens", "Sentences", "Words", "LAS", "ELAS"} <= found.keys()
    assert found["Words"]["f1"] > 90
    assert all(found[name] == wanted[name] for name in found.keys() - {"metric", "signature"})


@pytest.mark.full
def test_english_reaches_its_goals(english: Parser, shared: Path) -> None:
    gold = shared / "data" / "en_ewt" / "test.conllu"
    sentences = list(read(gold))
    assert score(sentences, english.parse_sentences(sentences), "elas").main[1] >= 86.8
    assert evaluate_raw(english, gold)["conll"]["ELAS"]["f1"] >= 84.5


def test_english_output_pleases_the_validator(run: Run, shared: Path, tmp_path: Path) -> None:
    pytest.importorskip("udtools")
    text, out = tmp_path / "in.txt", tmp_path / "out.conllu"
    text.write_text(running_text(islice(read(shared / "data" / "en_ewt" / "dev.conllu"), 300)), encoding="utf-8")
    assert run("parse", text, "-o", out, "--ensure", "connected").code == 0
    program = Path(sys.executable).with_name("udvalidate")
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [program, "--lang", "en", "--level", "2", "--exclude", "unknown-upos", "--", out],  # tags are not predicted
        capture_output=True, text=True, timeout=HANGS, env=environment,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    "text",
    ["", " \n\n\t ", "\x00\x01\x02", "\U0001f469\u200d\U0001f680 flew.", "x" * 100_000, "a.b" * 5_000,
     "\u202ertl\u202c.", "\u2028\u2029", "# not a comment", "1\tShe\t_"],
    ids=["empty", "blank", "control", "emoji", "long word", "long run", "bidi", "separators", "hash", "row"],
)  # fmt: skip
def test_english_odd_texts_lose_nothing(english: Parser, text: str) -> None:
    forms = "".join(
        row[1]
        for sentence in english.parse_text(text)
        for row in sentence.rows
        if "-" in row[0] or not _inside_a_range(sentence.rows, row)
    )
    wanted = "".join(text.replace("\x00", "\ufffd").split())
    assert forms == "".join(c for c in wanted if not c.isspace())


def _inside_a_range(rows: list[list[str]], row: list[str]) -> bool:
    spans = [row[0].split("-") for row in rows if "-" in row[0]]
    return any(int(first) <= int(row[0]) <= int(last) for first, last in spans)


def test_english_parses_in_several_processes(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from arctag.parsing import jobs

    monkeypatch.setattr(jobs, "WORDS", 200)
    text = tmp_path / "in.txt"
    text.write_text("She wants to leave. He knows it.\n\n" * 60)
    one, two = (run("parse", text, "--to", "json", "--workers", count) for count in ("1", "2"))
    assert (one.code, two.code) == (0, 0)
    assert one.out == two.out
    assert len(one.text.splitlines()) == 120
    assert json.loads(one.text.splitlines()[1])["words"] == ["He", "knows", "it", "."]
