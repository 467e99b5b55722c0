"""Words into subwords with the `tokenizers` package alone, as transformers would split them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arctag import read
from arctag.backends.inputs import SubwordInputs
from arctag.errors import InputError
from tests.places import ROOT, SAMPLES

MINILM = ROOT / "local" / "minilm"
ODD = [
    "a",
    "\x01",
    "\u200b",
    "naïve",
    "ΑΒΓ",
    "東京",
    "👍🏽",
    "don't",
    "[CLS]",
    "x" * 300,
    "ﬁ",
    "e\u0301",
    "3.14",
    " ",
    "İ",
]


def sample_words() -> list[str]:
    return sorted({word for sentence in read(SAMPLES / "sample.conllu") for word in sentence.words})


def trained(model: Any, trainer: Any, pre: Any, post: Any, normalizer: Any = None) -> Any:
    """A tokenizer that has learned its subwords from the sample."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer(model)
    tokenizer.pre_tokenizer = pre
    if normalizer is not None:
        tokenizer.normalizer = normalizer
    tokenizer.train_from_iterator(sample_words(), trainer)
    tokenizer.post_processor = post
    return tokenizer


def word_piece() -> tuple[Any, dict[str, str]]:
    from tokenizers import models, normalizers, pre_tokenizers, processors, trainers

    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    trainer = trainers.WordPieceTrainer(vocab_size=200, special_tokens=special, show_progress=False)
    post = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    pre, normal = pre_tokenizers.BertPreTokenizer(), normalizers.BertNormalizer(lowercase=True)
    made = trained(models.WordPiece(unk_token="[UNK]"), trainer, pre, post, normal)
    return made, {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}


def byte_level() -> tuple[Any, dict[str, str]]:
    from tokenizers import models, pre_tokenizers, processors, trainers

    special = ["<s>", "<pad>", "</s>", "<unk>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=400, special_tokens=special, initial_alphabet=alphabet, show_progress=False
    )
    post = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    made = trained(models.BPE(), trainer, pre_tokenizers.ByteLevel(add_prefix_space=True), post)
    return made, {"pad_token": "<pad>", "unk_token": "<unk>", "bos_token": "<s>", "eos_token": "</s>"}


def metaspace() -> tuple[Any, dict[str, str]]:
    from tokenizers import models, pre_tokenizers, processors, trainers

    special = ["<unk>", "<pad>", "<sep>", "<cls>"]
    trainer = trainers.UnigramTrainer(vocab_size=200, special_tokens=special, unk_token="<unk>", show_progress=False)
    post = processors.TemplateProcessing(single="$A <sep> <cls>", special_tokens=[("<sep>", 2), ("<cls>", 3)])
    made = trained(models.Unigram(), trainer, pre_tokenizers.Metaspace(), post)
    return made, {"pad_token": "<pad>", "unk_token": "<unk>", "sep_token": "<sep>", "cls_token": "<cls>"}


KINDS: dict[str, Callable[[], tuple[Any, dict[str, str]]]] = {
    "word piece": word_piece,
    "byte level": byte_level,
    "metaspace": metaspace,
}


def saved(kind: str, folder: Path, bound: bool = False) -> Path:
    """The files of a tokenizer as transformers writes them."""
    transformers = pytest.importorskip("transformers")
    made, names = KINDS[kind]()
    if bound:
        made.enable_truncation(4)
        made.enable_padding(length=30, pad_id=made.token_to_id(names["pad_token"]), pad_token=names["pad_token"])
    place = folder / "tokenizer"
    place.mkdir()
    made.save(str(place / "tokenizer.json"))
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=made, **names)
    settings = folder / "settings"
    fast.save_pretrained(settings)
    for file in settings.iterdir():
        if file.name != "tokenizer.json":
            file.rename(place / file.name)
    return place


def by_transformers(place: Path, words: list[str]) -> list[list[int]]:
    from transformers import PreTrainedTokenizerFast

    tokenizer = PreTrainedTokenizerFast.from_pretrained(place)
    encoded = tokenizer([[word] for word in words], is_split_into_words=True, add_special_tokens=False)
    found: list[list[int]] = encoded["input_ids"]
    return found


