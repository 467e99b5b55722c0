"""A predicted sentence against its gold one: which arcs are right, missing and extra."""

from __future__ import annotations

from arctag.draw.edges import Edge, joined
from arctag.errors import AlignmentError
from arctag.graph import Graph, Relations
from arctag.sentence import Sentence

CORRECT, RELABELLED, MISSING, EXTRA = "correct", "relabelled", "missing", "extra"
"""The kinds of arc in a picture of two graphs."""

MEANINGS = {
    CORRECT: "correct",
    RELABELLED: "right arc, wrong relation (\u2212gold +predicted)",
    MISSING: "missing: only in gold",
    EXTRA: "extra: only predicted",
}
MINUS = "\u2212"


def check_aligned(sentence: Sentence, gold: Sentence) -> None:
    """Raise unless both sentences have the same nodes."""
    pairs = zip(zip(sentence.ids, sentence.words, strict=True), zip(gold.ids, gold.words, strict=True), strict=False)
    for (name, word), (gold_name, gold_word) in pairs:
        if (name, word) != (gold_name, gold_word):
            raise AlignmentError(
                f"sentence {sentence.id} ({sentence.source or 'not from a file'}) differs from its gold one "
                f"({gold.source or 'not from a file'}): found {name} {word!r}; expected {gold_name} {gold_word!r}"
                + _hint(sentence, gold)
            )
    if len(sentence.ids) != len(gold.ids):
        raise AlignmentError(
            f"sentence {sentence.id} ({sentence.source or 'not from a file'}) has {len(sentence.ids)} words; "
            f"its gold one ({gold.source or 'not from a file'}) has {len(gold.ids)}" + _hint(sentence, gold)
        )


def _hint(sentence: Sentence, gold: Sentence) -> str:
    """What to try if only one side has empty nodes, the usual reason."""
    return "; empty nodes differ: try --empty collapse or drop" if sentence.has_empty != gold.has_empty else ""


def compared_edges(gold: Graph, predicted: Graph) -> list[Edge]:
    """The arcs of both graphs, each with its kind."""
    expected = {(arc.dependent, arc.head): arc.relations for arc in gold}
    actual = {(arc.dependent, arc.head): arc.relations for arc in predicted}
    return [
        _compared_edge(head, dependent, expected.get((dependent, head)), actual.get((dependent, head)))
        for dependent, head in sorted(expected.keys() | actual.keys())
    ]


def _compared_edge(head: int, dependent: int, expected: Relations | None, actual: Relations | None) -> Edge:
    if actual is None:
        return Edge(head, dependent, MINUS + joined(expected or ()), MISSING, relations=expected or ())
    if expected is None:
        return Edge(head, dependent, "+" + joined(actual), EXTRA, relations=actual)
    if set(expected) == set(actual):
        return Edge(head, dependent, joined(expected), CORRECT, relations=expected)
    shared = [relation for relation in expected if relation in actual]
    lost = [MINUS + relation for relation in expected if relation not in actual]
    gained = ["+" + relation for relation in actual if relation not in expected]
    relations = (*expected, *(relation for relation in actual if relation not in expected))
    return Edge(head, dependent, " ".join([*shared, *lost, *gained]), RELABELLED, relations=relations)
