"""Speed of parsing, from file to file: tokens per second, and where the time goes."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

from arctag.analysis.timing import StepTimer, processor
from arctag.errors import InputError
from arctag.formats import write
from arctag.formats.files import open_output
from arctag.modelfile.bundled import is_exported, place
from arctag.modelfile.config import ModelConfig
from arctag.parsing.inputs import Remaining, read_chunks
from arctag.parsing.jobs import Settings, make_jobs
from arctag.parsing.loading import load
from arctag.parsing.parser import ParseOptions, Parser
from arctag.parsing.sources import Source
from arctag.parsing.workers import Pool
from arctag.sentence import Sentence


def bench_workers(
    model: str, file: str, batch_tokens: int, device: str | None, workers: int, runs: int = 3
) -> dict[str, Any]:
    """File in, file out, by several processes that are already running: tokens per second, the best of several runs."""
    source = Source(file)
    settings = Settings(model, device, ParseOptions(batch_tokens=batch_tokens), source.output_format)
    best: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder, Pool(settings, workers) as pool:
        for _ in range(runs + 1):  # the first one starts the processes
            start, tokens = perf_counter(), 0
            with open_output(Path(folder) / "out") as out:
                chunks = read_chunks([Remaining(0, "out", [source])], _Strict(), strict=True)
                for result in pool.run(make_jobs(chunks, 2 * batch_tokens)):
                    out.writelines(rendered.text for rendered in result.texts)
                    tokens += result.words
            seconds = perf_counter() - start
            if not best or seconds < best["seconds"]:
                best = {"tokens": tokens, "seconds": round(seconds, 4), "tokens_per_s": round(tokens / seconds)}
    encoding = ModelConfig.load(place(model)).encoding
    return {**best, "percent": {}, "encoding": encoding, "device": _device_name(model, device), "workers": workers}


def bench_parse(model: str, file: str, batch_tokens: int, device: str | None, runs: int = 3) -> dict[str, Any]:
    """File in, file out: tokens per second, the best of several runs; and where the time of one more run goes.

    In that one no batch is begun before another is finished, so that each part of the time belongs to one of them.
    """
    parser = load(model, device)
    source = Source(file)
    options = ParseOptions(batch_tokens=batch_tokens)
    best: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"  # a name that announces no format: each sentence keeps its own
        for _ in range(runs + 1):  # the first one warms up
            timed = _timed_parse(parser, options, source, out)
            if not best or timed["seconds"] < best["seconds"]:
                best = timed
        parser.timer = timer = StepTimer()
        best["percent"] = _timed_parse(parser, options, source, out, timer)["percent"]
        parser.timer = None
    best["encoding"] = parser.config.encoding
    best["device"] = _device_name(model, device)
    return best


def _timed_parse(
    parser: Parser, options: ParseOptions, source: Source, out: Path, timer: StepTimer | None = None
) -> dict[str, Any]:
    """One run; the timer is also that of the parser."""
    timer = timer or StepTimer()
    start = perf_counter()
    chunks = source.chunks(_Strict().warn)
    sentences = timer.stream("reading", source.origin.sentences(chunks, parser.tokenizer, _refuse))
    tokens = 0

    def counted() -> Iterator[Sentence]:
        nonlocal tokens
        for sentence in parser.parse_sentences(sentences, options):
            tokens += sentence.graph.n
            yield sentence

    waiting = StepTimer()
    write(waiting.stream("parsing", counted()), out)
    seconds = perf_counter() - start
    timer.seconds["writing"] = seconds - waiting.seconds["parsing"]
    shares = {step: round(100 * spent / seconds, 1) for step, spent in timer.seconds.items()}
    shares["rest"] = round(100 - sum(shares.values()), 1)
    return {"tokens": tokens, "seconds": round(seconds, 4), "tokens_per_s": round(tokens / seconds), "percent": shares}


class _Strict:
    """A benchmark reads the whole file, or none of it."""

    def warn(self, _: str) -> None:
        """Odd bytes cost no time to speak of."""

    def fail(self, message: str) -> None:
        """A file that breaks off."""
        _refuse(message)


def _refuse(message: str) -> None:
    raise InputError(message)


def _device_name(model: str, device: str | None) -> str:

    if is_exported(model):
        return processor()
    import torch

    on_gpu = torch.cuda.is_available() and not (device or "").startswith("cpu")
    return torch.cuda.get_device_name() if on_gpu else processor()
