"""Hugging Face encoders from folders: trained, saved, loaded, windows, pooling; all offline."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import arctag
from arctag import read
from arctag.backends.inputs import SubwordInputs, Tokens
from arctag.backends.torch.backend import TorchBackend, to_device
from arctag.backends.torch.encoders.pretrained import load_tokenizer, subword_inputs
from arctag.backends.torch.encoders.transformer import Transformer
from arctag.backends.torch.hub import only_here
from arctag.backends.torch.torch_flags import torch_flags
from arctag.errors import InputError
from arctag.parsing.loading import load
from arctag.parsing.parser import ParseOptions, Parser
from tests.backends.torch.pretrained import POSITIONS, PRETRAINED, save_bert
from tests.networks import SMALL, fit, graphs, small

pytest.importorskip("transformers")
pytestmark = [
    pytest.mark.usefixtures("one_thread"),
    pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated:DeprecationWarning"),
]

WORDS = ["She", "wants", "to", "feed", "the", "cat", "."]
Encoders = Callable[[str], Path]


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    import huggingface_hub.constants
    from transformers.utils import logging

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]


@pytest.fixture(scope="module")
def encoders(tmp_path_factory: pytest.TempPathFactory) -> Encoders:
    root = tmp_path_factory.mktemp("encoders")

    def folder(name: str) -> Path:
        return root / name if (root / name).exists() else PRETRAINED[name](root / name)

    return folder


@pytest.fixture(scope="module")
def bert(encoders: Encoders, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model with BERT inside and nothing between it and the heads."""
    out = tmp_path_factory.mktemp("bert") / "model"
    fit(small(out, encoder=str(encoders("bert")), epochs=3, context_layers=0, encoder_learning_rate=1e-3))
    return out


def vectors(parser: Parser, sentences: list[list[str]]) -> np.ndarray[Any, Any]:
    """The encoder's vector of every word."""
    backend = parser.backend
    assert isinstance(backend, TorchBackend)
    backend.model.eval()
    arrays = parser.inputs.arrays([Tokens(words) for words in sentences])
    with torch.inference_mode():
        found: np.ndarray[Any, Any] = backend.model.encoder(to_device(arrays, backend.device)).numpy()
    return found


@pytest.mark.parametrize(("name", "pooling"), [*((name, "first") for name in PRETRAINED), ("roberta", "mean")])
def test_pretrained_trains_saves_and_loads(
    encoders: Encoders, tmp_path: Path, sample: Path, name: str, pooling: str
) -> None:
    out = tmp_path / "model"
    parser = fit(small(out, encoder=str(encoders(name)), pooling=pooling, epochs=1, encoder_learning_rate=1e-3))
    assert (out / "tokenizer").is_dir()
    moved = tmp_path / "moved"
    shutil.move(out, moved)
    again = load(moved, "cpu")
    assert graphs(again, sample) == graphs(parser, sample)
    assert np.array_equal(vectors(again, [WORDS]), vectors(parser, [WORDS]))


