"""Inputs cut into shards: the same ones each time; what is known of their sizes."""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest

pytest.importorskip("ray", reason="ray is not installed")

import pyarrow as pa
import pyarrow.parquet as pq

from arctag.parsing.inputs import Remaining, find_sources, read_chunks
from arctag.ray.shards import Shard, cut
from arctag.ray.sizes import Sizes
from arctag.text.documents import Fields
from tests.ray.drivers import write_texts


class Silent:
    def warn(self, message: str) -> None:
        raise AssertionError(message)

    fail = warn


def shards_of(files: list[Path], words: int) -> tuple[list[Shard], float | None]:
    with find_sources([str(file) for file in files], None, "auto", fields=Fields("body")) as sources:
        sizes = Sizes(sources)
        chunks = read_chunks([Remaining(0, "out", sources)], Silent())
        return list(cut(chunks, words, sizes.of)), sizes.total


def test_shards_are_cut_by_words_alone(tmp_path: Path, sample: Path) -> None:
    text = tmp_path / "a.txt"
    text.write_text("She wants to leave.\n\nGo!\n\n" * 50)
    files = [text, sample, write_texts(tmp_path / "b.jsonl", 30)]
    for words in (1, 50, 10**9):
        one, total = shards_of(files, words)
        assert one == shards_of(files, words)[0]
        assert [shard.number for shard in one] == list(range(len(one)))
        assert sum(shard.documents for shard in one) == 1 + 1 + 30
        assert all(shard.words >= words for shard in one[:-1])
        assert total == sum(file.stat().st_size for file in files)
        assert sum(shard.size for shard in one) == pytest.approx(total, rel=0.05)
    assert len(one) == 1


def test_shards_of_tables_have_sizes_by_rows(tmp_path: Path) -> None:
    table = tmp_path / "a.parquet"
    pq.write_table(pa.table({"body": ["Go!", "She wants to leave."] * 50}), table)
    shards, total = shards_of([table], 50)
    assert len(shards) > 1
    assert sum(shard.size for shard in shards) == pytest.approx(total)


def test_shards_of_packed_files_have_unknown_sizes(tmp_path: Path) -> None:
    packed = tmp_path / "a.txt.xz"
    packed.write_bytes(lzma.compress(b"Go!"))
    shards, total = shards_of([packed], 50)
    assert (total, shards[0].size) == (None, 0.0)
