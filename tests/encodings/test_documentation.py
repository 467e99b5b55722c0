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
from arctag.backends.torch.heads import RELATION_HEADS
from arctag.encodings import ENCODINGS
from arctag.errors import FormatError
from arctag.formats import FORMATS
from arctag.metrics import METRICS
from arctag.modelfile.networks import BACKENDS
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
    tables: list[dict[str, Any]] = [ENCODINGS, FORMATS, METRICS, ENCODERS, RELATION_HEADS, BACKENDS]
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


SIZES: dict[str, Any] = {
    **dict.fromkeys(("size", "word_size", "char_size", "tag_size", "tag_hidden", "arc_hidden"), 8),
    "layers": 2, "epochs": 1, "tokenizer": False,
}  # fmt: skip


def same_graphs(one: arctag.Parser, other: arctag.Parser) -> bool:
    mine, its = ([s.graph for s in parser.parse(Path("sample.conllu"))] for parser in (one, other))
    return mine == its


def test_documentation_own_encoder_trains_and_says_that_it_cannot_be_exported(workshop: Path, run: Run) -> None:
    pytest.importorskip("torch")
    run_blocks("extend.md", workshop)
    import_module("window")
    parser = arctag.train("sample.conllu", encoder="window", output="model", **SIZES)
    assert parser.config.encoder == "window"
    assert same_graphs(parser, arctag.load("model"))
    result = run("export", "-m", "model", "-o", "exported")
    assert (result.code, result.out) == (2, b"")
    assert (
        result.err
        == "arctag: the encoder Window cannot be exported: it has no ONNX version; the model runs with torch only\n"
    )
    assert not Path("exported").exists()


def test_documentation_own_relation_head_trains_and_is_exported(workshop: Path, run: Run) -> None:
    pytest.importorskip("torch")
    run_blocks("extend.md", workshop)
    import_module("difference")
    parser = arctag.train("sample.conllu", relation_head="difference", output="model", **SIZES)
    assert (parser.config.relation_head, parser.config.relation_hidden) == ("difference", 200)
    assert same_graphs(parser, arctag.load("model"))
    assert run("export", "-m", "model", "-o", "exported", "--precision", "fp32").code == 0
    assert same_graphs(parser, arctag.load("exported"))


def test_documentation_own_backend_is_replaced_by_another(workshop: Path) -> None:
    run_blocks("extend.md", workshop)
    assert {path.name for path in Path("frequent-model").iterdir()} == {
        "README.md", "checksums.json", "config.json", "frequent.npy", "inputs.json", "labels.json",
    }  # fmt: skip
    arctag.load("en").save("frequent-model", force=True)
    assert not Path("frequent-model", "frequent.npy").exists()
    assert type(arctag.load("frequent-model").backend).__name__ == "OnnxBackend"


@pytest.mark.full
def test_documentation_own_encoding_passes_the_suite(workshop: Path) -> None:
    run_blocks("extend.md", workshop)
    arguments = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "test_neighbours.py"]
    done = subprocess.run([sys.executable, *arguments], capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout
    assert "13 passed" in done.stdout
