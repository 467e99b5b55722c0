"""`arctag parse` of running text: typed, piped, in files and folders; drawings, JSON, workers, going on."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from arctag import read
from arctag.parsing.jobs import Worker
from tests.cli.conftest import forms
from tests.conftest import Run
from tests.patience import HANGS
from tests.signals import hear_ctrl_c

TEXT = "She sings. The kettle sings too!\n\nNo."


def test_parse_text_typed_and_piped_are_the_same(run: Run, model: tuple[str, ...]) -> None:
    typed = run("parse", TEXT, *model)
    assert (typed.code, typed.err) == (0, "")
    assert forms(typed.text) == ["She", "sings", ".", "The", "kettle", "sings", "too", "!", "No", "."]
    assert "# text = The kettle sings too!" in typed.text
    for arguments in ((), ("-",)):
        piped = run("parse", *arguments, *model, stdin=TEXT.encode())
        assert piped.code == 0
        assert forms(piped.text) == forms(typed.text)


@pytest.mark.parametrize("packed", [False, True])
def test_parse_standard_input_is_what_it_looks_like(
    run: Run, model: tuple[str, ...], sample: Path, packed: bool
) -> None:
    given = sample.read_bytes()
    piped = run("parse", *model, stdin=gzip.compress(given) if packed else given)
    assert (piped.code, piped.out) == (0, run("parse", sample, *model).out)


def test_parse_text_has_a_tree_beside_the_graph(run: Run, model: tuple[str, ...]) -> None:
    rows = [line.split("\t") for line in run("parse", "She sings.", *model).text.splitlines() if line[:1].isdigit()]
    assert [row[6] for row in rows].count("0") == 1
    assert all(row[6].isdigit() and row[7] != "_" for row in rows)
    assert any(row[8] != "_" for row in rows)


def test_parse_fills_empty_trees_and_replaces_others_only_if_asked(
    run: Run, model: tuple[str, ...], tmp_path: Path
) -> None:
    bare, own = tmp_path / "bare.conllu", tmp_path / "own.conllu"
    bare.write_text("1\tShe\t_\t_\t_\t_\t_\t_\t_\t_\n2\tsings\t_\t_\t_\t_\t_\t_\t_\t_\n\n")
    own.write_text("1\tShe\t_\t_\t_\t_\t0\tvocative\t_\t_\n2\tsings\t_\t_\t_\t_\t1\tvocative\t_\t_\n\n")

    def trees(*arguments: str | Path) -> list[list[str]]:
        return [line.split("\t")[6:8] for line in run("parse", *arguments, *model).text.splitlines() if line]

    filled = trees(bare)
    assert [head for head, _ in filled].count("0") == 1
    assert all(relation not in ("_", "vocative") for _, relation in filled)
    assert trees(own) == [["0", "vocative"], ["1", "vocative"]]
    assert trees(own, "--tree") == filled


def test_parse_empty_text_is_no_error(run: Run, model: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text(" \n\n")
    assert run("parse", tmp_path / "in.txt", *model) == (0, b"", "")
    assert run("parse", "", *model) == (0, b"", "")
    assert run("parse", *model, stdin=b"") == (0, b"", "")
    out = tmp_path / "out.conllu"
    assert run("parse", tmp_path / "in.txt", "-o", out, *model).code == 0
    assert out.read_bytes() == b""


@pytest.mark.parametrize("name", ["none.txt", "texts/none", "./x", "file.conllu.gz"])
def test_parse_a_file_that_is_not_there_is_not_taken_for_text(run: Run, model: tuple[str, ...], name: str) -> None:
    result = run("parse", name, *model)
    assert (result.code, result.out) == (2, b"")
    assert f"no file at {name}" in result.err


@pytest.mark.parametrize("text", ["Leave!", "She left at 5.30.", "e.g. this", "..."])
def test_parse_short_texts_are_texts(run: Run, model: tuple[str, ...], text: str) -> None:
    result = run("parse", text, *model)
    assert result.code == 0
    assert "".join(forms(result.text)) == text.replace(" ", "")


def test_parse_text_layouts(run: Run, model: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("She sings. He sings.\nNo.\n")
    whole = run("parse", tmp_path / "in.txt", "--layout", "sentences", *model).text
    assert whole.count("# sent_id") == 2
    assert run("parse", tmp_path / "in.txt", "--layout", "lines", *model).text.count("# newpar") == 2


def test_parse_bad_bytes_in_text_are_told_and_replaced(run: Run, model: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_bytes(b"She sings.\nb\xffd words\n")
    result = run("parse", tmp_path / "in.txt", *model)
    assert result.code == 0
    assert "b\ufffdd" in result.text
    assert result.err.startswith("warning: ")
    assert "in.txt:2: found byte" in result.err


def test_parse_to_json_is_an_object_a_line(run: Run, model: tuple[str, ...]) -> None:
    result = run("parse", TEXT, "--to", "json", "--probabilities", *model)
    values = [json.loads(line) for line in result.text.splitlines()]
    assert [value["text"] for value in values] == ["She sings.", "The kettle sings too!", "No."]
    for value in values:
        assert len(value["tree"]) == len(value["words"])
        for arc in value["arcs"]:
            assert 0 <= arc["head"] <= len(value["words"])
            assert 1 <= arc["dependent"] <= len(value["words"])
            assert 0 <= arc["probability"] <= 1
            assert arc["relations"]
    plain = run("parse", TEXT, "--to", "json", *model)
    assert "probability" not in plain.text


def test_parse_to_pictures(run: Run, model: tuple[str, ...], tmp_path: Path) -> None:
    assert run("parse", "She sings.", "-o", tmp_path / "a.svg", *model).code == 0
    assert "<svg" in (tmp_path / "a.svg").read_text()
    assert run("parse", TEXT, "-o", tmp_path / "a.html", *model).code == 0
    assert (tmp_path / "a.html").read_text().count("<svg") == 3
    drawn = run("parse", "She sings.", "--to", "text", *model).text
    assert "She" in drawn
    assert "\t" not in drawn
    several = run("parse", TEXT, "-o", tmp_path / "b.svg", *model)
    assert several.code == 2
    assert "an SVG file holds one sentence" in several.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--to", "svg", "--probabilities"), "--probabilities does nothing for a drawing"),
        (("--resume",), "--resume does nothing for standard output"),
    ],
)
def test_parse_options_that_would_do_nothing_are_refused(
    run: Run, model: tuple[str, ...], options: tuple[str, ...], message: str
) -> None:
    result = run("parse", "She sings.", *options, *model)
    assert result.code == 2
    assert message in result.err


def folder_of_texts(tmp_path: Path) -> Path:
    texts = tmp_path / "texts"
    (texts / "deep").mkdir(parents=True)
    (texts / "a.txt").write_text("She sings. He sings.")
    (texts / "deep" / "b.txt").write_text("No.\n\nYes.")
    (texts / "empty.txt").write_text("")
    return texts


def test_parse_folder_to_folder(run: Run, model: tuple[str, ...], tmp_path: Path) -> None:
    texts, out = folder_of_texts(tmp_path), tmp_path / "out"
    assert run("parse", texts, "-o", f"{out}/", *model).code == 0
    found = {str(p.relative_to(out)): p.read_text() for p in sorted(out.rglob("*")) if p.is_file()}
    assert list(found) == ["a.conllu", "deep/b.conllu", "empty.conllu"]
    assert found["a.conllu"] == run("parse", texts / "a.txt", *model).text
    assert found["empty.conllu"] == ""
    together = run("parse", texts, *model).text
    assert together == found["a.conllu"] + found["deep/b.conllu"]


def test_parse_folder_goes_on_after_a_bad_file(run: Run, model: tuple[str, ...], tmp_path: Path) -> None:
    texts, out = folder_of_texts(tmp_path), tmp_path / "out"
    (texts / "b.conllu").write_text("")
    result = run("parse", texts, "-o", f"{out}/", *model)
    assert result.code == 1
    assert "not read: " in result.err
    assert (out / "deep" / "b.conllu").exists()
    assert not (out / "b.conllu").exists()
    assert not list(out.rglob(".*"))


def test_parse_two_files_of_one_name_are_refused(run: Run, model: tuple[str, ...], tmp_path: Path) -> None:
    texts = folder_of_texts(tmp_path)
    (texts / "a.tok").write_text("She sings .")
    result = run("parse", texts, "-o", f"{tmp_path / 'out'}/", *model)
    assert result.code == 2
    assert "would both be written to" in result.err


def test_parse_resume_leaves_finished_files_alone(run: Run, model: tuple[str, ...], tmp_path: Path) -> None:
    texts, out = folder_of_texts(tmp_path), tmp_path / "out"
    run("parse", texts, "-o", f"{out}/", *model)
    done, missing = out / "a.conllu", out / "deep" / "b.conllu"
    before = done.stat().st_mtime_ns
    expected = missing.read_bytes()
    missing.unlink()
    assert run("parse", texts, "-o", f"{out}/", "--resume", *model).code == 0
    assert done.stat().st_mtime_ns == before
    assert missing.read_bytes() == expected
    os.utime(texts / "a.txt")
    later = texts / "a.txt"
    later.write_text("Changed.")
    os.utime(later, ns=(before + 10**9, before + 10**9))
    refused = run("parse", texts, "-o", f"{out}/", "--resume", *model)
    assert refused.code == 2
    assert f"{done} exists already" in refused.err
    assert "Changed" not in done.read_text()
    assert run("parse", texts, "-o", f"{out}/", "--resume", "--force", *model).code == 0
    assert "Changed" in done.read_text()


def test_parse_several_workers_write_the_same_bytes(
    run: Run, model: tuple[str, ...], sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from arctag.formats import pieces
    from arctag.parsing import jobs

    monkeypatch.setattr(jobs, "WORDS", 20)
    monkeypatch.setattr(pieces, "SIZE", 1)
    texts = folder_of_texts(tmp_path)
    once = run("parse", sample, texts, "--workers", "1", *model)
    twice = run("parse", sample, texts, "--workers", "2", *model)
    assert (once.code, twice.code) == (0, 0)
    assert twice.out == once.out
    assert len(list(read(sample))) < once.out.count(b"# sent_id")


# does some jobs, then waits for the signal
_STOPS = """
import sys, time
from arctag.cli import main
from arctag.formats import pieces
from arctag.parsing import jobs
from arctag.parsing.jobs import Worker
jobs.WORDS, pieces.SIZE = 20, 1
begin, done = Worker._begin, []
def some(self, *arguments):
    done.append(arguments)
    while len(done) > 5:
        time.sleep(1)
    return begin(self, *arguments)
