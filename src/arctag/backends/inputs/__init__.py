"""Inputs: what a network reads of sentences, as integer arrays. Numpy only: training and export share them.

`WordInputs` numbers words, characters and tags; `SubwordInputs` splits words with the tokenizer of a pretrained
encoder. A new kind is a file and a line in `INPUTS`.
"""

from __future__ import annotations

from pathlib import Path

from arctag.backends.inputs.protocol import Inputs, Tokens
from arctag.backends.inputs.subwords import SubwordInputs
from arctag.backends.inputs.words import WordInputs
from arctag.errors import InputError
from arctag.modelfile.folder import INPUTS as FILE
from arctag.modelfile.json_files import read_json

__all__ = ["INPUTS", "Inputs", "SubwordInputs", "Tokens", "WordInputs", "load_inputs"]

INPUTS: dict[str, type[Inputs]] = {"words": WordInputs, "subwords": SubwordInputs}
"""Kind in `inputs.json` → class."""


def load_inputs(folder: Path) -> Inputs:
    """The inputs of the model in a folder."""
    value = read_json(folder / FILE)
    kind = value.get("kind")
    if not isinstance(kind, str) or kind not in INPUTS:
        raise InputError(f"{folder / FILE}: found kind {kind!r:.50}; expected {' or '.join(INPUTS)}")
    return INPUTS[kind].load(value, folder)
