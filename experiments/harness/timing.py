"""How fast a trained model is: on a file, and by sentence length."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import cycle, islice
from time import perf_counter
from typing import Any

from arctag.analysis.bench import best_of
from arctag.backends.inputs import Tokens
from arctag.parsing.batches import batches
from arctag.parsing.parser import ParseOptions, Parser
from arctag.sentence import Sentence
from harness.memory import peak_megabytes

_REPEATS = 5
_THRESHOLDS = (0.8, 0.9, 0.95, 0.98, 0.99, 0.999)
_SLACK = 1.2  # times as many arcs as the gold graphs have


def speeds(
    parsers: Sequence[Parser], sentences: Sequence[Sentence], words: int, batch_tokens: int, at_least: float
) -> list[dict[str, Any]]:
    """Words a second of each parser from words to arcs with relations, for about so many words of a treebank.

    They take turns, at least five each and so many seconds: while a machine is slower, it is so for all. Files are
    neither read nor written in that time: it is the same for all parsers, and most of what a file takes.
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
    """What is timed: a treebank's sentences in batches, from the start again if they are too few; and their words."""
    known = [tokens for sentence in sentences if (tokens := parser.tokens(sentence)).words]
    chosen: list[Tokens] = []
    count = 0
    for tokens in cycle(known):
        if count >= words:
            break
        chosen.append(tokens)
        count += len(tokens.words)
    parts = [[chosen[i] for i in part] for part in batches(parser.inputs.costs(chosen), batch_tokens)]
    return lambda: list(parser.predictions(parts)), count


def by_length(
    parser: Parser, treebank: Sequence[Sentence], lengths: Sequence[int], sentences: int, on_gpu: bool
) -> dict[str, Any]:
    """Time and memory for so many sentences of each length, made of the words of a treebank, joined and cut.

    Always as many: with fewer long ones than short ones, a GPU would have less to do side by side the longer they are.
    """
    most = _SLACK * sum(len(s.graph) for s in treebank) / sum(s.graph.n for s in treebank)
    rows = [_measured(parser, _sentences(treebank, length, sentences), most, on_gpu) for length in lengths]
    return {"sentences": sentences, "rows": rows}


def _sentences(treebank: Sequence[Sentence], length: int, count: int) -> list[Sentence]:
    """So many sentences of so many words each."""
    stream = cycle([pair for s in treebank for pair in zip(s.words, s.tags, strict=True)])
    found = []
    for _ in range(count):
        pairs = list(islice(stream, length))
        found.append(Sentence.from_words([word for word, _ in pairs], tags=[tag for _, tag in pairs]))
    return found


def _measured(parser: Parser, batch: list[Sentence], most: float, on_gpu: bool) -> dict[str, Any]:
    """Microseconds a word and peak memory; a reason where it was too much for the machine."""
    length, words = batch[0].graph.n, sum(s.graph.n for s in batch)
    options = ParseOptions(batch_tokens=10 * words)  # all at once, in pieces too
    row: dict[str, Any] = {"length": length}
    try:
        options = _suited(parser, batch, most * words, options)
        row["threshold"], row["arcs_per_word"] = options.threshold, round(_arcs(parser, batch, options) / words, 2)
        row["peak_megabytes"] = peak_megabytes(lambda: _arcs(parser, batch, options), on_gpu)
        row["microseconds_per_word"] = round(1e6 * best_of(lambda: _arcs(parser, batch, options), _REPEATS) / words, 2)
    except (RuntimeError, MemoryError) as error:  # RuntimeError: torch out of memory
        row["reason"] = (str(error).splitlines() or ["not enough memory"])[0][:200]
    return row


def _suited(parser: Parser, batch: list[Sentence], most: float, options: ParseOptions) -> ParseOptions:
    """With a threshold that lets through about as many arcs as graphs of this treebank have.

    No scorer has seen sentences as long as these: it lets through too many pairs of words far apart, and naming them
    would take more time than finding them.
    """
    config = parser.config
    if not (config.verify or config.biaffine):
        return options
    for threshold in (config.threshold, *(t for t in _THRESHOLDS if t > config.threshold)):
        options = replace(options, threshold=threshold)
        if _arcs(parser, batch, options) <= most:
            break
    return options


def _arcs(parser: Parser, batch: list[Sentence], options: ParseOptions) -> int:
    return sum(len(sentence.graph) for sentence in parser.parse_sentences(batch, options))
