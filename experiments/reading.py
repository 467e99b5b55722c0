"""How fast the driver of `arctag bulk` reads: inputs are cut into shards and pickled, as for actors, and not parsed.

    python experiments/reading.py FOLDER [--treebank ../shared/data/en_ewt/train.conllu]

docs/scale.md has the figures.
"""

from __future__ import annotations

import argparse
import json
import pickle
import re
from pathlib import Path
from time import process_time

import pyarrow as pa
import pyarrow.parquet as pq

from arctag.parsing.inputs import Remaining, find_sources, read_chunks
from arctag.ray.shards import WORDS, cut
from arctag.ray.sizes import Sizes


class Silent:
    """Nothing is reported."""

    def warn(self, message: str) -> None:
        """Something odd."""

    def fail(self, message: str) -> None:
        """An input that cannot be read."""


def make_inputs(folder: Path, treebank: Path) -> list[Path]:
    """The same documents in all kinds of files, ten times; the treebank itself three times."""
    text = treebank.read_text(encoding="utf-8")
    sentences = re.findall(r"^# text = (.*)$", text, re.MULTILINE)
    documents = [" ".join(sentences[i : i + 3]) for i in range(0, len(sentences), 3)] * 10
    files = [folder / f"texts{suffix}" for suffix in (".txt", ".jsonl", ".parquet", ".conllu")]
    files[0].write_text("\n\n".join(documents) + "\n", encoding="utf-8")
    files[1].write_text("".join(json.dumps({"text": one}) + "\n" for one in documents), encoding="utf-8")
    pq.write_table(pa.table({"text": documents}), files[2])
    files[3].write_text(text * 3, encoding="utf-8")
    return files


def measure(file: Path) -> None:
    """Print the rate of a file."""
    started, words, size = process_time(), 0, 0
    with find_sources([str(file)], None, "auto") as sources:
        chunks = read_chunks([Remaining(0, "", sources)], Silent())
        for shard in cut(chunks, WORDS, Sizes(sources).of):
            words, size = words + shard.words, size + len(pickle.dumps(shard, 5))
    seconds = process_time() - started
    speed = f"{words / seconds / 1e6:.2f} million words a processor second"
    print(f"{file.name}: {speed}, {size / words:.1f} bytes a word in memory")


def main() -> None:
    """Measure each kind of file, twice."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--treebank", type=Path, default=Path("../shared/data/en_ewt/train.conllu"))
    given = options.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    files = make_inputs(given.folder, given.treebank)
    for file in [*files, *files]:
        measure(file)


if __name__ == "__main__":
    main()
