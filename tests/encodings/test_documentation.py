"""The examples of docs/encodings.md and docs/extend.md run as written."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import arctag
from arctag.backends.torch.encoders import ENCODERS
from arctag.encodings import ENCODINGS
from arctag.errors import FormatError
from arctag.formats import FORMATS
from arctag.metrics import METRICS
from tests.conftest import Run
from tests.places import ROOT, SAMPLES

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_FILE = re.compile(r"# (\w+\.py)\n")


def blocks(document: str, kind: str) -> list[str]:
    text = (ROOT / "docs" / document).read_text(encoding="utf-8")
    return [body for name, body in _BLOCK.findall(text) if name == kind]


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder with the samples, from which modules can be imported; registries are put back."""
    for sample in SAMPLES.glob("sample.*"):
        shutil.copy(sample, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    tables: list[dict[str, object]] = [ENCODINGS, FORMATS, METRICS]  # type: ignore[list-item]
    before, modules = [dict(table) for table in tables], set(sys.modules)
    yield tmp_path
    for table, old in zip(tables, before, strict=True):
        table.clear()
        table.update(old)
    for name in set(sys.modules) - modules:
        if getattr(sys.modules[name], "__file__", None) and str(tmp_path) in str(sys.modules[name].__file__):
            del sys.modules[name]


def run_blocks(document: str, folder: Path) -> None:
    """Blocks that begin with a file's name become that file; the others are run in turn."""
    names: dict[str, object] = {}
    for block in blocks(document, "python"):
        if match := _FILE.match(block):
            (folder / match[1]).write_text(block, encoding="utf-8")
        else:
            exec(compile(block, document, "exec"), names)


@pytest.mark.parametrize("document", ["encodings.md", "extend.md"])
def test_documentation_python_runs(document: str, workshop: Path) -> None:
    assert blocks(document, "python")
    run_blocks(document, workshop)


def test_documentation_strict_labels_are_those_shown(workshop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_blocks("encodings.md", workshop)
    shown = re.search(r"^# (\[.*\])$", "".join(blocks("encodings.md", "python")), re.MULTILINE)
    assert shown is not None
    assert capsys.readouterr().out == shown[1] + "\n"


@pytest.mark.parametrize("block", blocks("encodings.md", "console"), ids=lambda block: block.split("\n")[0])
def test_documentation_console_shows_what_is_printed(block: str, run: Run) -> None:
    command, wanted = block.split("\n", 1)
    assert run(*command.removeprefix("$ arctag ").split()).text == wanted


def test_documentation_own_encoding_is_short() -> None:
    example = next(block for block in blocks("extend.md", "python") if block.startswith("# neighbours.py"))
    assert len([line for line in example.splitlines() if line.strip()]) < 40


def test_documentation_own_encoding_works_on_the_command_line(workshop: Path) -> None:
    run_blocks("extend.md", workshop)
    [block] = blocks("extend.md", "console")
    command, wanted = block.split("\n", 1)
    arguments = command.removeprefix("$ python ").split()
    done = subprocess.run([sys.executable, *arguments], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout == wanted


def test_documentation_own_format_passes_damage_through(workshop: Path) -> None:
    run_blocks("extend.md", workshop)
    text = "She/2:nsubj sings/0:root\nbad/x:y\nYes/0:root\n"
    Path("in.oneline").write_text(text, encoding="utf-8")
    reported: list[FormatError] = []
    sentences = list(arctag.read("in.oneline", on_error=reported.append))
    assert [str(error) for error in reported] == ["in.oneline:2: found 'bad/x:y'; expected word/head:relation"]
    assert [bool(sentence.error) for sentence in sentences] == [False, True, False]
    arctag.write(sentences, "out.oneline")
    assert Path("out.oneline").read_text(encoding="utf-8") == text


def test_documentation_own_encoder_trains(workshop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    run_blocks("extend.md", workshop)
    monkeypatch.setitem(ENCODERS, "window", "Window")
    monkeypatch.setitem(sys.modules, "arctag.backends.torch.encoders.window", import_module("window"))
    sizes: dict[str, Any] = dict.fromkeys(("size", "words", "char_size", "tag_size", "hidden", "arc_size"), 8)
    parser = arctag.train("sample.conllu", encoder="window", layers=2, epochs=1, out="model", **sizes)
    assert parser.config.encoder == "window"
    before, after = ([s.graph for s in p.parse(Path("sample.conllu"))] for p in (parser, arctag.load("model")))
    assert before == after


@pytest.mark.full
def test_documentation_own_encoding_passes_the_suite(workshop: Path) -> None:
    run_blocks("extend.md", workshop)
    arguments = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "test_neighbours.py"]
    done = subprocess.run([sys.executable, *arguments], capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout
    assert "13 passed" in done.stdout
