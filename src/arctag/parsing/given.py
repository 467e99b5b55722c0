"""What a parser is given from Python, as sentences: a sentence, its words, or several of either."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping

from arctag.errors import ArctagWarning, InputError
from arctag.sentence import Sentence

TAKEN = "text as a string, a file as a pathlib.Path, a sentence, a list of words, or several of these two"


def sentences_of(what: object) -> Iterator[Sentence]:
    """A sentence, the words of one, or several of either, as sentences; `InputError` for anything else."""
    if isinstance(what, Sentence):
        return iter([what])
    if isinstance(what, (bytes, Mapping)) or not isinstance(what, Iterable):
        raise InputError(f"expected {TAKEN}; found {kind_of(what)}")
    return _stream(what)


def _stream(what: Iterable[object]) -> Iterator[Sentence]:
    items = iter(what)
    for number, item in enumerate(items):
        if number == 0 and isinstance(item, str):
            yield _from_words(_one_sentence([item, *items]))
        else:
            yield item if isinstance(item, Sentence) else _from_words(item)


def _one_sentence(words: list[object]) -> list[object]:
    """The words of one sentence; a warning where they look like texts."""
    if all(isinstance(word, str) and " " in word.strip() for word in words):
        warnings.warn(
            "a list of strings is taken for the words of one sentence, and these look like texts "
            f"({words[0]!r:.40}): parse each text by itself, as a string",
            ArctagWarning,
            stacklevel=6,
        )
    return words


def _from_words(words: object) -> Sentence:
    if not isinstance(words, Iterable) or isinstance(words, (str, bytes, Mapping)):
        raise InputError(f"expected a sentence or a list of words; found {kind_of(words)}")
    listed = list(words)
    for word in listed:
        if not isinstance(word, str):
            raise InputError(f"expected a word as a string; found {kind_of(word)}")
    return Sentence.from_words(listed)


def kind_of(value: object) -> str:
    """A value and its type, for messages."""
    return f"{value!r:.50} of type {type(value).__name__}"
