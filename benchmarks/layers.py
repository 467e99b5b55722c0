"""The speed of all layers of a model against its graph alone, in turns: `python benchmarks/layers.py MODEL FILE`.

Both are the same network on the same words; the graph alone is asked nothing else, and nothing else helps it.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from itertools import islice
from statistics import median
from time import perf_counter

from arctag import Parser, Sentence, load, read
from arctag.layers.graphs import MAIN, GraphLayer

SENTENCES, RUNS = 1000, 9


def main(model: str, file: str) -> None:
    """Print words per second, and how they compare: medians over runs."""
    sentences = [Sentence.from_words(sentence.words) for sentence in islice(read(file), SENTENCES)]
    parser = load(model)
    graph = parser.config.layer(MAIN)
    assert isinstance(graph, GraphLayer)
    config = parser.config.with_layers([replace(graph, tree="", lexical="form")])
    alone = Parser(config, parser.inputs, parser.backend, parser.files)
    pairs = [(speed(alone, sentences), speed(parser, sentences)) for _ in range(1 + RUNS)][1:]  # the first one warms up
    print(f"graph alone: {median(one for one, _ in pairs):,.0f} words/s")
    print(f"all layers: {median(other for _, other in pairs):,.0f} words/s")
    shares = sorted(other / one for one, other in pairs)
    print(f"all layers against the graph alone: {median(shares):.2f} (from {shares[0]:.2f} to {shares[-1]:.2f})")


def speed(parser: Parser, sentences: list[Sentence]) -> float:
    """Words per second."""
    started = perf_counter()
    words = sum(sentence.size for sentence in parser.parse_sentences(sentences))
    return words / (perf_counter() - started)


if __name__ == "__main__":
    main(*sys.argv[1:])
