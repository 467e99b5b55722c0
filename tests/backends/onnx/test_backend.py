"""Exported networks: company and threads do not matter, odd input is no trouble, hostile files are refused."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="the networks to be run are made by torch: pip install 'arctag[train]'")
pytest.importorskip("onnx", reason="the networks to be run are exported by onnx: pip install 'arctag[train]'")

import onnx
from onnx import TensorProto, helper, numpy_helper

from arctag.backends.inputs import Tokens
from arctag.backends.onnx.backend import OnnxBackend
from arctag.backends.onnx.feeds import char_paths, word_paths
from arctag.backends.onnx.file import read_onnx
from arctag.backends.onnx.windows import Windows
from arctag.errors import InputError
from arctag.modelfile.config import ModelConfig
from arctag.modelfile.networks import BACKENDS
from arctag.parsing.loading import load
from arctag.parsing.parser import ParseOptions
from tests.backends.torch.pretrained import PRETRAINED
from tests.conftest import Run
from tests.exported import (
    FRESH,
    SENTENCES,
    Export,
    arcs,
    each_alone,
    export,
    fresh,
    predicted,
    sample_words,
    tokens,
)
from tests.networks import graph_layer, graphs
from tests.patience import HANGS

pytestmark = pytest.mark.usefixtures("one_thread")
PRECISIONS = ("fp32", "int8")


@pytest.fixture(scope="module")
def bert(one_thread: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small pretrained encoder in 8 bits; its windows take 30 subwords."""
    root = tmp_path_factory.mktemp("bert")
    folder = fresh(root / "m", encoder=str(PRETRAINED["bert"](root / "encoder")), context_layers=1)
    return export(folder, "int8")


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("kind", FRESH)
def test_onnx_backend_company_changes_no_bit(exports: Export, kind: str, precision: str) -> None:
    parser = load(exports(kind, precision))
    sentences = [*SENTENCES, *sample_words()]
    alone = each_alone(parser, sentences, 0.45)
    for order in (np.arange(len(sentences)), np.random.default_rng(1).permutation(len(sentences))):
        found = predicted(parser, [sentences[i] for i in order], 0.45)
        assert [arcs(found, at) for at in range(len(order))] == [alone[i] for i in order]


def test_onnx_backend_company_changes_no_bit_for_subwords(bert: Path) -> None:
    parser = load(bert)
    sentences = [*SENTENCES, *sample_words(), ["She", "wants", "to", "wait"] * 15]
    found = predicted(parser, sentences)
    assert [arcs(found, i) for i in range(len(sentences))] == each_alone(parser, sentences)


def test_onnx_backend_threads_change_nothing(bert: Path) -> None:
    parser = load(bert)
    arrays = parser.inputs.arrays(tokens(sample_words()))
    one, three = (OnnxBackend(parser.config, bert, threads=n) for n in (1, 3))
    assert len(three._sentences(arrays["lengths"])) == 3
    mine, its = one.read(arrays, ["graph"]).tables["graph"], three.read(arrays, ["graph"]).tables["graph"]
    assert mine.keys() == its.keys()
    assert all(np.array_equal(mine[name], its[name]) for name in mine)


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("kind", ["verified", "baseline", "tuples", "words alone"])
def test_onnx_backend_batches_of_nothing(exports: Export, kind: str, precision: str) -> None:
    parser = load(exports(kind, precision))
    batches: list[list[list[str]]] = [[], [[]], [[], []]]
    for batch in batches:
        found = predicted(parser, batch)
        assert (len(found.heads), len(found.sizes)) == (0, len(batch))
    assert list(parser.parse([])) == []
    between = predicted(parser, [[], ["She", "sings"], [], ["."], []])
    assert [arcs(between, 1), arcs(between, 3)] == each_alone(parser, [["She", "sings"], ["."]])


@pytest.mark.parametrize("kind", ["verified", "factored", "plain"])
def test_onnx_backend_no_arcs(exports: Export, kind: str) -> None:
    parser = load(exports(kind, "int8"))
    state = parser.backend.read(parser.inputs.arrays(tokens(SENTENCES)), ["graph"])
    none = np.zeros(0, dtype=np.int64)
    assert [len(found) for found in parser.backend.relations(state, "graph", none, none)] == [0, 0]
    if graph_layer(parser).verify:
        assert len(parser.backend.verify(state, "graph", none, none)) == 0


def test_onnx_backend_batch_of_nothing_for_subwords(bert: Path) -> None:
    assert len(predicted(load(bert), []).heads) == 0


