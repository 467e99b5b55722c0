"""Tiny Hugging Face encoders with random weights, saved as folders with their tokenizers; no network needed."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from arctag import read
from tests.places import SAMPLES

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
SIZES = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
POSITIONS = 32


def _words() -> list[str]:
    return [word for sentence in read(SAMPLES / "sample.conllu") for word in sentence.words]


def _wordpiece(make: Any) -> Any:
    """Letters as subwords, and a few whole words, so that words have one or many of them."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    letters = sorted({letter for word in _words() for letter in word})
    whole = ["the", "The", "She", "to", "wait"]
    vocab = {name: i for i, name in enumerate([*SPECIAL, *letters, *(f"##{c}" for c in letters), *whole])}
    tokenizer = Tokenizer(models.WordPiece(vocab, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=False)  # drops control characters
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    names = ("pad_token", "unk_token", "cls_token", "sep_token", "mask_token")
    return make(tokenizer_object=tokenizer, **dict(zip(names, SPECIAL, strict=True)), model_max_length=POSITIONS)


def _byte_level(make: Any) -> Any:
    from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers

    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=300, special_tokens=special, initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator(_words(), trainer)
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    names = ("bos_token", "pad_token", "eos_token", "unk_token", "mask_token")
    return make(tokenizer_object=tokenizer, **dict(zip(names, special, strict=True)), add_prefix_space=True)


def _ends_with_special(make: Any) -> Any:
    """XLNet's way: no special token in front, two behind."""
    from tokenizers import processors

    tokenizer = _wordpiece(make)
    tokenizer.backend_tokenizer.post_processor = processors.TemplateProcessing(
        single="$A [SEP] [CLS]", special_tokens=[("[SEP]", 3), ("[CLS]", 2)]
    )
    return tokenizer


def _fast() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from transformers import PreTrainedTokenizerFast
    return PreTrainedTokenizerFast


def save_bert(folder: Path) -> Path:
    from transformers import BertConfig, BertModel

    return _save(folder, _wordpiece(_fast()), BertConfig, BertModel, max_position_embeddings=POSITIONS, **SIZES)


def save_roberta(folder: Path) -> Path:
    from transformers import RobertaConfig, RobertaModel

    sizes = {**SIZES, "max_position_embeddings": POSITIONS + 2, "pad_token_id": 1, "type_vocab_size": 1}
    return _save(folder, _byte_level(_fast()), RobertaConfig, RobertaModel, **sizes)


def save_xlnet(folder: Path) -> Path:
    from transformers import XLNetConfig, XLNetModel

    sizes = {"d_model": 16, "n_layer": 1, "n_head": 2, "d_inner": 16}
    return _save(folder, _ends_with_special(_fast()), XLNetConfig, XLNetModel, **sizes)


def save_deberta(folder: Path) -> Path:
    from transformers import DebertaV2Config, DebertaV2Model

    sizes = {**SIZES, "max_position_embeddings": POSITIONS, "relative_attention": True, "pos_att_type": ["p2c", "c2p"]}
    return _save(folder, _wordpiece(_fast()), DebertaV2Config, DebertaV2Model, position_buckets=4, **sizes)


def save_modernbert(folder: Path) -> Path:
    from transformers import ModernBertConfig, ModernBertModel

    tokens = {"pad_token_id": 0, "cls_token_id": 2, "sep_token_id": 3, "bos_token_id": 2, "eos_token_id": 3}
    sizes = {**SIZES, **tokens, "max_position_embeddings": 64, "local_attention": 8}
    return _save(folder, _wordpiece(_fast()), ModernBertConfig, ModernBertModel, **sizes)


def _save(folder: Path, tokenizer: Any, config: Any, model: Any, **sizes: Any) -> Path:
    import torch

    torch.manual_seed(0)
    tokenizer.save_pretrained(folder)
    model(config(vocab_size=len(tokenizer), **sizes)).save_pretrained(folder)
    return folder


PRETRAINED: dict[str, Callable[[Path], Path]] = {
    "bert": save_bert,
    "roberta": save_roberta,
    "xlnet": save_xlnet,
    "deberta": save_deberta,
    "modernbert": save_modernbert,
}
