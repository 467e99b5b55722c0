"""Speed of reading, writing and scoring files, against an earlier state of the project, in one run on one machine.

    python benchmarks/columns.py e971f3a ../shared/data

makes a git worktree of that commit and runs the same commands with both, in turns. Times are processor seconds (user
and system) of whole commands, start included, the best of several; `words/s` are of the process that reads.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

HERE = Path(__file__).resolve().parent.parent
_READ = """
import sys, time
from arctag import read
def words():
    return sum(len(sentence.words) for sentence in read(sys.argv[1]))
best = 0.0
for _ in range(6):
    start = time.process_time()
    count = words()
    best = max(best, count / (time.process_time() - start))
print(best)
"""
_BLOCKS = _READ.replace("from arctag import read", "from arctag.formats import read_blocks").replace(
    "len(sentence.words) for sentence in read(", "int(block.nodes[-1]) for block in read_blocks("
)


@contextmanager
def worktree(commit: str) -> Iterator[Path]:
    """The source of a commit, in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "before"
        subprocess.run(["git", "-C", HERE, "worktree", "add", "--detach", "--quiet", place, commit], check=True)
        try:
            yield place
        finally:
            subprocess.run(["git", "-C", HERE, "worktree", "remove", "--force", place], check=True)


def run(source: Path, *arguments: Any, code: str | None = None) -> tuple[float, str]:
    """Processor seconds and output of `arctag`, or of a script, with the package in a folder."""
    program = ["-m", "arctag"] if code is None else ["-c", code]
    environment = {**os.environ, "PYTHONPATH": str(source / "src"), "OMP_NUM_THREADS": "1"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, *program, *map(str, arguments)], env=environment, check=True, capture_output=True, text=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def compare(name: str, before: Callable[[], float], after: Callable[[], float], repeats: int, faster: str) -> None:
    """Measure both in turns, after one run that compiles, and print the best of each."""
    before(), after()
    pairs = [(before(), after()) for _ in range(repeats)]
    choose = min if faster == "seconds" else max
    old, new = choose(pair[0] for pair in pairs), choose(pair[1] for pair in pairs)
    ratio = old / new if faster == "seconds" else new / old
    shown = (f"{old:.2f} s", f"{new:.2f} s") if faster == "seconds" else (f"{old:,.0f}", f"{new:,.0f}")
    print(f"| {name} | {shown[0]} | {shown[1]} | {ratio:.1f} |", flush=True)


@click.command()
@click.argument("commit")
@click.argument("data", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--repeats", default=3, show_default=True, help="How often each is measured.")
@click.option("--only", default="", help="Measure only rows with this in their names.")
@click.option("--copies", default=10, show_default=True, help="How often en_ewt/train is repeated in the large files.")
def main(commit: str, data: Path, repeats: int, copies: int, only: str) -> None:
    """Compare this checkout with COMMIT on the treebanks in DATA."""
    ewt, sdp = data / "en_ewt" / "train.conllu", data / "dm_wescience" / "train.sdp"
    with worktree(commit) as old, tempfile.TemporaryDirectory() as folder:
        gold, system, out = (Path(folder) / name for name in ("gold.conllu", "system.conllu", "out"))
        gold.write_bytes(ewt.read_bytes() * copies)
        labels, back = Path(folder) / "gold.labels", Path(folder) / "back.conllu"
        run(HERE, "encode", ewt, "-e", "bits4-2", "-o", labels)
        run(HERE, "decode", labels, "--like", ewt, "-o", back)
        system.write_bytes(back.read_bytes() * copies)
        print("| | before | after | ratio |\n|---|---:|---:|---:|")

        def timed(name: str, *arguments: Any) -> None:
            if only in name:
                compare(name, lambda: run(old, *arguments)[0], lambda: run(HERE, *arguments)[0], repeats, "seconds")

        for file in (ewt, sdp):

            def before(file: Path = file) -> float:
                return float(run(old, file, code=_READ)[1])

            for kind, code in (("sentences", _READ), ("blocks", _BLOCKS)):

                def after(file: Path = file, code: str = code) -> float:
                    return float(run(HERE, file, code=code)[1])

                if only in "read":
                    compare(f"read {file.parent.name}, words/s ({kind})", before, after, repeats, "speed")
        timed("`convert`, CoNLL-U to CoNLL-U", "convert", gold, out.with_suffix(".conllu"), "--force")
        timed("`convert`, SDP to SDP", "convert", sdp, out.with_suffix(".sdp"), "--force")
        timed("`score`, ELAS", "score", gold, system)
        timed("`diagnose` of bits6-4", "diagnose", gold, "--encodings", "bits6-4")
        timed("`encode`, bits6-4", "encode", gold, "-e", "bits6-4", "-o", out.with_suffix(".labels"), "--force")
        timed("`decode`", "decode", labels, "-o", out.with_suffix(".decoded.conllu"), "--force")
        sample = HERE / "src" / "arctag" / "data" / "sample.conllu"
        timed("`convert` of 34 sentences", "convert", sample, out.with_suffix(".small.conllu"), "--force")


if __name__ == "__main__":
    main()
