"""Reading and writing tables beside CoNLL-U: words a second of processor time, the tasks in turns.

    python benchmarks/tables.py ../shared/data/en_ewt/train.conllu --copies 10

A task is done once before it is timed: loops are compiled then. The best of so many rounds counts.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from arctag.formats import read_blocks, read_whole, write

TABLES = ("parquet", "arrow")


def main() -> None:
    """Time every task, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--copies", type=int, default=10, help="how often the file is repeated")
    parser.add_argument("--rounds", type=int, default=5)
    chosen = parser.parse_args()
    with TemporaryDirectory() as folder:
        source = Path(folder) / f"in{chosen.file.suffix}"
        source.write_bytes(chosen.file.read_bytes() * chosen.copies)
        words = _words(source)
        tasks = _tasks(source)
        best = dict.fromkeys(tasks, float("inf"))
        for number in range(chosen.rounds + 1):
            for name, work in tasks.items():
                start = process_time()
                work()
                if number:
                    best[name] = min(best[name], process_time() - start)
        print(f"{words:,} words, {source.stat().st_size:,} bytes")
        for name, seconds in best.items():
            print(f"{name}\t{words / seconds / 1e6:.2f} M words/s")
        for table in TABLES:
            print(f"{table}\t{source.with_suffix(f'.{table}').stat().st_size:,} bytes")


def _tasks(source: Path) -> dict[str, Callable[[], object]]:
    """What is timed, by name; tables are written before they are read."""
    text, back = source.suffix[1:], source.with_name(f"back{source.suffix}")
    tasks: dict[str, Callable[[], object]] = {
        f"read {text}": lambda: _words(source),
        f"{text} to {text}": lambda: write(read_whole(source), back),
    }
    for table in TABLES:
        path = source.with_suffix(f".{table}")
        tasks[f"{text} to {table}"] = lambda path=path: write(read_whole(source), path)  # type: ignore[misc]
        tasks[f"read {table}"] = lambda path=path: _words(path)  # type: ignore[misc]
        tasks[f"{table} to {text}"] = lambda path=path: write(read_whole(path), back)  # type: ignore[misc]
    return tasks


def _words(path: Path) -> int:
    return sum(int(block.nodes[-1]) for block in read_blocks(path))


if __name__ == "__main__":
    main()
