"""Static word vectors from a text file: a word and its numbers on each line."""

from __future__ import annotations

import numpy as np

from arctag.errors import InputError
from arctag.formats.files import lines
from arctag.layers.types import Floats

Vectors = dict[str, Floats]


def read_vectors(path: str) -> Vectors:
    """Vectors by lower-cased word, as words are looked up; a word written in lower case wins over others."""
    vectors: Vectors = {}
    exact: set[str] = set()
    for number, line in lines(path):
        word, *numbers = line.rstrip().split(" ")
        if number == 1 and len(numbers) == 1:
            continue  # word2vec's header
        name = word.lower()
        if name in exact or (name in vectors and word != name):
            continue
        try:
            vectors[name] = np.array(numbers, dtype=np.float32)
        except ValueError as error:
            raise InputError(f"{path}:{number}: found {error}; expected a word and its numbers") from error
        if word == name:
            exact.add(name)
    return vectors
