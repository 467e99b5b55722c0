"""`arctag export`: what is written, and that it says what the trained network says."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="exporting needs torch: pip install 'arctag[train]'")
pytest.importorskip("onnx", reason="exporting needs onnx: pip install 'arctag[train]'")

from arctag.analysis.evaluation import predicted_figures
from arctag.backends.onnx.backend import OnnxBackend
from arctag.errors import InputError
from arctag.layers.odds import sigmoid
from arctag.parsing.loading import load
from arctag.parsing.parser import ParseOptions, Parser
from tests.backends.torch.pretrained import PRETRAINED, SIZES, _save, _wordpiece
from tests.conftest import Run
from tests.exported import (
    FRESH,
    SENTENCES,
    Export,
    assert_alike,
    each_alone,
    export,
    fresh,
    predicted,
    sample_words,
)
from tests.networks import Models, graph_layer, graphs

pytestmark = [
    pytest.mark.usefixtures("one_thread"),
    pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated:DeprecationWarning"),
]
PRECISIONS = ("fp32", "int8")


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    from transformers.utils import logging

    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]


@pytest.fixture
def traced_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """All exports of a test start from one program: tracing an encoder takes seconds."""
    from arctag.backends.torch.export import transformer

    programs: list[Any] = []
    trace = transformer._exported

    def traced(model: Any) -> Any:
        if not programs:
            programs.append(trace(model))
        return programs[0]

    monkeypatch.setattr(transformer, "_exported", traced)


@pytest.mark.parametrize("kind", FRESH)
def test_export_in_single_precision_changes_nothing(exports: Export, kind: str) -> None:
    torch, onnx = load(exports(kind), "cpu"), load(exports(kind, "fp32"))
    assert isinstance(onnx.backend, OnnxBackend)
    threshold = 0.45 if kind == "baseline" else 0.0
    for sentences in (SENTENCES, sample_words()):
        wanted = predicted(torch, sentences, threshold)
        assert len(wanted.heads) or kind == "words alone"
        assert_alike(predicted(onnx, sentences, threshold), wanted)


@pytest.mark.parametrize("kind", ["verified", "plain", "collapsed", "sdp"])
def test_export_of_a_trained_model_gives_its_graphs(models: Models, tmp_path: Path, sample: Path, kind: str) -> None:
    trained = load(models(kind), "cpu")
    (tmp_path / "m").symlink_to(models(kind))
    words = list(trained.parse(sample))
    assert graphs(load(export(tmp_path / "m", "fp32")), words) == graphs(trained, words)
    small = graphs(load(export(tmp_path / "m", "int8")), words)
    same = [one == other for one, other in zip(small, graphs(trained, words), strict=True)]
    assert np.mean(same) > 0.6  # networks this small have labels that are as likely as others


@pytest.mark.parametrize("kind", FRESH)
def test_export_in_8_bits_is_close(exports: Export, kind: str) -> None:
    torch, onnx = load(exports(kind), "cpu"), load(exports(kind, "int8"))
    arrays = torch.inputs.arrays([*_tokens(sample_words())])
    wanted, found = torch.backend.read(arrays, ["graph"]), onnx.backend.read(arrays, ["graph"])
    layer = graph_layer(torch)
    if layer.verify or layer.biaffine:
        heads, dependents = _all_pairs(sample_words())
        exact = sigmoid(torch.backend.verify(wanted, "graph", heads, dependents))
        assert np.abs(sigmoid(onnx.backend.verify(found, "graph", heads, dependents)) - exact).max() < 0.05
    for mine, its in zip(onnx.backend.tags(found, "graph"), torch.backend.tags(wanted, "graph"), strict=True):
        assert np.abs(mine.probability - its.probability).max() < 0.05


def _tokens(sentences: list[list[str]]) -> list[Any]:
    from tests.exported import tokens

    return tokens(sentences)


def _all_pairs(sentences: list[list[str]]) -> tuple[Any, Any]:
    """Every word of the first sentence under the root and under every other."""
    words = np.arange(1, len(sentences[0]) + 1)
    return np.repeat(np.append(0, words), len(words)), np.tile(words, len(words) + 1)


def _mpnet(folder: Path) -> Path:
    from transformers import MPNetConfig, MPNetModel, PreTrainedTokenizerFast

    return _save(
        folder, _wordpiece(PreTrainedTokenizerFast), MPNetConfig, MPNetModel, max_position_embeddings=34, **SIZES
    )


def _albert(folder: Path) -> Path:
    from transformers import AlbertConfig, AlbertModel, PreTrainedTokenizerFast

    sizes = {**SIZES, "embedding_size": 8, "num_hidden_layers": 3, "max_position_embeddings": 32}
    return _save(folder, _wordpiece(PreTrainedTokenizerFast), AlbertConfig, AlbertModel, **sizes)


ENCODERS: dict[str, Callable[[Path], Path]] = {**PRETRAINED, "mpnet": _mpnet, "albert": _albert}
FULL = ("xlnet", "deberta", "modernbert", "mpnet", "albert")  # seconds each


@pytest.mark.parametrize(
    ("name", "pooling"),
    [
        ("bert", "first"), ("roberta", "mean"),
        *(pytest.param(name, "first", marks=pytest.mark.full) for name in FULL),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("traced_once")
def test_export_of_pretrained_encoders(tmp_path: Path, name: str, pooling: str) -> None:
    encoder = ENCODERS[name](tmp_path / "encoder")
    folder = fresh(tmp_path / "m", encoder=str(encoder), pooling=pooling, context_layers=1)
    torch = load(folder, "cpu")
    long = [["She", "wants", "to", "feed", "the", "cat"] * 12]  # several windows
    exact, small = (load(export(folder, precision)) for precision in PRECISIONS)
    for sentences in (SENTENCES, long):
        assert_alike(predicted(exact, sentences), predicted(torch, sentences))
        assert each_alone(small, sentences) == _arcs(small, sentences)
    assert graphs(small, [["She"]])
    sizes = {p: (tmp_path / f"m-{p}" / "encoder.onnx").stat().st_size for p in PRECISIONS}
    assert sizes["int8"] < 1.5 * sizes["fp32"]  # graphs this small are more words than numbers


def _arcs(parser: Parser, sentences: list[list[str]]) -> list[Any]:
    from tests.exported import arcs

    found = predicted(parser, sentences)
    return [arcs(found, i) for i in range(len(sentences))]


def test_export_in_8_bits_is_small(tmp_path: Path) -> None:
    folder = fresh(
        tmp_path / "m", size=200, encoder_layers=2, tag_hidden=200, relation_hidden=200, arc_hidden=200, word_size=100
    )
    weights = (folder / "model.safetensors").stat().st_size
    sizes = {p: sum(f.stat().st_size for f in export(folder, p).glob("*.onnx")) for p in PRECISIONS}
    assert sizes["fp32"] < 1.05 * weights
    assert sizes["int8"] < 0.28 * weights


def test_export_folder_contents(run: Run, exports: Export) -> None:
    folder = exports("verified", "int8")
    assert {path.name for path in folder.iterdir()} == {
        "config.json", "labels.json", "inputs.json", "README.md", "words.onnx", "layer-graph.onnx", "arcs-graph.onnx",
        "checksums.json",
    }  # fmt: skip
    assert "| precision | int8 |" in (folder / "README.md").read_text(encoding="utf-8")
    text = run("models", "info", folder).text
    assert "precision\tint8\n" in text
    assert f"bytes\t{sum(path.stat().st_size for path in folder.iterdir())}\n" in text


def test_export_over_an_older_one(run: Run, exports: Export, tmp_path: Path) -> None:
    out = tmp_path / "out"
    for kind, names in (
        ("tuples", {"words.onnx", "layer-graph.onnx"}),
        ("plain", {"words.onnx", "layer-graph.onnx", "arcs-graph.onnx"}),
        ("tuples", {"words.onnx", "layer-graph.onnx"}),
    ):
        assert run("export", "-m", exports(kind), "-o", out, "--force") == (0, b"", "")
        assert {path.name for path in out.glob("*.onnx")} == names
    load(exports("plain"), "cpu").save(out, force=True)  # a model for torch in its place
    assert not list(out.glob("*.onnx"))
    assert (out / "model.safetensors").is_file()
    run("export", "-m", exports("plain"), "-o", out, "--force")
    assert not (out / "model.safetensors").exists()


def test_export_replaces_another_model_only_by_force(run: Run, exports: Export, tmp_path: Path) -> None:
    out = tmp_path / "out"
    load(exports("plain"), "cpu").save(out)
    (out / "notes.txt").write_text("mine")
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    result = run("export", "-m", exports("verified"), "-o", out)
    assert (result.code, result.out, result.err.count("\n")) == (2, b"", 1)
    assert "holds a model: choose another folder, or replace a model in it with --force" in result.err
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before
    assert run("export", "-m", exports("verified"), "-o", out, "--force").code == 0
    assert (out / "notes.txt").read_text() == "mine"
    assert not (out / "model.safetensors").exists()
    load(out)


def test_export_with_scores_is_as_it_was_written(run: Run, exports: Export, tmp_path: Path, sample: Path) -> None:
    out = tmp_path / "out"
    assert run("export", "-m", exports("verified"), "-o", out, "--test", sample).code == 0
    rows = load(out).config.card["scores"]
    assert {row["file"] for row in rows} == {"data/sample.conllu"}
    assert [row["figure"] for row in rows] == ["UF", "LF", *predicted_figures(["tree", "graph"])]
    assert "ELAS" in (out / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("force", [(), ("--force",)])
def test_export_refuses_to_write_over_the_model(run: Run, exports: Export, force: tuple[str, ...]) -> None:
    folder = exports("plain")
    result = run("export", "-m", folder, "-o", f"{folder}/../{folder.name}", *force)
    assert (result.code, result.out) == (2, b"")
    assert "holds the model itself" in result.err
    assert (folder / "model.safetensors").is_file()


def test_export_of_an_exported_model_is_refused(run: Run, exports: Export, tmp_path: Path) -> None:
    result = run("export", "-m", exports("plain", "int8"), "-o", tmp_path / "out")
    assert (result.code, result.out) == (2, b"")
    assert "is exported already" in result.err
    assert not (tmp_path / "out").exists()


def test_export_without_torch_says_what_to_install(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name.startswith("arctag.backends.torch.export"):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    result = run("export", "-m", tmp_path, "-o", tmp_path / "out")
    assert (result.code, result.out) == (2, b"")
    assert result.err.endswith("pip install 'arctag[train]'\n")


def test_export_of_an_encoder_that_torch_cannot_export(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch

    folder = fresh(tmp_path / "m", encoder=str(PRETRAINED["bert"](tmp_path / "encoder")))

    def fails(*_: object, **__: object) -> None:
        raise RuntimeError("no such operator\nand much more")

    monkeypatch.setattr(torch.onnx, "export", fails)
    result = run("export", "-m", folder, "-o", tmp_path / "out")
    assert (result.code, result.out) == (2, b"")
    assert result.err == (
        "arctag: an encoder of the kind 'bert' cannot be exported: no such operator; the model runs with torch only\n"
    )
    assert not (tmp_path / "out").exists()


def test_export_of_an_encoder_that_comes_out_wrong(tmp_path: Path) -> None:
    import onnx

    from arctag.backends.torch.encoders.transformer import Transformer
    from arctag.backends.torch.export.transformer import check

    encoder = Transformer({"model_type": "bert", "vocab_size": 100, **SIZES})
    other = onnx.parser.parse_model(
        '<ir_version: 9, opset_import: ["": 20]> g (int64[w, p] pieces) => (float[w, p, 16] vectors)'
        " { a = Cast <to = 1> (pieces) b = Constant <value = int64[1] {-1}> () c = Unsqueeze (a, b)"
        " d = Constant <value = int64[3] {1, 1, 16}> () vectors = Tile (c, d) }"
    )
    onnx.save(other, tmp_path / "other.onnx")
    with pytest.raises(InputError, match="the result differs from torch's"):
        check(tmp_path / "other.onnx", encoder.model.eval(), "bert")


def test_export_of_what_is_too_large_is_refused(
    run: Run,
    exports: Export,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from arctag.backends.torch.export import exporter

    monkeypatch.setattr(exporter, "LARGEST", 1000)
    result = run("export", "-m", exports("plain"), "-o", tmp_path / "out")
    assert (result.code, result.out) == (2, b"")
    assert "in int8 this model is too large" in result.err
    assert not (tmp_path / "out").exists()


def test_export_keeps_the_threshold_and_options(exports: Export) -> None:
    parser = load(exports("verified", "fp32"))
    torch = load(exports("verified"), "cpu")
    options = ParseOptions(probabilities=True, ensure=("attached", "acyclic"), threshold=0.5)
    mine, its = (list(p.parse(SENTENCES, options)) for p in (parser, torch))
    assert [list(s.graph.triples()) for s in mine] == [list(s.graph.triples()) for s in its]
    assert graph_layer(parser).threshold == graph_layer(torch).threshold
    assert parser.config.labels_json() == torch.config.labels_json()
