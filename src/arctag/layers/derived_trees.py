"""`DerivedTreeLayer`: HEAD and DEPREL taken from the graph, for a model that learns no trees of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from arctag.columns import HEAD
from arctag.layers.base import Layer, Output, Question
from arctag.layers.graphs import MAIN
from arctag.sentence import Sentence
from arctag.transforms.basic_tree import with_tree


@dataclass(frozen=True, kw_only=True)
class DerivedTreeLayer(Layer):
    """The basic tree inside each enhanced graph. Nothing is learned of it but the names of relations."""

    relations: tuple[str, ...]
    """Those of the trees in the training files."""

    kind: ClassVar[str] = "derived-tree"
    in_labels: ClassVar[tuple[str, ...]] = ("relations",)
    written: ClassVar[tuple[str, ...]] = ("HEAD", "DEPREL")

    @property
    def uses(self) -> tuple[str, ...]:
        """The graph."""
        return (MAIN,)

    @property
    def summary(self) -> dict[str, Any]:
        """Where it comes from."""
        return {"from": MAIN, "relations": len(self.relations)}

    def propose(self, question: Question) -> None:
        """There is nothing to ask."""

    def conclude(self, question: Question, proposed: None, others: Mapping[str, Any]) -> None:
        """All is in the graph."""

    def write(self, sentences: Sequence[Sentence], prediction: None, output: Output) -> list[Sentence]:  # noqa: ARG002
        """The sentences with the trees that are in their graphs."""
        written = [with_tree(sentence, self.relations) for sentence in sentences]
        return list(map(_with_probabilities, written)) if output.probabilities else written


def _with_probabilities(sentence: Sentence) -> Sentence:
    """The sentence with the probabilities of its heads: those of the arcs in its graph, and 0 where there is none."""
    graph = sentence.graph
    if graph.probabilities is None or not sentence.universal:
        return sentence
    ends = zip(graph.heads.tolist(), graph.dependents.tolist(), strict=True)
    known = dict(zip(ends, graph.probabilities.tolist(), strict=True))
    heads = [int(head) if head != "_" else -1 for head in sentence.column(HEAD)]
    return sentence.replace(head_probabilities=[known.get((head, i), 0.0) for i, head in enumerate(heads, 1)])
