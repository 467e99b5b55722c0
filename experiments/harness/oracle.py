"""The best score a parser could reach on a file: arcs that its encodings cannot express are lost."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arctag.analysis.diagnose import Treebank
from arctag.encodings import Encoding
from arctag.formats import read


def oracle(file: str, encodings: Sequence[Encoding], combine: str) -> dict[str, float]:
    """Oracle UF and LF in per cent, of the union or the majority of the encodings; all arcs without encodings."""
    treebank = Treebank.of(read(file))
    relations = treebank.relation_counts
    votes = np.zeros(len(relations), dtype=np.int64)
    for encoding in encodings:
        votes += encoding.covers_all(treebank.arcs)
    kept = votes * 2 > len(encodings) if combine == "vote" else votes > 0
    if not encodings:
        kept = np.ones(len(relations), dtype=np.bool_)
    return {
        "UF": _f1(int(np.count_nonzero(kept)), len(relations)),
        "LF": _f1(int(relations[kept].sum()), int(relations.sum())),
    }


def _f1(kept: int, total: int) -> float:
    return round(200 * kept / (kept + total), 2) if total else 100.0
