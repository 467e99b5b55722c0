"""Time and memory by sentence length, in a process of its own: train for a moment, then parse longer and longer ones.

Started by `speed.py`. The sentences are the words of the test file, joined and cut to length.
"""

from __future__ import annotations

import sys
from itertools import chain, cycle, islice
from pathlib import Path
from typing import Any

from harness.environment import environment
from harness.following import follow
from harness.memory import peak_megabytes
from harness.spec import receive
from harness.store import FORMAT, LENGTHS, write_result
from harness.thresholds import counting, gold_arcs_per_word, suited

from arctag import empty_nodes
from arctag.bench import best_of
from arctag.errors import ArctagError
from arctag.formats import read
from arctag.parser import ParseOptions, Parser
from arctag.sentence import Sentence

_REPEATS = 3


def main() -> None:
    """Do what standard input says."""
    spec = receive()
    config = spec.train_config()
    test = spec.tests["test"]
    try:
        done = follow(config, spec.beside)
        density = gold_arcs_per_word(test)
        on_gpu = done.started.device.startswith("cuda")
        rows = [
            measured(done.parser, sentences(test, length, spec.options["words"]), density, on_gpu)
            for length in spec.options["lengths"]
        ]
    except ArctagError as error:
        sys.exit(f"{spec.id}: {error}")
    write_result(Path(spec.result), {
        "format": FORMAT,
        "kind": LENGTHS,
        "id": spec.id,
        **spec.about,
        "config": spec.public_config(config),
        "environment": environment(done.started.device),
        "beside": spec.beside,
        "rows": rows,
    })  # fmt: skip


def sentences(file: str, length: int, words: int) -> list[Sentence]:
    """Sentences of so many words each, about so many words in all and at least one."""
    known = chain.from_iterable(zip(s.words, s.tags, strict=True) for s in map(empty_nodes.drop, read(file)))
    stream = cycle(list(known))
    found = []
    for _ in range(max(1, words // length)):
        pairs = list(islice(stream, length))
        found.append(Sentence.from_words([word for word, _ in pairs], tags=[tag for _, tag in pairs]))
    return found


def measured(parser: Parser, batch: list[Sentence], density: float, on_gpu: bool) -> dict[str, Any]:
    """Microseconds a word and peak memory; a reason where it was too much for the machine."""
    length, words = batch[0].graph.n, sum(s.graph.n for s in batch)
    options = ParseOptions(batch_tokens=max(ParseOptions.batch_tokens, length))
    row: dict[str, Any] = {"length": length, "sentences": len(batch)}
    try:
        parser = suited(parser, batch, density, options)
        parse = counting(parser, batch, options)
        row["arcs_per_word"] = round(parse() / words, 2)
        row["peak_megabytes"] = peak_megabytes(parse, on_gpu)
        row["microseconds_per_word"] = round(1e6 * best_of(parse, _REPEATS) / words, 2)
    except (RuntimeError, MemoryError) as error:  # RuntimeError: torch out of memory
        row["reason"] = (str(error).splitlines() or ["not enough memory"])[0][:200]
    return row


if __name__ == "__main__":
    main()
