"""Tokenizers of pretrained encoders, made into `PieceInputs` for training."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from arctag.backends.inputs import PieceInputs
from arctag.backends.subwords import POOLINGS, cutter, special_pieces
from arctag.backends.torch.hub import only_here
from arctag.errors import InputError, MissingExtra, UnknownName


def piece_inputs(source: str | Path, limit: int | None = None, pooling: str = "first") -> PieceInputs:
    """From a tokenizer in a folder, or on the hub by name."""
    return from_tokenizer(load_tokenizer(source), limit, pooling)


def load_tokenizer(source: str | Path) -> Any:
    """The fast tokenizer of an encoder; remote code is never run."""
    try:
        from transformers import AutoTokenizer
    except ImportError as error:
        raise MissingExtra("A pretrained encoder", "train") from error
    options = {"trust_remote_code": False, "local_files_only": only_here(source)}
    try:
        try:  # byte-level tokenizers need this to see words as words; others do not know it
            tokenizer = AutoTokenizer.from_pretrained(str(source), add_prefix_space=True, **options)
        except TypeError:
            tokenizer = AutoTokenizer.from_pretrained(str(source), **options)
    except (OSError, ValueError) as error:
        raise InputError(f"no tokenizer at {source}: {str(error).splitlines()[0]}") from error
    if not tokenizer.is_fast:
        raise InputError(f"{source}: the tokenizer has no fast version, which Arctag needs to match pieces to words")
    return tokenizer


def from_tokenizer(tokenizer: Any, limit: int | None, pooling: str) -> PieceInputs:
    """Cut words with this tokenizer, one at a time."""
    prefix, suffix = special_pieces(tokenizer.backend_tokenizer)
    longest = min(limit or 512, tokenizer.model_max_length)
    if longest <= len(prefix) + len(suffix):
        raise InputError(f"a window of {longest} pieces is too small: {len(prefix + suffix)} of them are special ones")
    if pooling not in POOLINGS:
        raise UnknownName("pooling", pooling, POOLINGS)
    pad = tokenizer.pad_token_id or 0
    unknown = tokenizer.unk_token_id if tokenizer.unk_token_id is not None else pad
    return PieceInputs(cutter(tokenizer.backend_tokenizer, unknown), prefix, suffix, pad, longest, pooling, unknown)
