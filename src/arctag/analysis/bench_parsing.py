"""Speed of parsing, from file to file: tokens per second, and where the time goes."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

from arctag.analysis.timing import StepTimer, processor
from arctag.errors import InputError
from arctag.formats.files import open_bytes
from arctag.modelfile.bundled import is_exported, place
from arctag.modelfile.config import ModelConfig
from arctag.parsing.inputs import Remaining, read_chunks
from arctag.parsing.jobs import Job, Result, Settings, Worker, make_jobs
from arctag.parsing.parser import ParseOptions
from arctag.parsing.sources import Source
from arctag.parsing.workers import Pool

Results = Callable[[Iterable[Job]], Iterator[Result]]
"""What does jobs."""


def bench_workers(
    model: str, file: str, batch_tokens: int, device: str | None, workers: int, runs: int = 3
) -> dict[str, Any]:
    """File in, file out, by several processes that are already running: tokens per second, the best of several runs."""
    settings = _settings(model, file, batch_tokens, device)
    with Pool(settings, workers) as pool:
        best = _best(pool.run, file, 2 * batch_tokens, runs)
    layers = list(ModelConfig.load(place(model)).names)
    return {**best, "percent": {}, "layers": layers, "device": _device_name(model, device), "workers": workers}


def bench_parse(model: str, file: str, batch_tokens: int, device: str | None, runs: int = 3) -> dict[str, Any]:
    """File in, file out: tokens per second, the best of several runs; and where the time of one more run goes.

    In that one no batch is begun before another is finished, so that each part of the time belongs to one of them.
    """
    worker = Worker(_settings(model, file, batch_tokens, device))
    best = _best(worker.results, file, None, runs)
    worker.parser.timer = timer = StepTimer()
    seconds = _timed(worker.results, file, None)["seconds"]
    worker.parser.timer = None
    shares = {step: round(100 * spent / seconds, 1) for step, spent in timer.seconds.items()}
    best["percent"] = {**shares, "rest": round(100 - sum(shares.values()), 1)}
    best["layers"] = list(worker.parser.config.names)
    best["device"] = _device_name(model, device)
    return best


def _settings(model: str, file: str, batch_tokens: int, device: str | None) -> Settings:
    return Settings(model, device, ParseOptions(batch_tokens=batch_tokens), Source(file).output_format)


def _best(results: Results, file: str, words: int | None, runs: int) -> dict[str, Any]:
    """The best of several runs; one before them warms up."""
    timed = [_timed(results, file, words) for _ in range(runs + 1)]
    return min(timed[1:], key=lambda run: run["seconds"])


def _timed(results: Results, file: str, words: int | None) -> dict[str, Any]:
    """One run, in jobs of so many words."""
    with tempfile.TemporaryDirectory() as folder:
        start, tokens = perf_counter(), 0
        with open_bytes(Path(folder) / "out") as out:
            chunks = read_chunks([Remaining(0, "out", [Source(file)])], _Strict(), strict=True)
            for result in results(make_jobs(chunks, words)):
                out.writelines(rendered.data for rendered in result.rendered)
                tokens += result.words
        seconds = perf_counter() - start
    return {"tokens": tokens, "seconds": round(seconds, 4), "tokens_per_s": round(tokens / seconds)}


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
