"""A threshold that suits a scorer which was trained for a moment only, so that its speed is that of a trained one.

Such a scorer lets far too many arcs through, hundreds a word in a long sentence, and naming their relations would take
all the time. What a trained one lets through is about what the gold graphs have.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from arctag import empty_nodes
from arctag.formats import read
from arctag.parser import ParseOptions, Parser
from arctag.sentence import Sentence

_TRIED = (0.999, 0.99, 0.98, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5)
_SLACK = 1.2  # times as many arcs as the gold graphs have


def gold_arcs_per_word(file: str) -> float:
    """How dense the graphs of a file are."""
    graphs = [empty_nodes.drop(sentence).graph for sentence in read(file)]
    return sum(map(len, graphs)) / sum(graph.n for graph in graphs)


def suited(parser: Parser, sentences: Sequence[Sentence], arcs_per_word: float, options: ParseOptions) -> Parser:
    """The parser with the lowest threshold that gives no more arcs than such graphs have; as it is if it has none."""
    if not (parser.config.verify or parser.config.biaffine):
        return parser
    best = _TRIED[0]
    for threshold in (*_TRIED, parser.config.threshold):
        count = counting(parser, sentences, replace(options, threshold=threshold))
        if count() > _SLACK * arcs_per_word * sum(len(s.node_rows) for s in sentences):
            break
        best = threshold
    return Parser(replace(parser.config, threshold=best), parser.inputs, parser.backend, parser.files)


def counting(parser: Parser, sentences: Sequence[Sentence], options: ParseOptions) -> Callable[[], int]:
    """Parse, and give the number of arcs found."""
    return lambda: sum(len(sentence.graph) for sentence in parser.parse_sentences(sentences, options))
