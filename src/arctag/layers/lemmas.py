"""`LemmaLayer`: lemmas, as tags that are rules; a rule turns the form of a word into its lemma."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import ClassVar

import numpy as np

from arctag.blocks.forms import Forms
from arctag.cells import Numbers
from arctag.layers.columns import BLANK, cells
from arctag.layers.lemma_rules import apply, rule
from arctag.layers.tags import TagLayer
from arctag.layers.types import Longs
from arctag.sentence import Sentence


@dataclass(frozen=True, kw_only=True)
class LemmaLayer(TagLayer):
    """The lemma of each word."""

    kind: ClassVar[str] = "lemma"

    @classmethod
    def tags_of(cls, sentences: Sequence[Sentence], column: str) -> list[str | None]:
        """The rule of every word; none for a lemma that nobody has filled in."""
        pairs = zip(chain.from_iterable(s.words for s in sentences), cells(sentences, column), strict=True)
        known = cache(rule)  # most pairs come again and again
        return [known(form, lemma) if lemma != BLANK or form == BLANK else None for form, lemma in pairs]

    @classmethod
    def values(cls, sentences: Sequence[Sentence], column: str) -> Counter[str]:  # noqa: ARG003
        """Nothing: the lemmas of two texts may well be others."""
        return Counter()

    def cells_of(self, tags: Longs, words: Sequence[Sequence[str]]) -> Forms:
        """Each pair of form and rule is worked out once."""
        forms = list(chain.from_iterable(words))
        known: dict[tuple[str, int], int] = {}
        numbers: Numbers = np.fromiter(
            (known.setdefault(pair, len(known)) for pair in zip(forms, tags.tolist(), strict=True)),
            np.int32,
            len(forms),
        )
        return Forms(numbers, [apply(self.tags[number], form) for form, number in known])
