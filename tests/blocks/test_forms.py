"""Words of a block by number."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from arctag import Sentence, read
from arctag.backends.inputs import word_cache
from arctag.backends.inputs.word_cache import WordCache
from arctag.blocks.forms import Forms


def cache() -> WordCache:
    return WordCache(lambda words: [[len(word), *map(ord, word)] for word in words])


def test_forms_are_the_words(sample: Path) -> None:
    for sentence in read(sample):
        forms = sentence.forms
        assert isinstance(forms, Forms)
        assert list(forms) == sentence.words
        assert [forms[i] for i in range(len(forms))] == sentence.words
        assert list(forms[1:3]) == sentence.words[1:3]
        assert list(forms[::-1]) == sentence.words[::-1]


def test_forms_are_those_that_were_set(sample: Path) -> None:
    sentence = next(iter(read(sample)))
    other = sentence.with_columns({1: [word.upper() for word in sentence.words]})
    assert list(other.forms) == other.words == [word.upper() for word in sentence.words]
    assert list(Sentence.from_words(["a", "b"]).forms) == ["a", "b"]


@pytest.mark.parametrize("most", [1, 32])
def test_forms_are_looked_up_as_words_are(sample: Path, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of several blocks, in any order, with and without what the cache has seen before."""
    monkeypatch.setattr(word_cache, "_MOST_BLOCKS", most)
    sentences = [*read(sample), *read(sample)][::-3]
    by_form, by_word = cache(), cache()
    for some in (sentences[:5], sentences, [Sentence.from_words(["new", "words"]), *sentences]):
        found, wanted = by_form.look_up(s.forms for s in some), by_word.look_up(s.words for s in some)
        for ours, theirs in zip(found.rows(found.numbers), wanted.rows(wanted.numbers), strict=True):
            assert np.array_equal(ours, theirs)
