"""Pretrained encoders as transformers loads them: tokenizer, shape and weights, from a folder or the hub.

Remote code is never run.
"""

from __future__ import annotations

import atexit
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from arctag.backends.inputs.subword_tokenizer import special_subwords, splitter
from arctag.backends.inputs.subwords import Pooling, SubwordInputs, SubwordSettings
from arctag.backends.torch.hub import only_here
from arctag.errors import InputError, MissingExtra
from arctag.modelfile.folder import TOKENIZER

_USUAL_WINDOW = 512


def load_shape(
    name: str, window: int, pooling: Pooling, dropout: float | None = None
) -> tuple[SubwordInputs, dict[str, Any], Path]:
    """The inputs of an encoder, its transformers config, and a temporary folder with its tokenizer's files.

    A window of 0 is as long as the encoder can take; without a dropout it is the encoder's own.
    """
    from transformers import AutoConfig

    tokenizer = load_tokenizer(name)
    try:
        shape = AutoConfig.from_pretrained(name, trust_remote_code=False, local_files_only=only_here(name))
    except (OSError, ValueError) as error:
        raise InputError(f"no encoder {name!r}: {str(error).splitlines()[0]}") from error
    if window > (most := _positions(shape)):
        raise InputError(f"window must be at most {most} for {name}, not {window}")
    if dropout is not None:
        _set_dropout(shape, dropout)
    files = Path(tempfile.mkdtemp(prefix="arctag-"))
    atexit.register(shutil.rmtree, files, ignore_errors=True)
    tokenizer.save_pretrained(files / TOKENIZER)
    return subword_inputs(tokenizer, window or min(most, _USUAL_WINDOW), pooling), shape.to_diff_dict(), files


def load_tokenizer(source: str | Path) -> Any:
    """The fast tokenizer of an encoder."""
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
        raise InputError(f"{source}: the tokenizer has no fast version, which Arctag needs to match subwords to words")
    return tokenizer


def subword_inputs(tokenizer: Any, window: int = _USUAL_WINDOW, pooling: Pooling = "first") -> SubwordInputs:
    """Split words with a tokenizer of transformers."""
    prefix, suffix = special_subwords(tokenizer.backend_tokenizer)
    pad = tokenizer.pad_token_id or 0
    unknown = tokenizer.unk_token_id if tokenizer.unk_token_id is not None else pad
    settings = SubwordSettings(
        window=min(window, tokenizer.model_max_length),
        pooling=pooling,
        prefix=prefix,
        suffix=suffix,
        pad=pad,
        unknown=unknown,
        shapes=True,
    )
    return SubwordInputs(splitter(tokenizer.backend_tokenizer, unknown), settings)


def load_weights(name: str) -> dict[str, Tensor]:
    """The weights of an encoder, in single precision."""
    from transformers import AutoModel

    try:
        with _without_progress_bar():
            model = AutoModel.from_pretrained(
                name, trust_remote_code=False, local_files_only=only_here(name), dtype=torch.float32
            )
    except (OSError, ValueError) as error:
        raise InputError(f"no weights for encoder {name!r}: {str(error).splitlines()[0]}") from error
    weights: dict[str, Tensor] = model.state_dict()
    return weights


def _positions(shape: Any) -> int:
    """How many subwords an encoder can take; RoBERTa and its relatives lose two positions to padding."""
    limit = getattr(shape, "max_position_embeddings", None) or -1  # XLNet and its relatives have no limit
    return limit - 2 if limit > 2 else sys.maxsize


def _set_dropout(shape: Any, rate: float) -> None:
    """Set every dropout of an encoder, whatever its family calls them."""
    for key, value in vars(shape).items():
        if "dropout" in key and isinstance(value, float):
            setattr(shape, key, rate)


@contextmanager
def _without_progress_bar() -> Iterator[None]:
    """A model loads in a moment, and the run has a bar of its own."""
    from transformers.utils import logging

    bars: Any = logging
    before = bars.is_progress_bar_enabled()
    bars.disable_progress_bar()
    try:
        yield
    finally:
        if before:
            bars.enable_progress_bar()
