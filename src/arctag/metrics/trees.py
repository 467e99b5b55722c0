"""The basic trees of sentences in flat arrays: HEAD and DEPREL of each word."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arctag.blocks.flat import Flat, Table, cells, nodes_of, numbered
from arctag.blocks.runs import Run
from arctag.cells import Flags, Longs, Numbers
from arctag.columns import UNIVERSAL
from arctag.sentence import Sentence

_NONE = -1
_HEAD, _DEPREL = 6, 7


@dataclass(frozen=True)
class Trees:
    """What CoNLL-U has in HEAD and DEPREL; other formats have no trees."""

    heads: Longs
    """The head of each word in its sentence (0: root)."""
    relations: Numbers
    """The relation of each word, without its subtype, as a number in a table."""
    known: Flags
    """Which words have a head and a relation."""

    @classmethod
    def of(cls, flat: Flat, names: Table) -> Trees:
        """The trees of some sentences."""
        written = Table()  # with subtypes
        runs = flat.runs(_HEAD, _DEPREL)
        parts = [_of_run(run, written) if isinstance(run, Run) else _of_sentence(run, written) for run in runs]
        heads, relations = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
        universal = names.numbers(name.split(":")[0] for name in written)
        return cls(heads, universal[relations], heads != _NONE)


def _of_run(run: Run, names: Table) -> tuple[Longs | Numbers, Numbers]:
    block, lines = run.block, nodes_of(run)
    if block.format not in UNIVERSAL:
        return _without_trees(len(lines), names)
    heads: Longs | Numbers = block.tree_heads[block.nodes[run.start] : block.nodes[run.stop]]
    if np.all(heads == _NONE):  # graphs may not have been read
        heads = _numbers(cells(block, lines, _HEAD).texts())
    return heads, numbered(cells(block, lines, _DEPREL), names)


def _of_sentence(sentence: Sentence, names: Table) -> tuple[Longs, Numbers]:
    if not sentence.universal:
        return _without_trees(sentence.size, names)
    return _numbers(sentence.column(_HEAD)), names.numbers(sentence.column(_DEPREL))


def _without_trees(words: int, names: Table) -> tuple[Longs, Numbers]:
    return np.full(words, _NONE), np.repeat(names.numbers(["_"]), words)


def _numbers(heads: list[str]) -> Longs:
    return np.array([_NONE if head == "_" else int(head) for head in heads], dtype=np.int64)
