"""The arrays of a batch as the inputs of `words.onnx`, for some of its sentences."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from arctag.backends.onnx.file import VECTORS, WORD_SHAPES
from arctag.encodings.labels import offsets_of
from arctag.layers.types import Longs

Feeds = dict[str, npt.NDArray[Any]]
SHAPES = {
    "forward": ("steps", "sentences"), "backward": ("steps", "sentences"),
    "forward_places": ("words",), "backward_places": ("words",),
    "chars_forward": ("letters", "types"), "chars_backward": ("letters", "types"), "chars_last": ("types",),
    "words": ("words",), "types": ("words",), "tags": ("words",),
}  # fmt: skip
"""Of every input that holds integers."""
_PER_WORD = ("words", "tags", VECTORS, WORD_SHAPES)
_FEWEST = 2  # sequences in a BiLSTM: a single one is multiplied by other code, which rounds differently


def sentence_feeds(arrays: Feeds, start: int, stop: int) -> Feeds:
    """Everything for the sentences from `start` to before `stop`."""
    offsets = offsets_of(arrays["lengths"])
    words = slice(offsets[start], offsets[stop])
    feeds = {name: arrays[name][words] for name in _PER_WORD if name in arrays}
    feeds.update(word_paths(arrays["lengths"][start:stop]))
    if "chars" in arrays:
        kept, feeds["types"] = np.unique(arrays["types"][words], return_inverse=True)
        feeds.update(char_paths(arrays["chars"][kept], arrays["char_lengths"][kept]))
    return feeds


def word_paths(lengths: Longs) -> Feeds:
    """In which order a BiLSTM reads the words of the sentences, and where its states for each word are."""
    first, owner = offsets_of(lengths)[:-1], np.repeat(np.arange(len(lengths)), lengths)
    within = np.arange(len(owner)) - first[owner]
    forward, backward = (np.minimum(first + order, len(owner) - 1) for order in _orders(lengths))  # some may be empty
    width = max(len(lengths), _FEWEST)
    return {
        "forward": _wide(forward),
        "backward": _wide(backward),
        "forward_places": within * width + owner,
        "backward_places": (lengths[owner] - 1 - within) * width + owner,
    }


def char_paths(chars: Longs, lengths: Longs) -> Feeds:
    """The same for the characters of word forms; only the last states are needed."""
    lengths = np.maximum(lengths, 1)  # a word without characters is read as padding
    forward, backward = _orders(lengths)
    types = np.arange(len(lengths))
    return {
        "chars_forward": _wide(chars[types, forward]),
        "chars_backward": _wide(chars[types, backward]),
        "chars_last": (lengths - 1) * max(len(lengths), _FEWEST) + types,
    }


def _orders(lengths: Longs) -> tuple[Longs, Longs]:
    """[steps, sequences]: what each step reads of a sequence, from its start and from its end."""
    steps = np.arange(lengths.max())[:, None]
    return np.clip(lengths - 1, 0, steps), np.maximum(lengths - 1 - steps, 0)


def _wide(steps: Longs) -> Longs:
    """At least two sequences: the same twice where there is one."""
    return np.ascontiguousarray(np.repeat(steps, _FEWEST, axis=1) if steps.shape[1] == 1 else steps)
