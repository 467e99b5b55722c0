"""One speed in a process of its own: train for a moment, parse file to file, write one result.

Started by `speed.py`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from harness.environment import environment
from harness.following import follow
from harness.spec import receive
from harness.store import FORMAT, SPEED, write_result
from harness.thresholds import counting, gold_arcs_per_word, suited

from arctag.bench import bench_parse
from arctag.errors import ArctagError
from arctag.formats import read, write
from arctag.parser import ParseOptions


def main() -> None:
    """Do what standard input says."""
    spec = receive()
    config = spec.train_config()
    test, options = spec.tests["test"], ParseOptions(batch_tokens=spec.options["batch_tokens"])
    try:
        done = follow(config, spec.beside)
        sentences = list(read(test))
        parser = suited(done.parser, sentences, gold_arcs_per_word(test), options)
        parser.save(config.out)
        arcs, words = counting(parser, sentences, options)(), sum(len(s.node_rows) for s in sentences)
        file = repeated(test, Path(spec.scratch), spec.options["words"])
        found = bench_parse(config.out, str(file), options.batch_tokens, done.started.device)
    except ArctagError as error:
        sys.exit(f"{spec.id}: {error}")
    write_result(Path(spec.result), {
        "format": FORMAT,
        "kind": SPEED,
        "id": spec.id,
        **spec.about,
        "config": spec.public_config(config),
        "environment": environment(done.started.device),
        "beside": spec.beside,
        "batch_tokens": options.batch_tokens,
        "arcs_per_word": round(arcs / words, 2),
        **{key: found[key] for key in ("tokens", "seconds", "tokens_per_s", "percent")},
    })  # fmt: skip


def repeated(file: str, folder: Path, words: int) -> Path:
    """The file over and over until it has so many words: a short one would tell of the first moment only."""
    sentences = list(read(file))
    times = -(-words // sum(len(s.node_rows) for s in sentences))
    path = folder / ("repeated.sdp" if sentences[0].format == "sdp" else "repeated.conllu")
    write((sentence for _ in range(times) for sentence in sentences), path)
    return path


if __name__ == "__main__":
    main()
