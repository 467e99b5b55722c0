"""The lookup table and the BiLSTM: what they read, and that company does not matter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from arctag import read
from arctag.backends.inputs import Tokens
from arctag.backends.torch.backend import TorchBackend, to_device
from arctag.backends.torch.encoders import ENCODERS
from arctag.backends.torch.encoders.base import Encoder
from arctag.backends.torch.encoders.lookup import Lookup
from arctag.backends.torch.tagger import Tagger
from arctag.errors import InputError, UnknownName
from arctag.parsing.loading import load
from arctag.parsing.parser import ParseOptions, Parser
from tests.networks import fit, graph_layer, graphs, small

pytestmark = pytest.mark.usefixtures("one_thread")

SENTENCES = [["She", "sings"], ["."], ["the", "kettle", "that", "sings", "Unheard-of", "ß" * 90]]


def vectors(parser: Parser, sentences: list[list[str]]) -> np.ndarray[Any, Any]:
    backend = parser.backend
    assert isinstance(backend, TorchBackend)
    backend.model.eval()
    arrays = parser.inputs.arrays([Tokens(words, ["NOUN"] * len(words)) for words in sentences])
    with torch.inference_mode():
        found: np.ndarray[Any, Any] = backend.model.encoder(to_device(arrays, backend.device)).numpy()
    return found


@pytest.mark.parametrize(
    "options",
    [
        {"encoder": "lookup"},
        {"encoder": "lookup", "chars": False},
        {"encoder": "bilstm", "encoder_layers": 2},
        {"encoder": "bilstm", "chars": False, "tags": True},
        {"encoder": "bilstm", "tags": True},
        {"encoder": "lookup", "tags": True, "context_layers": 1},
    ],
    ids=str,
)
def test_encoders_train_save_and_load(tmp_path: Path, sample: Path, options: dict[str, Any]) -> None:
    parser = fit(small(tmp_path / "m", epochs=1, **options))
    again = load(tmp_path / "m", "cpu")
    assert graphs(again, sample) == graphs(parser, sample)
    assert np.array_equal(vectors(again, SENTENCES), vectors(parser, SENTENCES))


def test_encoders_lookup_has_no_context_and_the_bilstm_does(tmp_path: Path) -> None:
    for encoder, same in (("lookup", True), ("bilstm", False)):
        parser = fit(small(tmp_path / encoder, encoder=encoder, epochs=1))
        found = vectors(parser, [["She", "sings"], ["They", "sings"]])
        assert np.array_equal(found[1], found[3]) == same


def test_encoders_characters_tell_unknown_words_apart(tmp_path: Path) -> None:
    for chars in (True, False):
        parser = fit(small(tmp_path / str(chars), encoder="lookup", chars=chars, epochs=1))
        one, other = vectors(parser, [["Unseenest", "Unheard"]])
        assert np.array_equal(one, other) != chars


def test_encoders_tags_are_read(tmp_path: Path, sample: Path) -> None:
    parser = fit(small(tmp_path / "m", encoder="lookup", tags=True, epochs=1))
    sentence = next(read(sample))
    assert parser.tokens(sentence).tags == sentence.tags == ["DET", "NOUN", "VERB", "PUNCT"]


@pytest.mark.parametrize("kind", ["verified", "collapsed"])
def test_encoders_bilstm_vectors_do_not_depend_on_the_batch(parsers: Callable[[str], Parser], kind: str) -> None:
    parser = parsers(kind)
    together = vectors(parser, SENTENCES)
    apart = np.concatenate([vectors(parser, [words]) for words in SENTENCES])
    assert np.allclose(together, apart, atol=1e-5)


@pytest.mark.parametrize("kind", ["verified", "plain", "union", "baseline", "collapsed", "factored"])
def test_encoders_graphs_do_not_depend_on_the_batch(parsers: Callable[[str], Parser], sample: Path, kind: str) -> None:
    parser = parsers(kind)
    sentences = list(read(sample))
    expected = graphs(parser, sentences)
    assert any(expected)
    for tokens in (1, 50, 100_000):
        assert graphs(parser, sentences, ParseOptions(batch_tokens=tokens)) == expected
    assert graphs(parser, sentences, ParseOptions(read_ahead=3)) == expected
    assert graphs(parser, sentences[::-1])[::-1] == expected


def test_encoders_graphs_do_not_depend_on_threads(parsers: Callable[[str], Parser], sample: Path) -> None:
    parser = parsers("verified")
    expected = graphs(parser, sample)
    try:
        torch.set_num_threads(2)
        assert graphs(parser, sample) == expected
    finally:
        torch.set_num_threads(1)


def test_encoders_static_vectors_are_the_words_vectors(tmp_path: Path) -> None:
    path = tmp_path / "vectors.txt"
    path.write_text(
        "3 12\n" + "".join(f"{word} {' '.join([str(i)] * 12)}\n" for i, word in enumerate(["the", "zebra"]))
    )
    config = small(tmp_path / "m", encoder="lookup", chars=False, vectors=str(path), epochs=1, learning_rate=1e-9)
    found = vectors(fit(config), [["The", "zebra"]])
    assert np.allclose(found, [[0.0] * 12, [1.0] * 12], atol=1e-3)


@pytest.mark.parametrize(
    ("text", "message"),
    [("the 1 2\n", "has 2 numbers; set word_size = 2"), ("the 1 x 3\n", ":1: found could not convert")],
)
def test_encoders_damaged_vectors_are_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "vectors.txt").write_text(text)
    with pytest.raises(InputError, match=message):
        fit(small(tmp_path / "m", vectors=str(tmp_path / "vectors.txt")))


def test_encoders_missing_vectors_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        fit(small(tmp_path / "m", vectors=str(tmp_path / "none.txt")))


def test_encoders_in_the_table_are_encoders() -> None:
    assert all(issubclass(kind.load_class(), Encoder) for kind in ENCODERS.values())


def test_encoders_unknown_kind_lists_the_known_ones(parsers: Callable[[str], Parser]) -> None:
    parser = parsers("verified")
    config = parser.config
    with pytest.raises(UnknownName, match="Known: bilstm, lookup, transformer"):
        Tagger(replace(config, encoder="gru"))
    with pytest.raises(UnknownName, match="Known: biaffine, concat, product, tuple"):
        Tagger(config.with_layers([replace(graph_layer(parser), relation_head="affine")]))


def test_encoders_word_dropout_hides_words_in_training_only() -> None:
    torch.manual_seed(0)
    table = Lookup(10, word_size=4, word_dropout=0.5, dropout=0.0)
    words = {"words": torch.full((50,), 7)}
    seen = {tuple(row) for row in table(words).tolist()}
    assert seen == {tuple(table.words.weight[i].tolist()) for i in (1, 7)}
    table.eval()
    assert {tuple(row) for row in table(words).tolist()} == {tuple(table.words.weight[7].tolist())}
