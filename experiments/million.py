"""A million short documents through `arctag bulk`, with an actor and the driver killed on the way.

    python experiments/million.py FOLDER [--documents 1000000] [--actors 2] [--text ../shared/data/unlabelled_en]

The documents are sentences of unlabelled text, with their words, again and again; the model has random weights. At the
end every row is compared with what `arctag parse` makes of the text, and the memory of the driver is printed at some
moments. docs/scale.md has the figures.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from arctag.cli import main as arctag
from arctag.training.build import build
from arctag.training.config import TrainConfig
from arctag.training.treebanks import read_treebanks

SAMPLE = Path(__file__).parents[1] / "src" / "arctag" / "data" / "sample.conllu"
SMALLEST: dict[str, Any] = {
    "layers": ("graph",), "encoder": "lookup", "chars": False, "encoding": "bits4-2", "verify": False, "size": 12,
    "word_size": 12, "tag_size": 8, "tag_hidden": 16, "relation_hidden": 16, "arc_hidden": 16, "context_size": 8,
    "device": "cpu", "tokenizer": False,
}  # fmt: skip
LONGEST = 15  # words of a document
IDS = ("doc_id", "sent_id", "comments", "lines")  # columns in which copies of a sentence differ


def make_model(folder: Path) -> Path:
    """The smallest exported model, with random weights."""
    out = folder / "model"
    if not out.exists():
        trained = folder / "random"
        config = TrainConfig(train=(str(SAMPLE),), dev=(str(SAMPLE),), output=str(trained), **SMALLEST).resolved()
        build(config, read_treebanks(config)).parser.save(trained)
        arctag(["export", "-m", str(trained), "-o", str(out)])
    return out


def make_corpus(folder: Path, text: Path, documents: int) -> tuple[Path, Path, int]:
    """The unlabelled sentences, so many documents made of them, and the number of different ones."""
    texts = [lzma.decompress(file.read_bytes()).decode() for file in sorted(text.glob("*.xz"))]
    lines = [line.split() for one in texts for line in one.splitlines()]
    lines = [words for words in lines if 2 < len(words) <= LONGEST][:documents]
    once, corpus = folder / "once.parquet", folder / f"corpus-{documents}.parquet"
    pq.write_table(pa.table({"id": [f"d{i}" for i in range(len(lines))], "words": lines}), once)
    if not corpus.exists():
        with pq.ParquetWriter(corpus, pq.read_schema(once)) as writer:
            for start in range(0, documents, len(lines)):
                some = lines[: documents - start]
                writer.write_table(pa.table({"id": [f"d{start + i}" for i in range(len(some))], "words": some}))
    return once, corpus, len(lines)


def resident(pid: int) -> int:
    """The memory of a process, in MB."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20
    except (OSError, IndexError):
        return 0


def descendants(pid: int) -> list[int]:
    """The processes that a process has started, and those that they have."""
    children = Path(f"/proc/{pid}/task").glob("*/children")
    direct = [int(child) for file in children for child in file.read_text().split()]
    return direct + [one for child in direct for one in descendants(child)]


class Run:
    """`arctag bulk` in a process of its own, whose memory is looked at."""

    def __init__(self, corpus: Path, out: Path, model: Path, actors: int, shard_words: int, *options: str) -> None:
        command = [sys.executable, "-m", "arctag", "bulk", str(corpus), "--words-field", "words", "--id-field", "id"]
        command += ["-o", str(out), "-m", str(model), "--actors", str(actors), "--shard-words", str(shard_words)]
        self.process = subprocess.Popen([*command, *options])
        self.out, self.memory = out, [(0, 0)]

    def shards(self) -> int:
        """How many are there."""
        return len(list(self.out.glob("part-*")))

    def until(self, shards: int) -> bool:
        """Wait until there are so many shards, or the run has ended; whether it goes on."""
        while self.process.poll() is None and self.shards() < shards:
            self.memory.append((self.shards(), resident(self.process.pid)))
            time.sleep(0.5)
        return self.process.poll() is None

    def actors(self) -> list[int]:
        """The processes of the actors."""
        below = descendants(self.process.pid)
        return [pid for pid in below if b"ray::ShardWorker" in Path(f"/proc/{pid}/cmdline").read_bytes()]


def rows(out: Path) -> Iterator[pa.Table]:
    """The rows of the shards, in order."""
    return (pq.read_table(shard) for shard in sorted(out.glob("part-*")))


def check(out: Path, once: Path, documents: int, different: int) -> int:
    """Each document is there once, in order, with the rows that `arctag parse` wrote of its text; their number."""
    expected = pq.read_table(once).drop_columns(list(IDS)).combine_chunks()
    at = 0
    for table in rows(out):
        places = pa.array([(at + i) % different for i in range(len(table))])
        assert table["doc_id"].to_pylist() == [f"d{at + i}" for i in range(len(table))], at
        assert table.drop_columns(list(IDS)).equals(expected.take(places)), at
        at += len(table)
    assert at == documents, at
    return at


def main() -> None:
    """Make, run, kill, resume, check."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--documents", type=int, default=1_000_000)
    options.add_argument("--actors", type=int, default=2)
    options.add_argument("--shard-words", type=int, default=100_000)
    options.add_argument("--text", type=Path, default=Path("../shared/data/unlabelled_en"))
    given = options.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    model = make_model(given.folder)
    once, corpus, different = make_corpus(given.folder, given.text, given.documents)
    parsed = given.folder / "once-parsed.parquet"
    arctag(
        [
            "parse",
            str(once),
            "--words-field",
            "words",
            "--id-field",
            "id",
            "-m",
            str(model),
            "-o",
            str(parsed),
            "--force",
        ]
    )

    words = sum(len(one) for batch in pq.ParquetFile(corpus).iter_batches(columns=["words"]) for one in batch["words"])
    shards = -(-words // given.shard_words)
    out = given.folder / "out"
    started = time.perf_counter()
    first = Run(corpus, out, model, given.actors, given.shard_words)
    if first.until(shards // 4):
        os.kill(first.actors()[0], signal.SIGKILL)
    if first.until(shards // 2):
        first.process.send_signal(signal.SIGKILL)
    first.process.wait()
    there = first.shards()
    second = Run(corpus, out, model, given.actors, given.shard_words, "--resume")
    second.until(10 * shards)
    seconds = time.perf_counter() - started
    assert second.process.returncode == 0
    report = {
        "documents": check(out, parsed, given.documents, different), "words": words, "shards": second.shards(),
        "shards when the driver was killed": there, "seconds": round(seconds), "words/s": round(words / seconds),
        "driver MB at shards": [one for run in (first, second) for one in run.memory[:: max(1, len(run.memory) // 12)]],
    }  # fmt: skip
    print(json.dumps(report))


if __name__ == "__main__":
    main()
