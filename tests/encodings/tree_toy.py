"""A small encoding for trees of one's own, as a user would write it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arctag.encodings import NO_HEAD, LabelRow, Labels, TreeEncoding
from arctag.encodings.trees.base import Repairs
from arctag.errors import InputError
from arctag.graph import IntArray


@dataclass(frozen=True)
class Near(TreeEncoding):
    """How far away the head is, up to `most` places: '-2'. Words whose head is farther away, or the root, have '0'."""

    most: int = 3

    @property
    def name(self) -> str:
        return "near"

    def encode_trees(self, sizes: IntArray, heads: IntArray) -> Labels:
        steps = np.where(heads > 0, heads - _words(sizes), 0)
        return Labels.from_matrix(np.where(np.abs(steps) <= self.most, steps, 0).reshape(-1, 1), sizes)

    def decode_heads(self, labels: Labels) -> tuple[IntArray, Repairs]:
        words = _words(labels.sizes)
        steps = np.array([row[0] if row else 0 for row in labels], dtype=np.int32)
        steps = np.where(np.abs(steps) <= self.most, steps, 0)
        lost = steps == 0
        heads = np.where(lost, NO_HEAD, words + steps).astype(np.int32)
        for start, n in zip(np.cumsum(labels.sizes) - labels.sizes, labels.sizes.tolist(), strict=True):
            first = np.flatnonzero(lost[start : start + n])
            heads[start + first[:1]] = 0
        return heads, np.zeros(len(labels.sizes), dtype=np.int64)

    def format(self, row: Sequence[int]) -> str:
        return str(row[0]) if row else "0"

    def parse(self, text: str) -> LabelRow:
        if not re.fullmatch(r"-?[0-9]{1,3}", text):
            raise InputError(f"{text!r} is not a label of near; one looks like '-2'")
        return (int(text),)


def _words(sizes: IntArray) -> IntArray:
    """The number of each word in its sentence, from 1."""
    return np.concatenate([np.arange(1, n + 1, dtype=np.int32) for n in [0, *sizes.tolist()]])