@pytest.mark.parametrize("words", [["."], [""], ["t" * 500], ["\x01", "\u200b"]], ids=["dot", "empty", "long", "odd"])
def test_onnx_backend_odd_words(exports: Export, bert: Path, words: list[str]) -> None:
    for folder in (exports("verified", "int8"), bert):
        found = predicted(load(folder), [words, ["She"]])
        assert found.sizes.tolist() == [len(words), 1]


def test_onnx_backend_sentence_of_5000_words(exports: Export, bert: Path) -> None:
    words = (["She", "wants", "to", "feed", "the", "cat"] * 1000)[:5000]
    for folder in (exports("verified", "int8"), bert):
        (sentence,) = load(folder).parse([words], ParseOptions(threshold=0.0))
        assert sentence.graph.n == 5000
        assert sentence.graph.arc_set()


def test_onnx_backend_saves_what_it_loaded(bert: Path, exports: Export, tmp_path: Path) -> None:
    for i, folder in enumerate((bert, exports("tuples", "fp32"))):
        parser = load(folder)
        parser.save(tmp_path / str(i))
        assert graphs(load(tmp_path / str(i)), SENTENCES) == graphs(parser, SENTENCES)


def test_onnx_backend_runs_where_there_is_no_torch(bert: Path, sample: Path, tmp_path: Path) -> None:
    script = (
        "import sys\n"
        "for name in ('torch', 'transformers', 'safetensors', 'onnx'): sys.modules[name] = None\n"
        "from arctag.cli import main\n"
        "main(sys.argv[1:])\n"
    )
    out = tmp_path / "parsed.conllu"
    for arguments, report in (
        (["parse", sample, "-m", bert, "-o", out], "lost: 4 empty nodes\n"),
        (["evaluate", sample, "-m", bert], ""),
        (["models", "info", bert], ""),
        (["bench", "parse", bert, sample], ""),
    ):
        command = [sys.executable, "-c", script, *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=HANGS)
        assert (done.returncode, done.stderr) == (0, report)
    assert out.read_text(encoding="utf-8").count("\n\n") == sample.read_text(encoding="utf-8").count("\n\n")


def test_onnx_backend_model_for_torch_says_what_to_install(exports: Export, sample: Path) -> None:
    script = "import sys; sys.modules['torch'] = None\nfrom arctag.cli import main\nmain(sys.argv[1:])\n"
    command = [sys.executable, "-c", script, "parse", str(sample), "-m", str(exports("plain"))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANGS)
    assert done.returncode == 2
    assert done.stderr.endswith("pip install 'arctag[train]'\n")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("device", ["cuda", "cuda:3", "mps", "cpu:0", "cuda:x"])
def test_onnx_backend_on_another_device(exports: Export, device: str) -> None:
    import onnxruntime

    if device.startswith("cuda") and "CUDAExecutionProvider" in onnxruntime.get_available_providers():
        pytest.skip("there is a GPU")
    with pytest.raises(InputError, match=f"device '{device}' cannot be used"):
        load(exports("plain", "int8"), device)


def test_onnx_backend_words_are_read_in_both_directions() -> None:
    lengths = np.array([3, 1, 2])
    paths = word_paths(lengths)
    assert paths["forward"].shape == (3, 3)
    for name, end in (("forward", 1), ("backward", -1)):
        for i, words in enumerate(([0, 1, 2], [3], [4, 5])):
            assert paths[name][: len(words), i].tolist() == words[::end]
        found_again = paths[name].ravel()[paths[f"{name}_places"]]
        assert found_again.tolist() == list(range(6))


def test_onnx_backend_characters_are_read_in_both_directions() -> None:
    chars = np.array([[5, 6, 7], [8, 0, 0], [0, 0, 0]])
    paths = char_paths(chars, np.array([3, 1, 0]))
    assert paths["chars_forward"][:, 0].tolist() == [5, 6, 7]
    assert paths["chars_backward"][:, 0].tolist() == [7, 6, 5]
    assert paths["chars_forward"].ravel()[paths["chars_last"]].tolist() == [7, 8, 0]
    assert paths["chars_backward"].ravel()[paths["chars_last"]].tolist() == [5, 8, 0]


def test_onnx_backend_windows_run_with_their_like() -> None:
    mask = np.array([[1, 1, 1, 0], [1, 1, 1, 1], [1, 1, 1, 0], [1, 1, 0, 0], [1, 1, 1, 0]])
    subwords = np.arange(20).reshape(5, 4)
    first = np.array([1, 5, 6, 9, 13, 17])
    last = np.array([1, 5, 6, 9, 13, 17])
    windows = Windows({"subwords": subwords, "mask": mask, "first": first, "last": last})
    jobs = windows.jobs(6)
    assert [job.tolist() for job in jobs] == [[1], [0, 2], [4], [3]]
    for job in jobs:
        states = windows.take(job)[..., None].astype(np.float32)
        words, vectors = windows.pool(job, states)
        assert vectors[:, 0].tolist() == first[words].tolist()


