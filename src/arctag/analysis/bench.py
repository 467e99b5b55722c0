"""Measuring speed: encodings on whole files and on sentences of growing length, and parsing."""

from __future__ import annotations

import platform
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from arctag import __version__
from arctag.cores import usable_cores
from arctag.encodings import Arcs, Encoding, encoding, standard_names
from arctag.errors import InputError
from arctag.formats import FORMATS
from arctag.formats.conllu import CONLLU
from arctag.graph import IntArray
from arctag.parsing.loading import load
from arctag.sentence import Sentence

if TYPE_CHECKING:
    from arctag.parsing.parser import ParseOptions, Parser
    from arctag.parsing.sources import Source

T = TypeVar("T")
LENGTHS = (10, 100, 1_000, 10_000)


def best_of(action: Callable[[], object], repeats: int = 5, at_least: float = 0.02) -> float:
    """Seconds of the fastest run; short actions are run in a loop so that the clock can see them."""
    action()
    best = float("inf")
    for _ in range(repeats):
        runs, start = 0, perf_counter()
        while (spent := perf_counter() - start) < at_least or runs == 0:
            action()
            runs += 1
        best = min(best, spent / runs)
    return best


def machine() -> dict[str, Any]:
    """What stands beside every figure."""
    return {
        "processor": _processor(),
        "cores": usable_cores(),
        "python": platform.python_version(),
        "arctag": __version__,
    }


def _processor() -> str:
    try:
        with open("/proc/cpuinfo") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


class Clock:
    """Adds up the time spent in named parts."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        """Time a block."""
        start = perf_counter()
        yield
        self.spent[name] = self.spent.get(name, 0.0) + perf_counter() - start

    def stream(self, name: str, items: Iterable[T]) -> Iterator[T]:
        """Time the making of items."""
        source = iter(items)
        while True:
            with self(name):
                item = next(source, None)
            if item is None:
                return
            yield item


def bench_encodings(arcs: Arcs, names: Sequence[str] | None = None, **options: Any) -> dict[str, dict[str, int]]:
    """Tokens a second of encoding and decoding a whole file at once: one thread, kernels warm."""
    tokens = int(arcs.sizes.sum())
    rows = {}
    for name in names or standard_names():
        chosen = encoding(name, **options)
        encode, decode = _seconds(chosen, arcs)
        rows[chosen.name] = {
            "encode_tokens_per_s": round(tokens / encode),
            "decode_tokens_per_s": round(tokens / decode),
        }
    return rows


def _seconds(chosen: Encoding, arcs: Arcs) -> tuple[float, float]:
    labels = chosen.encode_all(arcs)
    return best_of(lambda: chosen.encode_all(arcs)), best_of(lambda: chosen.decode_all(labels))


def bench_lengths(
    arcs: Arcs, names: Sequence[str] | None = None, lengths: Iterable[int] = LENGTHS, **options: Any
) -> dict[str, dict[str, dict[str, float]]]:
    """Nanoseconds a token when the same sentences are joined into longer and longer ones."""
    rows: dict[str, dict[str, dict[str, float]]] = {}
    for length in lengths:
        joined = join_to_length(arcs, length)
        scale = 1e9 / int(joined.sizes.sum())
        for name in names or standard_names():
            chosen = encoding(name, **options)
            encode, decode = _seconds(chosen, joined)
            rows.setdefault(chosen.name, {})[str(length)] = {
                "encode_ns_per_token": round(encode * scale, 1),
                "decode_ns_per_token": round(decode * scale, 1),
            }
    return rows


def join_to_length(arcs: Arcs, length: int, tokens: int = 50_000) -> Arcs:
    """About `tokens` words in sentences of about `length` words, made by joining neighbours (or cutting)."""
    sizes: list[int] = [0]
    starts: list[int] = [0]
    heads: list[IntArray] = []
    dependents: list[IntArray] = []
    if not arcs.sizes.sum():
        raise InputError("no words to measure with")
    count, total, i = 0, 0, 0
    while total < tokens:
        s = i % len(arcs)
        i += 1
        part = slice(arcs.starts[s], arcs.starts[s + 1])
        head, dependent, size = arcs.heads[part], arcs.dependents[part], int(arcs.sizes[s])
        if size > length:  # keep the first words and the arcs among them
            inside = (head <= length) & (dependent <= length)
            head, dependent, size = head[inside], dependent[inside], length
        if sizes[-1] + size > length:
            sizes.append(0)
            starts.append(count)
        heads.append(np.where(head > 0, head + sizes[-1], 0).astype(np.int32))
        dependents.append(dependent + np.int32(sizes[-1]))
        sizes[-1] += size
        count += len(head)
        total += size
    return Arcs(
        np.array(sizes, dtype=np.int32),
        np.array([*starts, count], dtype=np.int64),
        np.concatenate(heads),
        np.concatenate(dependents),
    )


def bench_workers(
    model: str, file: str, batch_tokens: int, device: str | None, workers: int, runs: int = 3
) -> dict[str, Any]:
    """File in, file out, by several processes that are already running: tokens a second, the best of several runs."""
    from arctag.formats.files import open_output
    from arctag.modelfile.bundled import place
    from arctag.modelfile.config import ModelConfig
    from arctag.parsing.inputs import Remaining, read_chunks
    from arctag.parsing.jobs import Settings, make_jobs
    from arctag.parsing.parser import ParseOptions
    from arctag.parsing.sources import Source
    from arctag.parsing.workers import Pool

    source = Source(file)
    to = source.format if source.format in FORMATS else CONLLU.name
    settings = Settings(model, device, ParseOptions(batch_tokens=batch_tokens), to)
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
    """File in, file out: tokens a second, the best of several runs; and where the time of one more run goes.

    In that one no batch is begun before another is finished, so that each part of the time belongs to one of them.
    """
    from arctag.parsing.parser import ParseOptions
    from arctag.parsing.sources import Source

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
        parser.clock = clock = Clock()
        best["percent"] = _timed_parse(parser, options, source, out, clock)["percent"]
        parser.clock = None
    best["encoding"] = parser.config.encoding
    best["device"] = _device_name(model, device)
    return best


def _timed_parse(
    parser: Parser, options: ParseOptions, source: Source, out: Path, clock: Clock | None = None
) -> dict[str, Any]:
    """One run; the clock is that of the parser."""
    from arctag.formats import write

    clock = clock or Clock()
    start = perf_counter()
    chunks = source.chunks(_Strict().warn)
    sentences = clock.stream("reading", source.origin.sentences(chunks, parser.tokenizer, _refuse))
    tokens = 0

    def counted() -> Iterator[Sentence]:
        nonlocal tokens
        for sentence in parser.parse_sentences(sentences, options):
            tokens += sentence.graph.n
            yield sentence

    waited = Clock()
    write(waited.stream("parsing", counted()), out)
    seconds = perf_counter() - start
    clock.spent["writing"] = seconds - waited.spent["parsing"]
    shares = {name: round(100 * spent / seconds, 1) for name, spent in clock.spent.items()}
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
    from arctag.modelfile.bundled import is_exported

    if is_exported(model):
        return _processor()
    import torch

    on_gpu = torch.cuda.is_available() and not (device or "").startswith("cpu")
    return torch.cuda.get_device_name() if on_gpu else _processor()
