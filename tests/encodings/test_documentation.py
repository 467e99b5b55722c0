"""What docs/extend.md shows works beyond the page: on the command line, in training, with damaged files."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import arctag
from arctag.errors import FormatError
from tests.conftest import Run
from tests.documents import code_blocks, run_page
from tests.networks import graph_layer
from tests.places import ROOT

PAGE = ROOT / "docs" / "extend.md"


@pytest.fixture
def extended(examples_folder: Path, run: Run) -> Path:
    """A folder in which the examples of the page were run."""
    run_page(PAGE, run)
    return examples_folder


def test_documentation_own_encoding_is_short() -> None:
    example = next(block for block in code_blocks(PAGE, "python") if block.startswith("# neighbours.py"))
    assert len([line for line in example.splitlines() if line.strip()]) < 40


def test_documentation_own_format_passes_damage_through(extended: Path) -> None:
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
    "layers": ("graph",), "encoder_layers": 2, "epochs": 1, "tokenizer": False,
}  # fmt: skip


def same_graphs(one: arctag.Parser, other: arctag.Parser) -> bool:
    mine, its = ([s.graph for s in parser.parse(Path("sample.conllu"))] for parser in (one, other))
    return mine == its


def test_documentation_own_encoder_trains_and_says_that_it_cannot_be_exported(extended: Path, run: Run) -> None:
    pytest.importorskip("torch")
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


def test_documentation_own_layer_trains_and_is_exported(extended: Path, run: Run) -> None:
    pytest.importorskip("torch")
    import_module("morphology")
    keys = {**SIZES, "layers": ("morphology=UPOS", "graph"), "epochs": 3}
    parser = arctag.train("sample.conllu", output="model", **keys)
    assert parser.config.names == ("morphology", "graph", "tree")
    assert run("export", "-m", "model", "-o", "exported", "--precision", "fp32").code == 0
    for loaded in (parser, arctag.load("model"), arctag.load("exported")):
        (sentence,) = loaded.parse([["She", "sings"]])
        assert all(
            f"{upos} {feats}" in known_pairs()
            for upos, feats in zip(sentence.column(3), sentence.column(5), strict=True)
        )


def known_pairs() -> set[str]:
    return {f"{row[3]} {row[5]}" for sentence in arctag.read("sample.conllu") for row in sentence.rows}


def test_documentation_own_relation_head_trains_and_is_exported(extended: Path, run: Run) -> None:
    pytest.importorskip("torch")
    import_module("difference")
    parser = arctag.train("sample.conllu", relation_head="difference", output="model", **SIZES)
    layer = graph_layer(parser)
    assert (layer.relation_head, layer.relation_hidden) == ("difference", 200)
    assert same_graphs(parser, arctag.load("model"))
    assert run("export", "-m", "model", "-o", "exported", "--precision", "fp32").code == 0
    assert same_graphs(parser, arctag.load("exported"))


def test_documentation_own_backend_is_replaced_by_another(extended: Path) -> None:
    assert {path.name for path in Path("frequent-model").iterdir()} == {
        "README.md", "checksums.json", "config.json", "frequent.npy", "inputs.json", "labels.json",
    }  # fmt: skip
    arctag.load("en").save("frequent-model", force=True)
    assert not Path("frequent-model", "frequent.npy").exists()
    assert type(arctag.load("frequent-model").backend).__name__ == "OnnxBackend"


@pytest.mark.full
def test_documentation_own_encoding_passes_the_suite(extended: Path) -> None:
    arguments = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "test_neighbours.py"]
    done = subprocess.run([sys.executable, *arguments], capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout
    assert "14 passed" in done.stdout