Edit = Callable[[Any], object]


def outside(model: Any) -> None:
    """Weights that are to be read from another file."""
    tensor = model.graph.initializer[0]
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value="../../etc/passwd")


def outside_in_a_step(model: Any) -> None:
    """The same inside the graph of a loop."""
    body = next(a.g for node in model.graph.node for a in node.attribute if a.name == "body")
    body.initializer[0].external_data.add(key="location", value="/etc/passwd")


def outside_in_a_constant(model: Any) -> None:
    """The same as the value of a node."""
    node = model.graph.node.add(op_type="Constant", output=["z"])
    tensor = node.attribute.add(name="value", type=onnx.AttributeProto.TENSOR).t
    tensor.data_location = TensorProto.EXTERNAL


def add_node(*arguments: Any, **more: Any) -> Edit:
    return lambda model: model.graph.node.append(helper.make_node(*arguments, **more))


def function(model: Any) -> None:
    model.functions.append(helper.make_function("mine", "f", [], [], [], []))


HOSTILE: dict[str, tuple[Edit, str]] = {
    "another file": (outside, "weights in another file"),
    "another file in a step": (outside_in_a_step, "weights in another file"),
    "another file in a constant": (outside_in_a_constant, "weights in another file"),
    "function": (function, "functions of its own"),
    "foreign operator": (add_node("Evil", [], ["z"], domain="mine"), "the operator 'Evil'"),
    "operator that loads files": (add_node("EPContext", [], ["z"], domain="com.microsoft"), "the operator 'EPContext'"),
    "endless loop": (add_node("Loop", [], ["z"]), "the operator 'Loop'"),
    "unknown operator": (add_node("NoSuch", [], ["z"]), "NoSuch"),
    "no nodes": (lambda model: model.graph.ClearField("node"), "cannot be used"),
    "another version": (lambda model: helper.set_model_props(model, {"arctag_format": "99"}), "export it again"),
    "no version": (lambda model: model.ClearField("metadata_props"), "export it again"),
    "output missing": (lambda model: model.graph.output.pop(), "does not fit config.json"),
    "other names": (lambda model: setattr(model.graph.output[0], "name", "z"), "cannot be used"),
}


@pytest.fixture
def folder(exports: Export, tmp_path: Path) -> Path:
    """A copy that may be damaged, without the checksums that would tell."""
    copy = Path(shutil.copytree(exports("verified", "int8"), tmp_path / "model"))
    (copy / "checksums.json").unlink()
    return copy


def refused(run: Run, folder: Path, sample: Path) -> str:
    """The one line with which a folder is refused."""
    result = run("parse", sample, "-m", folder)
    assert (result.code, result.out) == (2, b"")
    assert result.err.count("\n") == 1
    assert result.err.startswith("arctag: ")
    return result.err


@pytest.mark.parametrize("name", HOSTILE)
def test_onnx_backend_hostile_network(run: Run, folder: Path, sample: Path, name: str) -> None:
    edit, reason = HOSTILE[name]
    model = onnx.load(folder / "words.onnx")
    edit(model)
    (folder / "words.onnx").write_bytes(model.SerializeToString())
    assert reason in refused(run, folder, sample)