VALUE: dict[str, Any] = {"window": 64, "pooling": "first", "prefix": [2], "suffix": [3], "pad": 0, "unknown": 1}


@pytest.mark.parametrize("bound", [False, True], ids=["free", "bound"])
@pytest.mark.parametrize("kind", KINDS)
def test_subwords_are_those_of_transformers(tmp_path: Path, kind: str, bound: bool) -> None:
    place = saved(kind, tmp_path, bound)
    inputs = SubwordInputs.load(VALUE, place.parent)
    words = [*sample_words(), *ODD]
    assert max(map(len, inputs.split(words))) > 4
    assert inputs.split(words) == [ids or [VALUE["unknown"]] for ids in by_transformers(place, words)]


@pytest.mark.parametrize("kind", KINDS)
def test_subwords_special_ones_are_those_of_transformers(tmp_path: Path, kind: str) -> None:
    transformers = pytest.importorskip("transformers")
    pytest.importorskip("torch")
    from arctag.backends.torch.encoders.pretrained import subword_inputs

    place = saved(kind, tmp_path, bound=True)
    tokenizer = transformers.PreTrainedTokenizerFast.from_pretrained(place)
    inputs = subword_inputs(tokenizer)
    settings = inputs.settings
    full = transformers.PreTrainedTokenizerFast.from_pretrained(place)([["a"]], is_split_into_words=True)
    assert [*settings.prefix, *inputs.split(["a"])[0], *settings.suffix] == full["input_ids"][0]
    assert settings.suffix
    assert (settings.pad, settings.unknown) == (tokenizer.pad_token_id, tokenizer.unk_token_id)


@pytest.mark.parametrize("kind", KINDS)
def test_subwords_need_nothing_but_the_tokenizer_s_own_file(tmp_path: Path, kind: str) -> None:
    place = saved(kind, tmp_path)
    before = SubwordInputs.load({**VALUE, "pooling": "mean"}, tmp_path)
    for file in place.iterdir():
        if file.name != "tokenizer.json":
            file.unlink()
    again = SubwordInputs.load(json.loads(json.dumps(before.to_json())), tmp_path)
    assert again.to_json() == before.to_json()
    assert again.settings.pooling == "mean"
    assert again.split(ODD) == before.split(ODD)


@pytest.mark.skipif(not MINILM.is_dir(), reason=f"no encoder at {MINILM}")
def test_subwords_of_english_words(shared: Path) -> None:
    pytest.importorskip("torch")
    from arctag.backends.torch.encoders.pretrained import load_tokenizer, subword_inputs

    words = sorted({w for s in read(shared / "data" / "en_ewt" / "dev.conllu") for w in s.words})
    inputs = subword_inputs(load_tokenizer(MINILM))
    settings = inputs.settings
    assert inputs.split(words) == [ids or [100] for ids in by_transformers(MINILM, words)]
    assert (settings.prefix, settings.suffix, settings.pad, settings.unknown) == ([101], [102], 0, 100)
    assert len(inputs.split(["." * 200])[0]) == 200  # its file asks to truncate at 128


@pytest.mark.parametrize(
    "change",
    [
        {"window": 2}, {"window": -1}, {"window": "x"}, {"pooling": "last"}, {"prefix": [-1]}, {"suffix": ["a"]},
        {"pad": True}, {"unknown": 2**40}, {"prefix": 5},
    ],
    ids=str,
)  # fmt: skip
def test_subwords_with_senseless_numbers_are_refused(tmp_path: Path, change: dict[str, object]) -> None:
    place = saved("word piece", tmp_path)
    SubwordInputs.load(VALUE, place.parent)
    with pytest.raises(InputError, match=r"inputs\.json"):
        SubwordInputs.load({**VALUE, **change}, place.parent)


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"model": {"type": "WordPiece"}}', "\x00"])
def test_subwords_of_a_broken_tokenizer_are_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "tokenizer").mkdir()
    (tmp_path / "tokenizer" / "tokenizer.json").write_text(text)
    with pytest.raises(InputError, match="not a tokenizer"):
        SubwordInputs.load(VALUE, tmp_path)