@pytest.mark.parametrize("name", ["bert", "roberta"])
def test_pretrained_learns_the_same_from_attention_step_by_step(encoders: Encoders, tmp_path: Path, name: str) -> None:
    config = small(tmp_path / "m", encoder=str(encoders(name)), context_layers=0, epochs=1, encoder_dropout=0.0)
    parser = fit(config)
    assert isinstance(parser.backend, TorchBackend)
    encoder = parser.backend.model.encoder
    assert isinstance(encoder, Transformer)
    inputs = to_device(parser.inputs.arrays([Tokens(WORDS), Tokens(WORDS[:3])]), parser.backend.device)
    used, found, gradients = [], [], []
    for training in (True, False):
        encoder.train(training)
        used.append(encoder.model.config._attn_implementation)
        encoder.zero_grad()
        states = encoder(inputs)
        states.square().sum().backward()
        found.append(states.detach())
        gradients.append([p.grad.clone() for p in encoder.parameters() if p.grad is not None])
    assert used == ["eager", "sdpa"]
    torch.testing.assert_close(*found)
    torch.testing.assert_close(*gradients, rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize("lstms", [0, 1])
def test_pretrained_computes_in_bf16_where_it_is_asked_to(tmp_path: Path, lstms: int) -> None:
    parser = fit(small(tmp_path / "m", encoder=str(save_bert(tmp_path / "bert")), context_layers=lstms, epochs=1))
    arrays, kinds = parser.inputs.arrays([Tokens(WORDS, ["_"] * len(WORDS))]), []
    assert isinstance(parser.backend, TorchBackend)
    product = next(one for one in parser.backend.model.encoder.modules() if isinstance(one, torch.nn.Linear))
    product.register_forward_hook(lambda _module, _input, output: kinds.append(output.dtype))
    for flags in ({"cpu_bf16": True}, {}):
        with torch_flags(flags):
            parser.backend.read(arrays, ["graph"])
    assert kinds == [torch.float32 if lstms else torch.bfloat16, torch.float32]


def test_pretrained_starts_from_the_folder_s_weights(encoders: Encoders, tmp_path: Path) -> None:
    from transformers import AutoModel

    folder = encoders("bert")
    config = small(tmp_path / "m", encoder=str(folder), epochs=1, encoder_learning_rate=0.0, weight_decay=0.0)
    parser = fit(config)  # a rate of nothing: the encoder stays as it was
    backend = parser.backend
    assert isinstance(backend, TorchBackend)
    assert isinstance(backend.model.encoder, Transformer)
    before, after = AutoModel.from_pretrained(folder).state_dict(), backend.model.encoder.model.state_dict()
    assert before.keys() == after.keys()
    assert all(torch.equal(before[key], after[key]) for key in before)


@pytest.mark.parametrize("name", PRETRAINED)
def test_pretrained_dropout_can_be_switched_off(encoders: Encoders, tmp_path: Path, name: str) -> None:
    """In training, the same words then have the same vectors each time."""
    same = []
    for rate in (0.0, 0.5):
        out = tmp_path / str(rate)
        parser = fit(small(out, encoder=str(encoders(name)), epochs=1, encoder_dropout=rate))
        assert isinstance(parser.backend, TorchBackend)
        encoder = parser.backend.model.encoder.train()
        arrays = to_device(parser.inputs.arrays([Tokens(WORDS)]), parser.backend.device)
        same.append(torch.equal(encoder(arrays), encoder(arrays)))
    assert same == [True, False]


def test_pretrained_dropout_is_not_for_other_encoders(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="encoder_dropout is for pretrained encoders; bilstm has dropout"):
        small(tmp_path, encoder="bilstm", encoder_dropout=0.1)


@pytest.mark.parametrize("name", PRETRAINED)
def test_pretrained_vectors_do_not_depend_on_the_batch(encoders: Encoders, tmp_path: Path, name: str) -> None:
    parser = fit(small(tmp_path / "m", encoder=str(encoders(name)), epochs=1))
    alone = vectors(parser, [WORDS])
    together = vectors(parser, [["The"], WORDS, [*WORDS, *WORDS, *WORDS]])
    assert np.allclose(alone, together[1 : 1 + len(WORDS)], atol=1e-5)


def test_pretrained_first_and_mean_pooling_take_the_right_subwords(bert: Path) -> None:
    parser = load(bert, "cpu")
    backend, inputs = parser.backend, parser.inputs
    assert isinstance(backend, TorchBackend)
    assert isinstance(inputs, SubwordInputs)
    encoder = backend.model.encoder
    assert isinstance(encoder, Transformer)
    subwords, settings = inputs.split(WORDS), inputs.settings
    assert max(map(len, subwords)) > 1
    flat = torch.tensor([[*settings.prefix, *(s for word in subwords for s in word), *settings.suffix]])
    encoder.eval()
    with torch.inference_mode():
        states = encoder.model(input_ids=flat).last_hidden_state[0].numpy()
    starts = np.cumsum([len(settings.prefix), *map(len, subwords)])
    assert np.allclose(vectors(parser, [WORDS]), states[starts[:-1]], atol=1e-5)
    encoder.pooling = "mean"
    inputs.settings = replace(settings, pooling="mean")
    means = [states[a:b].mean(0) for a, b in zip(starts, starts[1:], strict=False)]
    assert np.allclose(vectors(parser, [WORDS]), means, atol=1e-5)


def test_pretrained_subwords_of_a_word_are_not_capped(encoders: Encoders) -> None:
    inputs = subword_inputs(load_tokenizer(encoders("bert")), POSITIONS, "mean")
    word = "t" * 25
    assert len(inputs.split([word])[0]) == 25
    arrays = inputs.arrays([Tokens([word])])
    assert arrays["last"] - arrays["first"] + 1 == 25


def test_pretrained_word_without_subwords_is_the_unknown_one(encoders: Encoders) -> None:
    inputs = subword_inputs(load_tokenizer(encoders("bert")))
    assert inputs.split(["a", "\x01", "\u200b"]) == [inputs.split(["a"])[0], [1], [1]]
    assert len(inputs.arrays([Tokens(["\x01", "a"])])["first"]) == 2


def test_pretrained_word_is_split_as_after_a_space(encoders: Encoders) -> None:
    inputs = subword_inputs(load_tokenizer(encoders("roberta")))
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(encoders("roberta"))
    running = tokenizer(" She sings", add_special_tokens=False)["input_ids"]
    assert [subword for word in inputs.split(["She", "sings"]) for subword in word] == running


def test_pretrained_long_sentence_goes_through_windows(bert: Path) -> None:
    parser = load(bert, "cpu")
    long = [*WORDS * 12]
    assert isinstance(parser.inputs, SubwordInputs)
    arrays = parser.inputs.arrays([Tokens(long)])
    assert len(arrays["subwords"]) > 2
    assert arrays["subwords"].shape[1] <= parser.inputs.settings.window <= POSITIONS
    found = vectors(parser, [WORDS, long])
    assert found.shape == (len(WORDS) + len(long), 16)
    assert np.allclose(found[: len(WORDS)], vectors(parser, [WORDS]), atol=1e-5)
    assert np.allclose(found[len(WORDS) :], vectors(parser, [long]), atol=1e-5)


def test_pretrained_sentence_of_5000_words_parses(bert: Path) -> None:
    (sentence,) = load(bert, "cpu").parse([(WORDS * 800)[:5000]], ParseOptions(threshold=0.0))
    assert sentence.graph.n == 5000
    assert sentence.graph.arc_set()


def test_pretrained_word_longer_than_a_window_parses(bert: Path) -> None:
    (sentence,) = load(bert, "cpu").parse([["She", "t" * 500, "."]])
    assert sentence.graph.n == 3


def test_pretrained_window_too_small_is_refused(encoders: Encoders, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a window of 2 subwords is too small"):
        fit(small(tmp_path / "m", encoder=str(encoders("bert")), window=2))


def test_pretrained_window_larger_than_the_encoder_can_take_is_refused(encoders: Encoders, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"window must be at most {POSITIONS - 2}"):
        fit(small(tmp_path / "m", encoder=str(encoders("bert")), window=POSITIONS + 1))
    parser = fit(small(tmp_path / "x", encoder=str(encoders("xlnet")), window=300, epochs=1))
    assert parser.inputs.to_json()["window"] == POSITIONS  # the tokenizer's own limit holds


def test_pretrained_smaller_window_gives_every_word_a_vector(encoders: Encoders, tmp_path: Path, sample: Path) -> None:
    parser = fit(small(tmp_path / "m", encoder=str(encoders("bert")), window=8, epochs=1))
    assert parser.inputs.to_json()["window"] == 8
    assert [s.graph.n for s in parser.parse(sample)] == [sum(not e for e in s.empty) for s in read(sample)]


def test_pretrained_config_of_half_precision_is_read_in_single(encoders: Encoders, tmp_path: Path) -> None:
    folder = tmp_path / "half"
    shutil.copytree(encoders("bert"), folder)
    shape = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**shape, "dtype": "bfloat16"}))
    parser = fit(small(tmp_path / "m", encoder=str(folder), epochs=1))
    assert vectors(parser, [WORDS]).dtype == np.float32


