"""N actors of `arctag bulk` beside N processes of `arctag parse`, on the same text, once started.

    python experiments/actors.py FOLDER [-n 2] [--rounds 4] [--words 100000] [--model en]

Both are run in turns, each on a short text and on a long one: the difference is what the further words take, without
the start.
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
from time import perf_counter

ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1", "RAY_worker_niceness": "0"}
ARCTAG = [sys.executable, "-m", "arctag"]


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


def parsed(files: list[Path], model: str) -> float:
    """The seconds that a process of `arctag parse` for each file takes."""
    command = [*ARCTAG, "parse", "-m", model, "--id-field", "id", "--workers", "1", "--force"]
    started = perf_counter()
    running = [
        subprocess.Popen([*command, file, "-o", file.with_suffix(".parquet")], env=ENVIRONMENT) for file in files
    ]
    assert not any(process.wait() for process in running)
    return perf_counter() - started


def bulked(files: list[Path], model: str, out: Path, shard: int) -> float:
    """The seconds that `arctag bulk` takes with as many actors as there are files."""
    shutil.rmtree(out, ignore_errors=True)
    options = ["-m", model, "--id-field", "id", "--actors", str(len(files)), "--shard-words", str(shard)]
    started = perf_counter()
    subprocess.run([*ARCTAG, "bulk", *files, "-o", out, *options], env=ENVIRONMENT, check=True, capture_output=True)
    return perf_counter() - started


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
    rates: dict[str, list[float]] = {"parse": [], "bulk": []}
    out = given.folder / "out"
    for number in range(given.rounds):
        seconds = [parsed(some, given.model) for some in (short, long)]
        rates["parse"].append(further / (seconds[1] - seconds[0]))
        seconds = [bulked(some, given.model, out, given.shard_words) for some in (short, long)]
        rates["bulk"].append(further / (seconds[1] - seconds[0]))
        print(number, {name: round(some[-1]) for name, some in rates.items()}, flush=True)
    shares = [bulk / parse for bulk, parse in zip(rates["bulk"], rates["parse"], strict=True)]
    middle = {name: round(median(some)) for name, some in rates.items()}
    print(json.dumps({"n": given.n, **middle, "share": round(median(shares), 3)}))


if __name__ == "__main__":
    main()