@pytest.mark.parametrize("damage", ["empty", "half", "text", "zeros", "ones"])
@pytest.mark.parametrize("name", ["words.onnx", "layer-graph.onnx", "arcs-graph.onnx"])
def test_onnx_backend_damaged_files(run: Run, folder: Path, sample: Path, name: str, damage: str) -> None:
    whole = (folder / name).read_bytes()
    damaged = {"empty": b"", "half": whole[: len(whole) // 2], "text": b"not a network", "zeros": bytes(99)}
    (folder / name).write_bytes(damaged.get(damage, b"\xff" * 99))
    assert name in refused(run, folder, sample)


def test_onnx_backend_file_too_large(run: Run, folder: Path, sample: Path) -> None:
    with open(folder / "arcs-graph.onnx", "r+b") as file:
        file.truncate(2**31)
    assert "arcs-graph.onnx: the network cannot be used (2147483648 bytes)" in refused(run, folder, sample)


@pytest.mark.parametrize("name", ["words.onnx", "layer-graph.onnx", "arcs-graph.onnx"])
def test_onnx_backend_missing_file(run: Run, folder: Path, sample: Path, name: str) -> None:
    (folder / name).unlink()
    assert f"{name} is missing" in refused(run, folder, sample)


def test_onnx_backend_missing_file_is_named_without_torch(folder: Path, sample: Path) -> None:
    (folder / "words.onnx").unlink()
    script = "import sys; sys.modules['torch'] = None\nfrom arctag.cli import main\nmain(sys.argv[1:])\n"
    command = [sys.executable, "-c", script, "parse", str(sample), "-m", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANGS)
    assert (done.returncode, done.stderr) == (2, f"arctag: {folder} is not a model folder: words.onnx is missing\n")


def test_onnx_backend_save_of_a_model_that_is_gone(folder: Path, tmp_path: Path) -> None:
    parser = load(folder)
    (folder / "arcs-graph.onnx").unlink()
    with pytest.raises(InputError, match=r"arcs-graph\.onnx is gone since the model was loaded"):
        parser.save(tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


NOT_FINITE: dict[str, Callable[[str, list[float]], Any]] = {
    "raw": lambda name, values: numpy_helper.from_array(np.array(values, np.float32), name),
    "half": lambda name, values: numpy_helper.from_array(np.array(values, np.float16), name),
    "one by one": lambda name, values: helper.make_tensor(name, TensorProto.FLOAT, [len(values)], values),
    "double": lambda name, values: helper.make_tensor(name, TensorProto.DOUBLE, [len(values)], values),
}


@pytest.mark.parametrize("bad", [float("nan"), float("-inf")])
@pytest.mark.parametrize("kind", NOT_FINITE)
def test_onnx_backend_weights_that_are_no_numbers(run: Run, folder: Path, sample: Path, kind: str, bad: float) -> None:
    for values, fine in (([0.0, 1.0], True), ([0.0, bad], False)):
        model = onnx.load(folder / "arcs-graph.onnx")
        model.graph.initializer.append(NOT_FINITE[kind]("unused", values))
        (folder / "arcs-graph.onnx").write_bytes(model.SerializeToString())
        if fine:
            assert run("parse", sample, "-m", folder).code == 0
        else:
            assert "arcs-graph.onnx: the network cannot be used (a weight is not" in refused(run, folder, sample)


def test_onnx_backend_network_of_another_model(run: Run, exports: Export, folder: Path, sample: Path) -> None:
    shutil.copy(exports("union", "int8") / "layer-graph.onnx", folder)
    assert "does not fit config.json" in refused(run, folder, sample)


def test_onnx_backend_labels_that_do_not_exist(run: Run, folder: Path, sample: Path) -> None:
    model = onnx.load(folder / "layer-graph.onnx")
    (node,) = (node for node in model.graph.node if "best0" in node.output)
    node.output[0] = "fine"
    model.graph.initializer.append(helper.make_tensor("far", TensorProto.INT64, [1, 1], [10**6]))
    model.graph.node.append(helper.make_node("Add", ["fine", "far"], ["best0"]))
    (folder / "layer-graph.onnx").write_bytes(model.SerializeToString())
    result = run("parse", sample, "-m", folder)
    assert result.code == 1  # every sentence is passed through and told
    assert "does not fit config.json (best0)" in result.err


def test_onnx_backend_reads_nothing_but_what_was_exported(exports: Export) -> None:
    for precision in PRECISIONS:
        folder = exports("verified", precision)
        assert [read_onnx(path)[:1] for name in BACKENDS["onnx"].files for path in folder.glob(name)]


def test_onnx_backend_without_its_encoder(folder: Path, bert: Path, tmp_path: Path) -> None:
    assert OnnxBackend(ModelConfig.load(folder), folder).device == "cpu"
    copy = Path(shutil.copytree(bert, tmp_path / "bert"))
    (copy / "encoder.onnx").unlink()
    with pytest.raises(InputError, match=r"encoder\.onnx is missing"):
        OnnxBackend(ModelConfig.load(copy), copy)


def test_onnx_backend_inputs_of_another_kind(folder: Path, bert: Path) -> None:
    words, subwords = load(folder), load(bert)
    for backend, inputs, missing in (
        (words.backend, subwords.inputs, "words"),
        (subwords.backend, words.inputs, "subwords"),
    ):
        with pytest.raises(InputError, match=r"the network does not fit inputs\.json") as caught:
            backend.read(inputs.arrays([Tokens(["a", "b"])]), ["graph"])
        assert missing in str(caught.value) or "chars" in str(caught.value) or "types" in str(caught.value)
