"""Parsed sentences as text: probabilities become comments, and what a format has no room for is counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from arctag.formats import Writer
from arctag.sentence import Sentence


class Renderer(Writer):
    """Writes parsed sentences in one format."""

    def data(self, sentences: Iterable[Sentence]) -> Iterator[bytes]:
        """The text of sentences, with their probabilities if they have them."""
        return super().data(map(with_probabilities, sentences))


def with_probabilities(sentence: Sentence) -> Sentence:
    """The sentence with its probabilities, if it has them, as comments."""
    if sentence.arcs is not None and sentence.arcs[0].probabilities is None:  # no need to make the graph
        return sentence
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
    return sentence.replace(comments=(*sentence.comments[:at], *new, *sentence.comments[at:]))