def test_pretrained_unknown_encoder_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no-such-folder"):
        fit(small(tmp_path / "m", encoder=str(tmp_path / "no-such-folder")))


def test_pretrained_encoder_without_weights_is_an_input_error(encoders: Encoders, tmp_path: Path) -> None:
    folder = tmp_path / "bare"
    shutil.copytree(encoders("bert"), folder)
    (folder / "model.safetensors").unlink()
    with pytest.raises(InputError, match="bare"):
        fit(small(tmp_path / "m", encoder=str(folder)))


def test_pretrained_model_without_its_tokenizer_is_refused(
    bert: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(bert, tmp_path / "model")
    shutil.rmtree(tmp_path / "model" / "tokenizer")
    (tmp_path / "model" / "checksums.json").unlink()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=r"tokenizer/tokenizer\.json is missing"):
        load("model")  # 'model/tokenizer' would be a name on the hub


def test_pretrained_model_trained_in_memory_can_be_saved(tmp_path: Path, sample: Path) -> None:
    keys = {**SMALL, "epochs": 1, "encoder": str(save_bert(tmp_path / "bert")), "tokenizer": False}
    parser = arctag.train(str(sample), str(sample), **keys)
    parser.save(tmp_path / "model")
    assert graphs(load(tmp_path / "model", "cpu"), [WORDS]) == graphs(parser, [WORDS])


