"""The speed of trained models: on a file, and by sentence length."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import cycle, islice
from time import perf_counter
from typing import Any

from arctag.analysis.timing import best_of
from arctag.backends.inputs import Tokens
from arctag.parsing.batches import batches
from arctag.parsing.parser import ParseOptions, Parser
from arctag.sentence import Sentence
from harness.graph_layer import graph_layer
from harness.memory import peak_megabytes

_REPEATS = 5
_THRESHOLDS = (0.8, 0.9, 0.95, 0.98, 0.99, 0.999)
_SLACK = 1.2  # times as many arcs as the gold graphs have


def speeds(
    parsers: Sequence[Parser], sentences: Sequence[Sentence], words: int, batch_tokens: int, at_least: float
) -> list[dict[str, Any]]:
    """Words per second of each parser from words to labelled arcs, for about this many words of a treebank.

    The parsers take turns, at least five each and `at_least` seconds, so that changes of the machine's speed affect
    all of them. Reading and writing files is not included: it is the same for all parsers, and most of the time.
    """
    works = [_work(parser, sentences, words, batch_tokens) for parser in parsers]
    for action, _ in works:  # the first time takes longer
        action()
    times: list[list[float]] = [[] for _ in works]
    while any(len(taken) < _REPEATS or sum(taken) < at_least for taken in times):
        for (action, _), taken in zip(works, times, strict=True):
            start = perf_counter()
            action()
            taken.append(perf_counter() - start)
    return [
        {"tokens": count, "batch_tokens": batch_tokens, "tokens_per_s": round(count / min(taken)), "turns": len(taken)}
        for (_, count), taken in zip(works, times, strict=True)
    ]


def _work(
    parser: Parser, sentences: Sequence[Sentence], words: int, batch_tokens: int
) -> tuple[Callable[[], object], int]:
    """The action to time, a treebank's sentences in batches, repeated if they are too few; and its number of words."""
    available = [tokens for sentence in sentences if (tokens := parser.tokens(sentence)).words]
    selected: list[Tokens] = []
    count = 0
    for tokens in cycle(available):
        if count >= words:
            break
        selected.append(tokens)
        count += len(tokens.words)
    groups = [[selected[i] for i in batch] for batch in batches(parser.inputs.costs(selected), batch_tokens)]
    return lambda: list(parser.predictions(groups)), count


def by_length(
    parser: Parser, treebank: Sequence[Sentence], lengths: Sequence[int], sentences: int, on_gpu: bool
) -> dict[str, Any]:
    """Time and memory for sentences of each length, cut from the running words of a treebank.

    The number of sentences is the same for all lengths, so that a GPU can work in parallel on as many of each.
    """
    most = _SLACK * sum(len(s.graph) for s in treebank) / sum(s.graph.n for s in treebank)
    rows = [_measure(parser, _sentences(treebank, length, sentences), most, on_gpu) for length in lengths]
    return {"sentences": sentences, "rows": rows}


def _sentences(treebank: Sequence[Sentence], length: int, count: int) -> list[Sentence]:
    """`count` sentences of `length` words each."""
    stream = cycle([pair for s in treebank for pair in zip(s.words, s.tags, strict=True)])
    sentences = []
    for _ in range(count):
        pairs = list(islice(stream, length))
        sentences.append(Sentence.from_words([word for word, _ in pairs], tags=[tag for _, tag in pairs]))
    return sentences


def _measure(parser: Parser, batch: list[Sentence], most: float, on_gpu: bool) -> dict[str, Any]:
    """Microseconds per word and peak memory; the reason where the machine could not do it."""
    length, words = batch[0].graph.n, sum(s.graph.n for s in batch)
    options = ParseOptions(batch_tokens=10 * words)  # all in one batch, counted in subwords too
    row: dict[str, Any] = {"length": length}
    try:
        options = _with_threshold(parser, batch, most * words, options)
        row["threshold"], row["arcs_per_word"] = options.threshold, round(_arcs(parser, batch, options) / words, 2)
        row["peak_megabytes"] = peak_megabytes(lambda: _arcs(parser, batch, options), on_gpu)
        row["microseconds_per_word"] = round(1e6 * best_of(lambda: _arcs(parser, batch, options), _REPEATS) / words, 2)
    except (RuntimeError, MemoryError) as error:  # RuntimeError: torch out of memory
        row["reason"] = (str(error).splitlines() or ["not enough memory"])[0][:200]
    return row


def _with_threshold(parser: Parser, batch: list[Sentence], most: float, options: ParseOptions) -> ParseOptions:
    """Options with a threshold at which the parser finds about as many arcs as the treebank has.

    No scorer was trained on sentences as long as these: it accepts too many pairs of distant words, and labelling
    them would take more time than finding them.
    """
    graph = graph_layer(parser)
    if not (graph.verify or graph.biaffine):
        return options
    for threshold in (graph.threshold, *(t for t in _THRESHOLDS if t > graph.threshold)):
        options = replace(options, threshold=threshold)
        if _arcs(parser, batch, options) <= most:
            break
    return options


def _arcs(parser: Parser, batch: list[Sentence], options: ParseOptions) -> int:
    return sum(len(sentence.graph) for sentence in parser.parse_sentences(batch, options))
