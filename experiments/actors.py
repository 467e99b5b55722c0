"""N actors of `arctag bulk` beside N processes of `arctag parse`, on the same text, once started.

    python experiments/actors.py FOLDER [-n 2] [--rounds 4] [--words 100000] [--model en]

Both are run in turns, each on a short text and on a long one: the difference is what the further words take, without
the start. Processor time is counted, too, of all processes, Ray's own included: it depends less on what else runs.
The processes of `arctag parse` have one thread each; the workers of Ray are not niced, as they are by default.
docs/scale.md has the figures.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter, sleep
from typing import NamedTuple

ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1", "RAY_worker_niceness": "0"}
ARCTAG = [sys.executable, "-m", "arctag"]


class Time(NamedTuple):
    """What something takes, in seconds."""

    wall: float
    processor: float


def make_texts(folder: Path, treebank: Path, words: int, parts: int) -> list[Path]:
    """Files of JSON lines with so many words each: sentences of a treebank, three to a document, again and again."""
    texts = re.findall(r"^# text = (.*)$", treebank.read_text(encoding="utf-8"), re.MULTILINE)
    files, at = [], 0
    for part in range(parts):
        file, count = folder / f"{words}-{part}.jsonl", 0
        with open(file, "w", encoding="utf-8") as out:
            while count < words:
                text = " ".join(texts[(at + i) % len(texts)] for i in range(3))
                out.write(json.dumps({"id": f"d{at}", "text": text}) + "\n")
                count, at = count + len(text.split()), at + 3
        files.append(file)
    return files


def processor_time(pid: int) -> dict[int, float]:
    """The processor time of a process and of those that it has started, in seconds."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        lists = [file.read_text() for file in Path(f"/proc/{pid}/task").glob("*/children")]
    except OSError:  # it has ended
        return {}
    times = {pid: (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")}
    for child in " ".join(lists).split():
        times |= processor_time(int(child))
    return times


def watched(*commands: list[str]) -> Time:
    """The time that commands take together, if none of them fails."""
    started = perf_counter()
    running = [subprocess.Popen(command, env=ENVIRONMENT, stderr=subprocess.DEVNULL) for command in commands]
    times: dict[int, float] = {}
    while any(process.poll() is None for process in running):
        for process in running:
            times |= processor_time(process.pid)
        sleep(0.1)
    assert not any(process.returncode for process in running)
    return Time(perf_counter() - started, sum(times.values()))


def parsed(files: list[Path], model: str) -> Time:
    """The time that a process of `arctag parse` for each file takes."""
    command = [*ARCTAG, "parse", "-m", model, "--id-field", "id", "--workers", "1", "--force"]
    return watched(*[[*command, str(file), "-o", str(file.with_suffix(".parquet"))] for file in files])


def bulked(files: list[Path], model: str, out: Path, shard: int) -> Time:
    """The time that `arctag bulk` takes with as many actors as there are files."""
    shutil.rmtree(out, ignore_errors=True)
    options = ["-m", model, "--id-field", "id", "--actors", str(len(files)), "--shard-words", str(shard)]
    return watched([*ARCTAG, "bulk", *map(str, files), "-o", str(out), *options])


def main() -> None:
    """Measure in turns, and print each round and the medians."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("-n", type=int, default=2)
    options.add_argument("--rounds", type=int, default=4)
    options.add_argument("--words", type=int, default=100_000, help="of each process")
    options.add_argument("--shard-words", type=int, default=20_000)
    options.add_argument("--model", default="en")
    options.add_argument("--treebank", type=Path, default=Path("../shared/data/en_ewt/train.conllu"))
    given = options.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    short = make_texts(given.folder, given.treebank, given.words // 10, given.n)
    long = make_texts(given.folder, given.treebank, given.words, given.n)
    further = given.n * (given.words - given.words // 10)
    rounds: list[dict[str, float]] = []
    for _ in range(given.rounds):
        parse = [parsed(some, given.model) for some in (short, long)]
        bulk = [bulked(some, given.model, given.folder / "out", given.shard_words) for some in (short, long)]
        found: dict[str, float] = {}
        for kind in Time._fields:
            for name, (less, more) in {"parse": parse, "bulk": bulk}.items():
                found[f"{name}, words/s ({kind})"] = round(further / (getattr(more, kind) - getattr(less, kind)))
            found[f"share ({kind})"] = found[f"bulk, words/s ({kind})"] / found[f"parse, words/s ({kind})"]
        rounds.append(found)
        print(json.dumps(found), flush=True)
    print("medians:", json.dumps({name: median(one[name] for one in rounds) for name in rounds[0]}))


if __name__ == "__main__":
    main()