def test_pretrained_config_runs_no_code(bert: Path, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(bert, folder)
    (folder / "evil.py").write_text("raise SystemExit('executed')")
    config = json.loads((folder / "config.json").read_text())
    config["encoder_options"]["config"]["auto_map"] = {"AutoModel": "evil.Model", "AutoConfig": "evil.Config"}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "checksums.json").unlink()
    assert graphs(load(folder, "cpu"), [WORDS]) == graphs(load(bert, "cpu"), [WORDS])


def answering(monkeypatch: pytest.MonkeyPatch, answer: Exception | None, cached: str | None = None) -> list[float]:
    """A hub that answers so to any name; the time limits that it was given."""
    import huggingface_hub

    limits: list[float] = []

    def info(_: Any, __: str, *, timeout: float) -> None:
        limits.append(timeout)
        if answer is not None:
            raise answer

    monkeypatch.setattr(huggingface_hub.HfApi, "model_info", info)
    monkeypatch.setattr(huggingface_hub, "try_to_load_from_cache", lambda *_: cached)
    return limits


def test_pretrained_hub_is_asked_once_and_not_for_ever(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert answering(monkeypatch, None) == []
    assert only_here(tmp_path)  # a folder needs no hub
    limits = answering(monkeypatch, None)
    assert not only_here("some/encoder")
    assert limits == [pytest.approx(10)]


def test_pretrained_without_the_hub_what_was_loaded_before_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, ConnectionError("no network"), cached="config.json")
    assert only_here("some/encoder")


@pytest.mark.parametrize("name", ["some/encoder", "not a name"])
def test_pretrained_encoder_that_is_nowhere_is_refused(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    answering(monkeypatch, ConnectionError("no network"))
    with pytest.raises(InputError, match=f"no encoder {name}: .* the hub cannot be reached; give the folder"):
        only_here(name)


def test_pretrained_name_that_cannot_be_one_is_refused() -> None:
    with pytest.raises(InputError, match="no encoder not a name: there is no such folder, and no such model"):
        only_here("not a name")
