"""Parsed sentences as text: probabilities become comments, and what a format has no room for is counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from arctag.formats import Writer
from arctag.formats.columnar.formats import need_pyarrow
from arctag.sentence import Sentence


class Renderer(Writer):
    """Writes parsed sentences in a format of text."""

    faults: Sequence[str] = ()

    @property
    def start(self) -> bytes:
        """What a file begins with that begins with these sentences."""
        return self.header.encode()

    def data(self, sentences: Iterable[Sentence]) -> Iterator[bytes]:
        """The text of sentences, with their probabilities if they have them."""
        return super().data(map(with_probabilities, sentences))


class TableRenderer:
    """Writes parsed sentences as parts of an Arrow stream; a table is made of it when it is complete."""

    def __init__(
        self, layers: Sequence[str], graphs: Collection[str], document: str | None, errors: Mapping[int, str]
    ) -> None:
        """`layers` and `graphs` are as for `Batches`; `errors` says, by identity, which sentences were not parsed."""
        need_pyarrow()
        from arctag.formats.columnar.batches import Batches

        self._batches, self._errors = Batches(layers, graphs, document=document), errors

    @property
    def start(self) -> bytes:
        """What a file begins with that begins with these sentences: the schema."""
        from arctag.formats.columnar.writing import header

        return header(self._batches.schema)

    @property
    def lost(self) -> Counter[str]:
        """What the table had no room for, by kind."""
        return self._batches.lost

    @property
    def faults(self) -> Sequence[str]:
        """The sentences that became rows with an error, and why."""
        return self._batches.faults

    def data(self, sentences: Iterable[Sentence]) -> Iterator[bytes]:
        """The rows of sentences."""
        from arctag.formats.columnar.writing import messages

        return map(messages, self._batches.of(sentences, self._errors))


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
