"""The fast encodings equal the slow, obvious ones."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from arctag import read
from arctag.encodings import Arcs, Encoding, Labels, encoding
from arctag.errors import InputError
from arctag.testing import encoding_checks, oracle
from arctag.testing.fixed_checks import expect_same, expect_same_decoding
from arctag.testing.material import mixed
from arctag.transforms import empty_nodes
from tests.encodings.all_encodings import GREEDY, TREES, label

TWO_PLANES = [m for m in GREEDY if getattr(m, "k", 2) == 2 and getattr(m, "first_null", "next") == "next"]


@cache
def _treebank(path: Path) -> Arcs:
    return Arcs.of(empty_nodes.drop(sentence).graph for sentence in read(path))


@pytest.mark.parametrize("enc", [*GREEDY, *TREES], ids=label)
def test_oracles_agree_on_small_and_random_graphs(enc: Encoding) -> None:
    checks = {check.name: check for check in encoding_checks(oracle(enc))}
    checks["agrees_with_oracle"](enc)


@pytest.mark.parametrize("enc", TWO_PLANES, ids=label)
def test_oracles_agree_on_a_treebank(enc: Encoding, shared: Path) -> None:
    expect_same(enc, oracle(enc), _treebank(shared / "data" / "iwpt_sk" / "dev.conllu"))


@pytest.mark.parametrize("enc", [*GREEDY, *TREES], ids=label)
def test_oracles_agree_on_damaged_labels(enc: Encoding) -> None:
    """The repairs are part of the definition too: the same arcs come out of ill-formed labels."""
    random = np.random.default_rng(3)
    good = enc.encode_all(mixed(enc, 3, 60, 12))
    rows = [list(row) for row in good]
    for i in np.flatnonzero(random.random(len(rows)) < 0.3):
        if rows[i]:
            place = random.integers(len(rows[i]))
            rows[i][place] = max(0, rows[i][place] + int(random.integers(-1, 2)))
    damaged = Labels.from_rows(rows, good.sizes.tolist())
    assert np.any(enc.decode_all(damaged).repairs), "nothing was damaged"
    expect_same_decoding(enc, oracle(enc), damaged)
    np.testing.assert_array_equal(enc.decode_all(damaged).repairs, oracle(enc).decode_all(damaged).repairs)


def test_oracle_of_best_planes_is_refused() -> None:
    with pytest.raises(InputError, match="most_covered"):
        oracle(encoding("bits6-2", planes="best"))
