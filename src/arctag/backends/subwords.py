"""Words cut into pieces by a pretrained encoder's own tokenizer, for which the `tokenizers` package is enough."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arctag.backends.inputs import PieceInputs
from arctag.errors import InputError
from arctag.modelfile.config import read_json

if TYPE_CHECKING:
    from tokenizers import Tokenizer

POOLINGS = ("first", "mean")


def load_pieces(folder: Path, value: dict[str, Any]) -> PieceInputs:
    """From a folder of tokenizer files and what `inputs.json` says; `ValueError` where that makes no sense."""
    tokenizer = _read(folder)
    if "prefix" in value:
        prefix, suffix = ([_number(piece) for piece in value[key]] for key in ("prefix", "suffix"))
        pad, unknown = (_number(value[key]) for key in ("pad", "unknown"))
    else:  # written before these were saved
        prefix, suffix = special_pieces(tokenizer)
        pad, unknown = _named(tokenizer, folder)
    limit, pooling = int(value["limit"]), str(value["pooling"])
    if limit <= len(prefix) + len(suffix):
        raise ValueError(f"a limit of {limit} pieces")
    if pooling not in POOLINGS:
        raise ValueError(f"pooling {pooling!r}")
    return PieceInputs(cutter(tokenizer, unknown), prefix, suffix, pad, limit, pooling, unknown)


def cutter(tokenizer: Tokenizer, unknown: int) -> Callable[[list[str]], list[list[int]]]:
    """A function that cuts words, each for itself; one that nothing is left of becomes the unknown piece."""
    _unbound(tokenizer)
    encode = tokenizer.encode_batch_fast

    def cut(words: list[str]) -> list[list[int]]:
        try:
            found = encode([[word] for word in words], is_pretokenized=True, add_special_tokens=False)
        except TypeError:  # half of a surrogate pair, which UTF-8 cannot hold
            fit = [[word.encode("utf-8", "replace").decode()] for word in words]
            found = encode(fit, is_pretokenized=True, add_special_tokens=False)
        return [encoding.ids or [unknown] for encoding in found]

    return cut


def special_pieces(tokenizer: Tokenizer) -> tuple[list[int], list[int]]:
    """What the tokenizer puts before and behind a sentence."""
    _unbound(tokenizer)
    found = tokenizer.encode(["a"], is_pretokenized=True)
    first = next((i for i, special in enumerate(found.special_tokens_mask) if not special), len(found.ids))
    last = len(found.ids) - next((i for i, s in enumerate(reversed(found.special_tokens_mask)) if not s), 0)
    return found.ids[:first], found.ids[last:]


def _unbound(tokenizer: Tokenizer) -> None:
    """Words are neither cut off nor filled up, though many tokenizer files ask for it."""
    tokenizer.no_truncation()
    tokenizer.no_padding()


def _read(folder: Path) -> Tokenizer:
    from tokenizers import Tokenizer

    path = folder / "tokenizer.json"
    if not path.is_file():
        raise InputError(f"{folder.parent} is not a model folder: {folder.name}/{path.name} is missing")
    try:
        return Tokenizer.from_file(str(path))
    except Exception as error:  # all that the package raises
        raise InputError(f"{path}: not a tokenizer ({(str(error).splitlines() or ['damaged'])[0]})") from error


def _number(value: object) -> int:
    """A piece number; anything else is a `ValueError`."""
    if type(value) is not int or not 0 <= value < 2**31:
        raise ValueError(f"{value!r:.50} is no piece")
    return value


def _named(tokenizer: Tokenizer, folder: Path) -> tuple[int, int]:
    """The pieces for padding and for unknown words, by their names in the tokenizer's settings."""
    settings = read_json(folder / "tokenizer_config.json")

    def number(key: str) -> int | None:
        name = settings.get(key)
        return tokenizer.token_to_id(str(name.get("content") if isinstance(name, dict) else name)) if name else None

    pad, unknown = number("pad_token"), number("unk_token")
    return pad or 0, unknown if unknown is not None else pad or 0
