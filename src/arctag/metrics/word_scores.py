"""The scores of words: how they were found in the text, and how they were tagged."""

from __future__ import annotations

import numpy as np

from arctag.metrics.aligned import Aligned
from arctag.metrics.protocol import Counts

SEGMENTATION = ("Tokens", "Sentences", "Words")
"""The scores of a tokenizer, not of a parser."""
TAGS = ("UPOS", "XPOS", "UFeats", "AllTags", "Lemmas")
"""The scores of a tagger."""


def segmentation_scores(both: Aligned) -> dict[str, Counts]:
    """Tokens, sentences and words, each where its gold sentence is."""
    words = both.words
    # spans of text are the same or not: there are none that are aligned but wrong
    spans = (np.pad(counts, ((0, 0), (0, 1))) for counts in (words.tokens, words.sentences))
    return dict(zip(SEGMENTATION, (*spans, both.counted(np.ones(len(words.gold), np.bool_))), strict=True))


def tag_scores(both: Aligned) -> dict[str, Counts]:
    """UPOS, XPOS, UFeats, AllTags and Lemmas."""
    upos, xpos, feats, lemma = both.same_tags
    right = (upos, xpos, feats, upos & xpos & feats, lemma)
    return {name: both.counted(flags) for name, flags in zip(TAGS, right, strict=True)}
