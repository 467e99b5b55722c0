"""The tokens of sentences in flat arrays: mostly system and gold have the same, and nothing needs to be aligned."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from arctag.blocks.flat import Flat, cells, nodes_of
from arctag.blocks.runs import Run
from arctag.cells import Longs
from arctag.encodings.labels import offsets_of
from arctag.sentence import Row

_ID, _FORM = 0, 1
SPACES = " \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
"""The characters that do not count in the text of a file, those of category Zs, for a regular expression."""
_NO_TEXT = re.compile(rf"\n[{SPACES}]*\n")


@dataclass(frozen=True, eq=False)
class Tokens:
    """The rows of sentences without empty nodes: words, and multiword tokens above theirs."""

    rows: Longs
    """The number of rows of each sentence."""
    forms: str
    """The forms of all rows, with line ends between them."""
    lengths: Longs
    """The words of each row that is a multiword token; of others, 0."""

    @classmethod
    def of(cls, flat: Flat) -> Tokens:
        """Those of some sentences."""
        parts = [_of_run(run) if isinstance(run, Run) else _of_rows(run.rows) for run in flat.runs(_ID, _FORM)]
        rows, forms, lengths = zip(*parts, strict=True)
        return cls(np.concatenate(rows), "\n".join(forms), np.concatenate(lengths))

    def same(self, other: Tokens) -> bool:
        """Whether both have the same tokens in the same sentences, each with a place of its own in the text."""
        return (
            np.array_equal(self.rows, other.rows)
            and np.array_equal(self.lengths, other.lengths)
            and self.forms == other.forms
            and self.forms.count("\n") == len(self.lengths) - 1  # none inside a form
            and bool(self.counts.all())
            and not _NO_TEXT.search(f"\n{self.forms}\n")
        )

    @property
    def counts(self) -> Longs:
        """The number of tokens of each sentence: rows, less the words inside multiword tokens."""
        inside = offsets_of(self.lengths)[offsets_of(self.rows)]
        counts: Longs = self.rows - np.diff(inside)
        return counts


def _of_run(run: Run) -> tuple[Longs, str, Longs]:
    block = run.block
    firsts, ends = block.rows[run.start : run.stop], block.ends[run.start : run.stop]
    counts = ends - firsts
    lines = np.repeat(firsts - offsets_of(counts)[:-1], counts) + np.arange(counts.sum())
    lengths = np.zeros(len(lines), dtype=np.int64)
    nodes = nodes_of(run)
    if len(nodes) < len(lines):
        ranges = np.ones(ends[-1] - firsts[0], dtype=np.bool_)
        ranges[nodes - firsts[0]] = False
        places = np.flatnonzero(ranges[lines - firsts[0]])
        lengths[places] = [_length(text) for text in cells(block, lines[places], _ID).texts()]
    return counts, cells(block, lines, _FORM).joined(), lengths


def _of_rows(rows: list[Row]) -> tuple[Longs, str, Longs]:
    lengths = np.array([_length(row[0]) for row in rows], dtype=np.int64)
    return np.array([len(rows)]), "\n".join([row[1] for row in rows]), lengths


def _length(name: str) -> int:
    """The number of words of a range, by its id; 0 for a word."""
    first, dash, last = name.partition("-")
    return int(last) - int(first) + 1 if dash else 0
