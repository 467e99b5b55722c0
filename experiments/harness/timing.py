"""How fast a trained model is: on a file, and by sentence length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, cycle, islice
from typing import Any

from arctag import empty_nodes
from arctag.bench import best_of
from arctag.formats import read
from arctag.inputs import Tokens
from arctag.parser import ParseOptions, Parser, batches
from arctag.sentence import Sentence
from harness.memory import peak_megabytes

_REPEATS = 5
_THRESHOLDS = (0.8, 0.9, 0.95, 0.98, 0.99, 0.999)
_SLACK = 1.2  # times as many arcs as the gold graphs have


def speed(parser: Parser, sentences: Sequence[Sentence], words: int, batch_tokens: int) -> dict[str, Any]:
    """Words a second from words to arcs with relations, for about so many words of a treebank, over and over.

    Files are neither read nor written in that time: it is the same for all parsers, and most of what a file takes.
    """
    known = [tokens for sentence in sentences if (tokens := parser.tokens(sentence)).words]
    chosen: list[Tokens] = []
    count = 0
    for tokens in cycle(known):
        if count >= words:
            break
        chosen.append(tokens)
        count += len(tokens.words)
    parts = list(batches(parser.inputs.costs(chosen), batch_tokens))
    seconds = best_of(lambda: [parser.predict([chosen[i] for i in part]) for part in parts], _REPEATS)
    return {"tokens": count, "batch_tokens": batch_tokens, "tokens_per_s": round(count / seconds)}


def by_length(parser: Parser, file: str, lengths: Sequence[int], words: int, on_gpu: bool) -> dict[str, Any]:
    """Time and memory for sentences made of the words of a file, joined and cut to each length."""
    graphs = [empty_nodes.drop(sentence).graph for sentence in read(file)]
    most = _SLACK * sum(map(len, graphs)) / sum(graph.n for graph in graphs)
    rows = [_measured(parser, _sentences(file, length, words), most, on_gpu) for length in lengths]
    return {"words": words, "rows": rows}


def _sentences(file: str, length: int, words: int) -> list[Sentence]:
    """Sentences of so many words each, about so many words in all and at least one."""
    known = chain.from_iterable(zip(s.words, s.tags, strict=True) for s in map(empty_nodes.drop, read(file)))
    stream = cycle(list(known))
    found = []
    for _ in range(max(1, words // length)):
        pairs = list(islice(stream, length))
        found.append(Sentence.from_words([word for word, _ in pairs], tags=[tag for _, tag in pairs]))
    return found


def _measured(parser: Parser, batch: list[Sentence], most: float, on_gpu: bool) -> dict[str, Any]:
    """Microseconds a word and peak memory; a reason where it was too much for the machine."""
    length, words = batch[0].graph.n, sum(s.graph.n for s in batch)
    options = ParseOptions(batch_tokens=max(ParseOptions.batch_tokens, length))
    row: dict[str, Any] = {"length": length, "sentences": len(batch)}
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
