"""What `arctag parse` is given: pipes lose nothing, damage is passed on, what is no text is refused."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from arctag import read
from arctag.formats import pieces
from arctag.parsing import jobs
from tests.cli.conftest import forms
from tests.conftest import Run
from tests.patience import HANGS

TEXT = "She sings.\n"


@pytest.mark.skipif(shutil.which("bash") is None, reason="`<(command)` needs bash")
@pytest.mark.parametrize("given", ["<(cat in.txt)", "/dev/stdin < in.txt", "pipe", "- < in.txt", "<(gzip -c in.txt)"])
def test_parse_inputs_that_can_be_read_once_lose_nothing(tmp_path: Path, given: str) -> None:
    (tmp_path / "in.txt").write_text(TEXT)
    os.mkfifo(tmp_path / "pipe")
    feed = "cat in.txt > pipe & " if given == "pipe" else ""
    done = subprocess.run(
        ["bash", "-c", f'{feed}"$PY" -m arctag parse {given}'],
        env={**os.environ, "PY": sys.executable}, cwd=tmp_path, capture_output=True, text=True, timeout=HANGS,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert forms(done.stdout) == ["She", "sings", "."]
    name = {"<": "pipe", "p": "pipe"}.get(given[0], "stdin")
    assert f"# sent_id = {name}-p1-s1" in done.stdout


@pytest.mark.parametrize("last", ["# sent_id = cut", "# sent_id = cut\n# text = She", "1\tShe\tsh"])
def test_parse_inputs_file_cut_in_its_last_sentence_is_parsed_up_to_it(
    run: Run, model: tuple[str, ...], sample: Path, tmp_path: Path, last: str
) -> None:
    whole = sample.read_text(encoding="utf-8")
    (tmp_path / "cut.conllu").write_text(whole + last, encoding="utf-8")
    result = run("parse", tmp_path / "cut.conllu", "-o", tmp_path / "out.conllu", *model)
    assert result.code == 1
    assert f"passed through: {tmp_path / 'cut.conllu'}:" in result.err
    expected = run("parse", sample, *model).text
    assert (tmp_path / "out.conllu").read_text(encoding="utf-8") == f"{expected}{last}\n"


@pytest.mark.parametrize("suffix", [".conllu.gz", ".txt.gz", ".tok.gz"])
def test_parse_inputs_damaged_gzip_is_parsed_up_to_the_damage(
    run: Run, model: tuple[str, ...], sample: Path, tmp_path: Path, suffix: str
) -> None:
    text = sample.read_text(encoding="utf-8")
    if suffix != ".conllu.gz":
        text = "".join(f"{sentence.text}\n\n" for sentence in read(sample) for _ in range(2))
    packed = gzip.compress(text.encode())
    cut = tmp_path / f"cut{suffix}"
    cut.write_bytes(packed[: len(packed) * 2 // 3])
    result = run("parse", cut, "-o", tmp_path / "out.conllu", *model)
    assert result.code == 1
    assert result.err.count("a damaged gzip file") == 1
    whole = tmp_path / f"cut{suffix.removesuffix('.gz')}"
    whole.write_text(text, encoding="utf-8")
    expected = run("parse", whole, *model).text.split("\n\n")
    found = (tmp_path / "out.conllu").read_text(encoding="utf-8").split("\n\n")
    assert len(expected) // 3 < len(found) < len(expected)
    assert found[:-3] == expected[: len(found) - 3]


def test_parse_inputs_bad_file_does_not_cost_the_others(
    run: Run, model: tuple[str, ...], sample: Path, tmp_path: Path
) -> None:
    packed = gzip.compress(sample.read_bytes())
    (tmp_path / "cut.conllu.gz").write_bytes(packed[: len(packed) // 2])
    (tmp_path / "image.txt").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    (tmp_path / "good.txt").write_text(TEXT)
    for output in (tmp_path / "one.conllu", tmp_path / "folder"):
        given = [tmp_path / name for name in ("cut.conllu.gz", "image.txt", "good.txt")]
        result = run("parse", *given, "-o", f"{output}/" if output.suffix == "" else output, *model)
        assert result.code == 1
        assert f"not read: {tmp_path / 'image.txt'}: found an image" in result.err
    assert forms((tmp_path / "folder" / "good.conllu").read_text()) == ["She", "sings", "."]
    assert len(forms((tmp_path / "folder" / "cut.conllu").read_text(encoding="utf-8"))) > 20
    assert not (tmp_path / "folder" / "image.conllu").exists()
    assert forms((tmp_path / "one.conllu").read_text(encoding="utf-8"))[-3:] == ["She", "sings", "."]


@pytest.mark.parametrize(
    "content", [b"\x89PNG\r\n\x1a\n" + bytes(100), b"PK\x03\x04" + bytes(99), "Hi.".encode("utf-16")]
)
@pytest.mark.parametrize("name", ["in.txt", "in.conllu", "in.tok", "in"])
def test_parse_inputs_that_are_no_text_are_refused(
    run: Run, model: tuple[str, ...], tmp_path: Path, content: bytes, name: str
) -> None:
    (tmp_path / name).write_bytes(content)
    for given in ((tmp_path / name, "-o", tmp_path / "out.conllu"), (tmp_path / name, "--limit", "1")):
        result = run("parse", *given, *model)
        assert (result.code, result.out) == (2, b"")
        assert result.err.startswith(f"arctag: {tmp_path / name}: found ")
    assert not (tmp_path / "out.conllu").exists()
    assert not list(tmp_path.glob(".*"))


def test_parse_inputs_folder_gives_a_folder_with_or_without_a_slash(
    run: Run, model: tuple[str, ...], tmp_path: Path
) -> None:
    texts = tmp_path / "texts"
    texts.mkdir()
    for name in ("a.txt", "b.txt"):
        (texts / name).write_text(TEXT)
    for output in ("with/", "without"):
        assert (
            run("parse", texts, "-o", tmp_path / output if output == "without" else f"{tmp_path}/with/", *model).code
            == 0
        )
        assert sorted(path.name for path in (tmp_path / output).iterdir()) == ["a.conllu", "b.conllu"]
    assert run("parse", texts, "-o", tmp_path / "all.conllu", *model).code == 0
    assert len(list(read(tmp_path / "all.conllu"))) == 2


def test_parse_inputs_folder_onto_itself_spares_gold_files(run: Run, model: tuple[str, ...], tmp_path: Path) -> None:
    gold = tmp_path / "a.conllu"
    gold.write_text("1\tShe\t_\t_\t_\t_\t_\t_\t0:gold\t_\n\n")
    (tmp_path / "b.txt").write_text(TEXT)
    result = run("parse", tmp_path, "-o", tmp_path, *model)
    assert result.code == 2
    assert f"{gold} is an input" in result.err
    assert "0:gold" in gold.read_text()
    assert not (tmp_path / "b.conllu").exists()


def test_parse_inputs_foreign_file_in_the_output_folder_is_left_alone(
    run: Run, model: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "in.txt").write_text(TEXT)
    out = tmp_path / "out"
    out.mkdir()
    foreign = out / "in.conllu"
    foreign.write_text("mine\n")
    call = ("parse", tmp_path / "in.txt", "-o", out, *model)
    result = run(*call)
    assert result.code == 2
    assert f"{foreign} exists already: choose another folder, skip what is done with --resume, or" in result.err
    assert foreign.read_text() == "mine\n"
    assert run(*call, "--force").code == 0
    assert forms(foreign.read_text()) == ["She", "sings", "."]


@pytest.mark.parametrize("to", ["conllu", "json", "sdp"])
def test_parse_inputs_chosen_sentences(run: Run, model: tuple[str, ...], sample: Path, to: str) -> None:
    every = run("parse", sample, "--to", to, *model).text
    end = "\n" if to == "json" else "\n\n"
    header = "#SDP 2015\n" if to == "sdp" else ""
    parts = [part + end for part in every.removeprefix(header).split(end)[:-1]]
    assert run("parse", sample, "--limit", "2", "--to", to, *model).text == header + "".join(parts[:2])
    for wanted in ("sample-03", "3"):
        assert run("parse", sample, "--sentence", wanted, "--to", to, *model).text == header + parts[2]


def test_parse_inputs_chosen_sentence_of_a_text_is_drawn(run: Run, model: tuple[str, ...], tmp_path: Path) -> None:
    several = "She sings. He sleeps. They eat."
    refused = run("parse", several, "-o", tmp_path / "a.svg", *model)
    assert refused.code == 2
    assert "choose one with --sentence or --limit 1" in refused.err
    assert run("parse", several, "--sentence", "2", "-o", tmp_path / "a.svg", *model).code == 0
    assert ">sleeps<" in (tmp_path / "a.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--sentence", "nowhere"), "no sentence with the id or number nowhere"),
        (("--limit", "1", "--workers", "2"), "--workers does nothing for chosen sentences"),
        (("--limit", "1", "-o", "folder/"), "chosen sentences go into one file"),
    ],
)
def test_parse_inputs_choices_that_make_no_sense_are_refused(
    run: Run, model: tuple[str, ...], sample: Path, options: tuple[str, ...], message: str
) -> None:
    result = run("parse", sample, *options, *model)
    assert (result.code, result.out) == (2, b"")
    assert message in result.err


@pytest.mark.parametrize("to", ["conllu", "json", "text"])
def test_parse_inputs_text_is_utf8_whatever_the_locale(to: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "arctag", "parse", "Café naïf.", "--to", to], capture_output=True, timeout=HANGS,
        env={**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": ""},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert "Café".encode() in done.stdout
    assert "\ufffd".encode() not in done.stdout


def test_parse_inputs_json_of_scores_is_utf8_whatever_the_locale(tmp_path: Path) -> None:
    (tmp_path / "é.conllu").write_text("1\té\t_\t_\t_\t_\t0\troot\t0:réel\t_\n\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "arctag", "score", "é.conllu", "é.conllu", "--by", "relation", "--json"], cwd=tmp_path,
        env={**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": ""}, capture_output=True,
        timeout=HANGS,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert "réel" in json.loads(done.stdout)["breakdown"]["relation"]


def test_parse_inputs_output_inside_the_input_folder_is_no_input(
    run: Run, model: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text(TEXT)
    for options in ((), ("--resume",), ("--force",)):
        assert run("parse", tmp_path, "-o", tmp_path / "out", *options, *model).code == 0
        assert [str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.conllu")] == ["out/a.conllu"]


BROKEN = "1\tHi\t_\t_"


@pytest.mark.parametrize(("suffix", "broken"), [(".conllu", BROKEN), (".sdp", "#SDP 2015\n#22\n1\tHi")])
def test_parse_inputs_damaged_sentence_as_json(
    run: Run, model: tuple[str, ...], sample: Path, tmp_path: Path, suffix: str, broken: str
) -> None:
    (tmp_path / f"in{suffix}").write_text(broken + "\n")
    result = run("parse", tmp_path / f"in{suffix}", sample, "--to", "json", *model)
    assert result.code == 1
    first, *others = map(json.loads, result.text.splitlines())
    assert first["lines"] == broken.splitlines()
    assert "found " in first["error"]
    assert len(others) == len(list(read(sample)))


def test_parse_inputs_json_is_utf8(run: Run, model: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "in.conllu").write_bytes(b"1\tb\xffd\t_\t_\t_\t_\t_\t_\t_\t_\n\n")
    result = run("parse", tmp_path / "in.conllu", "--to", "json", *model)
    assert result.code == 1
    assert json.loads(result.text)["lines"][0].startswith("1\tb\ufffdd\t")


@pytest.mark.parametrize("end", [BROKEN, f"{BROKEN}\n", "# a comment and no more"])
def test_parse_inputs_are_kept_apart_in_one_output(
    run: Run, model: tuple[str, ...], sample: Path, tmp_path: Path, end: str
) -> None:
    (tmp_path / "in.conllu").write_text(sample.read_text(encoding="utf-8") + end, encoding="utf-8")
    result = run("parse", tmp_path / "in.conllu", sample, "-o", tmp_path / "out.conllu", *model)
    assert result.code == 1
    one = run("parse", sample, *model).text
    assert (tmp_path / "out.conllu").read_text(encoding="utf-8") == f"{one}{end.strip()}\n\n{one}"


def test_parse_inputs_stream_is_given_once(run: Run, model: tuple[str, ...], tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for stream in ("-", tmp_path / "pipe"):
        result = run("parse", stream, stream, *model, stdin=TEXT.encode())
        assert (result.code, result.out) == (2, b"")
        assert "can be read only once" in result.err


def test_parse_inputs_resumed_stream_must_be_the_same(
    run: Run, model: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from arctag.cli import parse
    from arctag.parsing import jobs, workers

    monkeypatch.setattr(jobs, "WORDS", 20)
    text = "".join(f"She sings {word} times.\n\n" for word in ("one", "two", "ten") * 20)
    whole, out = tmp_path / "whole.conllu", tmp_path / "out.conllu"
    call = ("parse", "-", "--format", "text", *model)
    assert run(*call, "-o", whole, stdin=text.encode()).code == 0

    def interrupted(given: Iterable[Any], *rest: Any) -> Iterator[Any]:
        yield from islice(real(given, *rest), 3)
        raise KeyboardInterrupt

    real = workers.run_jobs
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parse, "run_jobs", interrupted)
        assert run(*call, "-o", out, stdin=text.encode()).code == 130
    for other in (text.replace("one", "six"), text[:30], ""):
        result = run(*call, "-o", out, "--resume", stdin=other.encode())
        assert result.code == 2
        assert "cannot resume" in result.err
    assert run(*call, "-o", out, "--resume", stdin=text.encode()).code == 0
    assert out.read_bytes() == whole.read_bytes()


def test_parse_inputs_without_a_sentence_give_whole_files(run: Run, model: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text(" \n")
    assert run("parse", tmp_path / "in.txt", "-o", tmp_path / "out.conllu.gz", *model).code == 0
    assert gzip.decompress((tmp_path / "out.conllu.gz").read_bytes()) == b""
    assert run("parse", tmp_path / "in.txt", "--to", "sdp", *model).text == "#SDP 2015\n"


def test_parse_inputs_endings_may_be_in_capitals(run: Run, model: tuple[str, ...], tmp_path: Path) -> None:
    texts = tmp_path / "texts"
    texts.mkdir()
    for name in ("A.TXT", "v1.0.txt", "v1.1.Txt"):
        (texts / name).write_text(TEXT)
    for given in ([texts], sorted(texts.iterdir())):
        out = tmp_path / f"out{len(given)}"
        assert run("parse", *given, "-o", f"{out}/", *model).code == 0
        assert sorted(path.name for path in out.iterdir()) == ["A.conllu", "v1.0.conllu", "v1.1.conllu"]


def test_parse_inputs_drawing_counts_its_sentences(run: Run, model: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "in.conllu").write_text(BROKEN + "\n")
    result = run("parse", tmp_path / "in.conllu", "--to", "text", *model)
    assert "1 of 1 sentences were passed through unparsed" in result.err


def test_parse_conllup_adds_the_columns_that_it_fills(
    run: Run, tmp_path: Path, model: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    plus, other, out = tmp_path / "a.conllup", tmp_path / "b.conllup", tmp_path / "out"
    plus.write_text("# global.columns = FORM ID X:NE\nbroken\n\n" + "She\t1\tO\nleft\t2\tO\n\n" * 3)
    other.write_text("# global.columns = ID FORM\n1\tGo\n\n")
    monkeypatch.setattr(pieces, "SIZE", 1)
    monkeypatch.setattr(jobs, "WORDS", 1)  # a job for each sentence
    assert run("parse", plus, other, "-o", f"{out}/", *model).code == 1  # a sentence is broken
    lines = (out / "a.conllup").read_text().splitlines()
    assert lines[:2] == ["# global.columns = FORM ID X:NE HEAD DEPREL DEPS", "broken"]
    assert [line.split("\t")[:3] for line in lines if line.startswith("She")] == [["She", "1", "O"]] * 3
    assert [len(s.graph.heads) > 0 for s in read(out / "a.conllup", on_error=lambda _: None)][1:] == [True] * 3
    assert (out / "b.conllup").read_text().startswith("# global.columns = ID FORM HEAD DEPREL DEPS\n1\tGo\t")
    failed = run("parse", plus, other, "-o", tmp_path / "both.conllup", *model)
    assert (failed.code, "its inputs differ in their columns" in failed.err) == (2, True)
