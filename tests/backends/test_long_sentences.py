"""Very long sentences: read in windows of bounded size, and put together as if they had been read in one go."""

from __future__ import annotations

from itertools import cycle, islice
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arctag.backends import long_sentences
from arctag.backends.inputs import Tokens, WordInputs
from arctag.backends.long_sentences import LONGEST, prepare, windows
from arctag.layers.types import Arrays
from arctag.parsing.loading import load
from arctag.parsing.parser import ParseOptions
from arctag.sentence import Sentence
from tests.exported import SENTENCES, Export, predicted, sample_words

ENGLISH = "en"


def long_words(count: int) -> list[str]:
    return list(islice(cycle(word for sentence in sample_words() for word in sentence), count))


class Watched:
    """A backend that records how many words it was given at a time."""

    def __init__(self, backend: Any) -> None:
        self.backend = backend
        self.given: list[int] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.backend, name)

    def read(self, arrays: Arrays, layers: Any) -> Any:
        self.given.append(int(arrays["lengths"].sum()))
        return self.backend.read(arrays, layers)


@given(st.integers(0, 5 * LONGEST))
def test_long_sentences_windows_keep_every_word_once(count: int) -> None:
    parts = list(windows(count))
    assert [word for _, first, last, _ in parts for word in range(first, last)] == list(range(count))
    for start, first, last, stop in parts:
        assert 0 <= start <= first <= last <= stop <= count
        assert stop - start <= LONGEST
        assert start == 0 or first - start >= 16
        assert stop == count or stop - last >= 16


@given(st.lists(st.integers(0, 60), max_size=6))
def test_long_sentences_kept_words_are_those_of_the_batch(sizes: list[int]) -> None:
    vocabulary = [f"w{i}" for i in range(400)]
    inputs = WordInputs.build([Tokens(vocabulary, vocabulary)], chars=False, tags=True, min_count=1)
    names = iter(vocabulary)
    words = [list(islice(names, size)) for size in sizes]
    batch = [Tokens(some, some) for some in words]
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (("LONGEST", 12), ("_WINDOW", 8), ("_MARGIN", 2), ("_AT_A_TIME", 20)):
            patch.setattr(long_sentences, name, value)
        found = prepare(inputs, batch)
    assert found.lengths.tolist() == sizes
    if max(sizes, default=0) <= 12:
        assert (len(found.parts), found.kept) == (1, [])
        return
    for name, table in (("words", inputs.words), ("tags", inputs.tags)):
        kept = [part[name][chosen] for part, chosen in zip(found.parts, found.kept, strict=True)]
        assert np.concatenate(kept).tolist() == [table[word] for some in words for word in some]
    assert all(part["lengths"].sum() < 20 + 12 for part in found.parts)


@pytest.mark.parametrize("precision", ["", "fp32"])
@pytest.mark.parametrize("kind", ["words alone", "tuples"])
def test_long_sentences_windows_give_the_answers_of_one_go(
    exports: Export,
    kind: str,
    precision: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    parser = load(exports(kind, precision), "cpu")
    sentences = [*SENTENCES, long_words(300), ["."]]
    wanted = predicted(parser, sentences, 0.3)
    # a network without context must say the same; one with it, whose windows all fit, must so too
    longest, window = (40, 30) if kind == "words alone" else (299, 1000)
    for name, value in (("LONGEST", longest), ("_WINDOW", window), ("_MARGIN", 5)):
        monkeypatch.setattr(long_sentences, name, value)
    found = predicted(parser, sentences, 0.3)
    assert len(prepare(parser.inputs, [Tokens(words) for words in sentences]).kept) == 1
    for name in ("heads", "dependents", "relations", "starts", "sizes"):
        np.testing.assert_array_equal(getattr(found, name), getattr(wanted, name))
    np.testing.assert_allclose(found.probabilities, wanted.probabilities, rtol=1e-4)


def test_long_sentences_reach_the_network_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    parser = load(ENGLISH)
    watched: Any = Watched(parser.backend)
    parser.backend = watched
    for name, value in (("LONGEST", 60), ("_WINDOW", 40), ("_MARGIN", 8), ("_AT_A_TIME", 160)):
        monkeypatch.setattr(long_sentences, name, value)
    sentence = Sentence.from_words(long_words(700))
    (done,) = parser.parse_sentences([sentence], ParseOptions(tree=True))
    assert len(watched.given) > 5
    assert max(watched.given) < 160 + 40
    assert sum(watched.given) < 700 * 2
    assert done.graph.n == 700
    assert all(row[6] != "_" for row in done.rows)
    lengths = np.abs(done.graph.heads - done.graph.dependents)[done.graph.heads > 0]
    assert len(lengths) > 500


def test_long_sentences_arcs_cross_the_borders_of_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    parser = load(ENGLISH)
    for name, value in (("LONGEST", 20), ("_WINDOW", 24), ("_MARGIN", 8)):
        monkeypatch.setattr(long_sentences, name, value)
    text = "The woman who called me because she had lost her keys and could not open the door is my aunt ."
    words = text.split()
    (done,) = parser.parse_sentences([Sentence.from_words(words)])
    window = {word: i for i, (_, first, last, _) in enumerate(windows(len(words))) for word in range(first, last)}
    assert len(set(window.values())) == 3
    assert any(arc.head and window[arc.head - 1] != window[arc.dependent - 1] for arc in done.graph)
