"""Checks of encodings whose labels depend on the tags of words; the other checks give them graphs without tags."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from arctag.encodings.base import Encoding
from arctag.encodings.labels import Arcs, Labels
from arctag.encodings.upos import UPOS
from arctag.testing.compare import expect_round_trip, expect_valid, fail, same_arcs, same_labels, sentence_labels
from arctag.testing.fixed_checks import expect_same, expect_same_decoding
from arctag.testing.graphs import every_graph, graph_at, random_batch

_FEW = 3  # tags: with these, words that have the same one are frequent even in short sentences


def check_with_tags(encoding: Encoding, oracle: Encoding | None = None) -> None:
    """With tags, too: the covered arcs come back, a sentence fares the same alone, and any labels decode."""
    if not encoding.needs_tags:
        return
    random = np.random.default_rng(8)
    for arcs in (*map(every_graph, range(4)), random_batch(random, 40, 24)):
        for most in (_FEW, len(UPOS), len(UPOS) + 2):  # beyond the table
            tagged = with_random_tags(arcs, random, most)
            labels = expect_round_trip(encoding, tagged)
            if oracle is not None:
                expect_same(encoding, oracle, tagged)
    _expect_tags_are_kept(encoding, tagged, labels)
    damaged = _damaged(labels, random)
    expect_valid(encoding, damaged, encoding.decode_all(damaged))
    if oracle is not None:
        expect_same_decoding(encoding, oracle, damaged)
        if not np.array_equal(encoding.decode_all(damaged).repairs, oracle.decode_all(damaged).repairs):
            fail(encoding, "the oracle counts other repairs", labels=damaged)


def with_random_tags(arcs: Arcs, random: np.random.Generator, most: int = len(UPOS)) -> Arcs:
    """The same graphs, whose words have so many different tags."""
    return replace(arcs, tags=random.integers(0, most, int(arcs.sizes.sum())).astype(np.int32))


def _expect_tags_are_kept(encoding: Encoding, arcs: Arcs, labels: Labels) -> None:
    """Labels know the tags of their words, and a sentence has the same ones alone."""
    decoded = encoding.decode_all(labels)
    if labels.tags is None or decoded.arcs.tags is None:
        fail(encoding, "labels and decoded arcs must have the tags of the arcs they were made of")
    first = 0
    for i, n in enumerate(arcs.sizes.tolist()):
        graph, part = graph_at(arcs, i), sentence_labels(labels, i)
        alone = encoding.encode_all(Arcs.of([graph], labels.tags[first : first + n]))
        if not same_labels(alone, part):
            fail(encoding, "a graph gets other labels alone than in a batch", graph=graph, alone=alone, batch=part)
        if not encoding.decode(part).graph.same_arcs(graph_at(decoded.arcs, i)):
            fail(encoding, "labels decode differently alone than in a batch", graph=graph)
        first += n
    if not same_arcs(encoding.decode_all(encoding.encode_all(decoded.arcs)).arcs, decoded.arcs):
        fail(encoding, "decoded arcs cannot be encoded again")


def _damaged(labels: Labels, random: np.random.Generator) -> Labels:
    """The same labels, where a tenth of the numbers are a little larger or smaller."""
    changes = random.integers(-2, 3, len(labels.values)) * (random.random(len(labels.values)) < 0.1)
    return replace(labels, values=(labels.values + changes).astype(np.int32))
