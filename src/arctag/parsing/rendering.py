"""Parsed sentences as text: probabilities become comments, and what a format has no room for is counted."""

from __future__ import annotations

from dataclasses import replace

from arctag.formats import Writer
from arctag.sentence import Sentence


class Renderer(Writer):
    """Writes parsed sentences in one format."""

    def text(self, sentence: Sentence) -> str:
        """The text of a sentence, with its probabilities if it has them."""
        return super().text(with_probabilities(sentence))


def with_probabilities(sentence: Sentence) -> Sentence:
    """The sentence with its probabilities, if it has them, as comments."""
    probabilities = sentence.graph.probabilities
    if probabilities is None:
        return sentence
    ids = ["0", *sentence.ids]
    arcs = " ".join(
        f"{ids[arc.head]}>{ids[arc.dependent]}={probability:.3f}"
        for arc, probability in zip(sentence.graph, probabilities.tolist(), strict=True)
    )
    at = len(sentence.comments)
    if sentence.format == "sdp" and at and not sentence.comments[-1].startswith("#SDP"):
        at -= 1  # the last comment is the sentence's id
    new = (f"# score = {sentence.score or 0.0:.4f}", f"# probabilities = {arcs}")
    return replace(sentence, comments=(*sentence.comments[:at], *new, *sentence.comments[at:]))