Worker._begin = some
main(sys.argv[1:])
"""


@pytest.mark.parametrize("kind", [signal.SIGKILL, signal.SIGINT])
def test_parse_goes_on_after_a_kill(
    run: Run, model: tuple[str, ...], sample: Path, tmp_path: Path, kind: signal.Signals,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    from arctag.formats import pieces
    from arctag.parsing import jobs

    out = tmp_path / "out.conllu"
    arguments = ["parse", str(sample), "-o", str(out), *model]
    process = subprocess.Popen(
        [sys.executable, "-c", _STOPS, *arguments], stderr=subprocess.DEVNULL, preexec_fn=hear_ctrl_c
    )
    journal = tmp_path / ".out.conllu.part.json"
    until = time.monotonic() + HANGS
    while not (journal.exists() and json.loads(journal.read_text())["chunks"] >= 4):
        assert process.poll() is None
        assert time.monotonic() < until
        time.sleep(0.05)
    process.send_signal(kind)
    process.wait(60)
    assert not out.exists()
    done = json.loads(journal.read_text())["chunks"]
    assert 4 <= done < 34
    monkeypatch.setattr(jobs, "WORDS", 20)
    monkeypatch.setattr(pieces, "SIZE", 1)
    assert run(*arguments, "--resume").code == 0
    assert out.read_bytes() == run("parse", sample, *model).out
    assert [p.name for p in tmp_path.iterdir()] == ["out.conllu"]


def test_parse_stops_at_ctrl_c_that_was_swallowed(
    run: Run, model: tuple[str, ...], sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Code beneath Python may do that."""

    def interrupted(self: Worker, *arguments: Any, begin: Any = Worker._begin) -> Any:
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        return begin(self, *arguments)

    monkeypatch.setattr(Worker, "_begin", interrupted)
    before = signal.getsignal(signal.SIGINT)
    hear_ctrl_c()
    try:
        result = run("parse", sample, "-o", tmp_path / "out.conllu", *model)
    finally:
        signal.signal(signal.SIGINT, before)
    assert result.code == 130
    assert not (tmp_path / "out.conllu").exists()
