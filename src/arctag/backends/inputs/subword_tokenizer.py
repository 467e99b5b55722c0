"""Words split into subwords by a pretrained encoder's own tokenizer, for which the `tokenizers` package is enough."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from arctag.errors import InputError

if TYPE_CHECKING:
    from tokenizers import Tokenizer


def read_tokenizer(folder: Path) -> Tokenizer:
    """The tokenizer in a folder of a model; `InputError` if there is none."""
    from tokenizers import Tokenizer

    path = folder / "tokenizer.json"
    if not path.is_file():
        raise InputError(f"{folder.parent} is not a model folder: {folder.name}/{path.name} is missing")
    try:
        return Tokenizer.from_file(str(path))
    except Exception as error:  # all that the package raises
        raise InputError(f"{path}: not a tokenizer ({(str(error).splitlines() or ['damaged'])[0]})") from error


def splitter(tokenizer: Tokenizer, unknown: int) -> Callable[[list[str]], list[list[int]]]:
    """A function that splits words, each by itself; one that nothing is left of becomes the unknown subword."""
    _unbound(tokenizer)
    encode = tokenizer.encode_batch_fast

    def split(words: list[str]) -> list[list[int]]:
        try:
            encoded = encode([[word] for word in words], is_pretokenized=True, add_special_tokens=False)
        except TypeError:  # half of a surrogate pair, which UTF-8 cannot hold
            valid = [[word.encode("utf-8", "replace").decode()] for word in words]
            encoded = encode(valid, is_pretokenized=True, add_special_tokens=False)
        return [encoding.ids or [unknown] for encoding in encoded]

    return split


def special_subwords(tokenizer: Tokenizer) -> tuple[list[int], list[int]]:
    """What the tokenizer puts before and behind a sentence."""
    _unbound(tokenizer)
    encoded = tokenizer.encode(["a"], is_pretokenized=True)
    plain = [i for i, special in enumerate(encoded.special_tokens_mask) if not special]
    if not plain:
        return encoded.ids, []
    return encoded.ids[: plain[0]], encoded.ids[plain[-1] + 1 :]


def _unbound(tokenizer: Tokenizer) -> None:
    """Words are neither truncated nor padded, though many tokenizer files ask for it."""
    tokenizer.no_truncation()
    tokenizer.no_padding()
