"""Every registered encoding, with every option, has every property of the public suite."""

from __future__ import annotations

import pytest

from arctag.encodings import Encoding
from arctag.testing import Check, check_encoding, encoding_checks, oracle
from tests.encodings.all_encodings import ALL, GREEDY, MANY_PLANES, TREES, label


@pytest.mark.parametrize("check", encoding_checks(examples=10), ids=str)
@pytest.mark.parametrize("enc", [*ALL, *TREES], ids=label)
def test_encoding_conforms(enc: Encoding, check: Check) -> None:
    check(enc)


@pytest.mark.parametrize("enc", MANY_PLANES, ids=label)
def test_encoding_conforms_with_more_planes_than_needed(enc: Encoding) -> None:
    check_encoding(enc, words=3, examples=5)


@pytest.mark.parametrize("enc", [*GREEDY[::3], *TREES], ids=label)
def test_oracles_conform_themselves(enc: Encoding) -> None:
    for check in encoding_checks(words=2, examples=5):
        if check.name in ("is_a_frozen_value", "every_small_graph", "any_labels", "any_text"):  # the others take long
            check(oracle(enc))
