"""Files of tables: streamed, damaged, written where one cannot go back; pyarrow is missed only where it is needed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from arctag.errors import ArctagError, FormatError
from arctag.formats import read, read_whole, write
from arctag.formats.columnar import reading, writing
from arctag.formats.columnar.formats import ARROW_FORMAT
from arctag.sentence import Sentence
from tests.conftest import Run
from tests.patience import HANGS

TABLES = ["parquet", "arrow"]


@pytest.fixture(params=TABLES)
def table(request: pytest.FixtureRequest, tmp_path: Path, sample: Path) -> Path:
    path = tmp_path / f"table.{request.param}"
    write(read(sample), path)
    return path


def test_files_are_compressed(table: Path, sample: Path) -> None:
    if table.suffix == ".parquet":
        groups = pq.ParquetFile(table).metadata.row_group(0)
        assert {groups.column(number).compression for number in range(groups.num_columns)} == {"ZSTD"}
    else:
        plain = pa.BufferOutputStream()
        with pa.ipc.open_file(table) as reader, pa.ipc.new_file(plain, reader.schema) as writer:
            writer.write_table(reader.read_all())
        assert table.stat().st_size < 0.6 * len(plain.getvalue())


@pytest.mark.parametrize("cut", [0, 1, 4, 7, 100, 0.3, 0.6, 0.9, -9, -1])
def test_files_that_break_off_are_refused(table: Path, cut: float, run: Run) -> None:
    data = table.read_bytes()
    table.write_bytes(data[: int(cut * len(data)) if 0 < cut < 1 else int(cut)])
    with pytest.raises(FormatError) as caught:
        list(read(table))
    assert str(caught.value).startswith(f"{table}: found a table that cannot be read (")
    result = run("convert", table, table.with_name("out.conllu"))
    assert (result.code, result.err.count("\n")) == (2, 1)
    assert not table.with_name("out.conllu").exists()


@pytest.mark.parametrize(
    "content", [b"# sent_id = 1\n", b"PAR1", b"ARROW1\0\0", b"\xff\xff\xff\xff\x10\0\0\0", b"\0" * 99]
)
@pytest.mark.parametrize("name", TABLES)
def test_files_of_something_else_are_refused(tmp_path: Path, content: bytes, name: str) -> None:
    (tmp_path / f"odd.{name}").write_bytes(content)
    with pytest.raises(FormatError, match="found a table that cannot be read"):
        list(read(tmp_path / f"odd.{name}"))


def test_files_are_read_a_few_rows_at_a_time(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "ROWS", 4)
    taken: list[int] = []
    slices = reading._sliced

    def told(*what: object) -> Iterator[pa.RecordBatch]:
        for batch in slices(*what):  # type: ignore[arg-type]
            taken.append(len(batch))
            yield batch

    monkeypatch.setattr(reading, "_sliced", told)
    sentences = read(table)
    for _ in range(4):
        next(sentences)
    assert taken == [4, 4]  # whether a batch is the last one is known when the next one has come
    assert len(list(sentences)) == 30
    assert sum(taken) == 34


def test_files_of_parquet_are_written_in_row_groups(
    sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "_GROUP", 40_000)
    held: list[int] = []
    flush = writing._Parquet.flush

    def told(sink: writing._Parquet) -> None:
        held.append(sink.size)
        flush(sink)

    monkeypatch.setattr(writing._Parquet, "flush", told)

    def many() -> Iterator[Sentence]:
        for _ in range(200):
            yield from read(sample)

    assert write(many(), tmp_path / "many.parquet") == 6_800
    assert pq.ParquetFile(tmp_path / "many.parquet").num_row_groups == len([size for size in held if size]) > 5
    assert max(held) < 3_000_000  # of ten and more that there are


def test_files_nothing_remains_in_memory(sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However large the file is, no more than a row group of it, and the batch at hand, is held by Arrow."""
    monkeypatch.setattr(writing, "_GROUP", 100_000)

    def many(times: int) -> Iterator[Sentence]:
        for _ in range(times):
            yield from read(sample)

    peaks = []
    for times in (40, 400):
        write(many(times), tmp_path / "many.parquet")
        before = most = pa.total_allocated_bytes()
        for number, _ in enumerate(read(tmp_path / "many.parquet")):
            if number % 100 == 0:
                most = max(most, pa.total_allocated_bytes())
        peaks.append(most - before)
    assert peaks[1] < 2 * peaks[0] + 1_000_000


@pytest.mark.parametrize("name", TABLES)
def test_files_to_a_pipe(sample: Path, tmp_path: Path, name: str) -> None:
    """Where one cannot go back."""
    script = f"from arctag.cli import main; main(['convert', {str(sample)!r}, '-', '--to', {name!r}])"
    done = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, timeout=HANGS)
    assert done.returncode == 0
    (tmp_path / "piped").write_bytes(done.stdout)
    write(read_whole(tmp_path / "piped"), tmp_path / "back.conllu")
    assert (tmp_path / "back.conllu").read_bytes() == sample.read_bytes()


def test_files_of_streams_come_as_they_are_written(sample: Path, tmp_path: Path) -> None:
    """A stream is read while its writer still writes."""
    receiver, sender = os.pipe()
    first = next(read(sample))
    table = tmp_path / "one.arrow"
    write([first], table)
    whole = pa.ipc.open_file(table).read_all()
    with os.fdopen(sender, "wb") as out, writing.arrow(out, whole.schema, stream=True) as sink:
        for batch in whole.to_batches() * 2:
            sink.write(batch)
        out.flush()
        sentences = ARROW_FORMAT.sentences(ARROW_FORMAT.chunks(f"/dev/fd/{receiver}"))
        assert next(sentences).words == first.words
        sentences.close()  # type: ignore[attr-defined]
    os.close(receiver)


def test_files_without_a_sentence(tmp_path: Path) -> None:
    assert write([], tmp_path / "empty.parquet") == 0
    assert pq.read_table(tmp_path / "empty.parquet").num_rows == 0
    with pytest.raises(FormatError, match=r"no sentence \(the table is empty\)"):
        list(read(tmp_path / "empty.parquet"))


def test_files_sentences_that_could_not_be_read_back_are_not_written(sample: Path, tmp_path: Path) -> None:
    good, *_ = read(sample)
    rows = [list(row) for row in good.rows]
    rows[0][6] = "x"
    with pytest.raises(ArctagError, match="sample-01: found head 'x'; expected a number"):
        write([good.replace(rows=rows)], tmp_path / "out.parquet")
    with pytest.raises(ArctagError, match="could not be read back"):
        write([good, good.replace(comments=("# a\n1\tx\n\n# b",)), good], tmp_path / "out.parquet")
    assert list(tmp_path.iterdir()) == []


WITHOUT = """
import sys
sys.modules["pyarrow"] = sys.modules["pyarrow.parquet"] = None
from arctag.cli import main
main(sys.argv[1:])
"""


@pytest.mark.parametrize(
    "call",
    [
        ("convert", "SAMPLE", "out.parquet"),
        ("convert", "table.parquet", "out.conllu"),
        ("score", "SAMPLE", "table.parquet"),
        ("parse", "table.parquet", "-o", "out.conllu"),
        ("parse", "A text.", "-o", "out.parquet"),
        ("parse", "A text.", "--limit", "1", "-o", "out.parquet"),
        ("parse", "table.parquet", "--text-field", "text", "-o", "out.conllu"),
    ],
)
def test_files_without_pyarrow_say_how_to_install_it(tmp_path: Path, sample: Path, call: tuple[str, ...]) -> None:
    write(read(sample), tmp_path / "table.parquet")
    arguments = [str(sample) if part == "SAMPLE" else part for part in call]
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, *arguments], capture_output=True, text=True, cwd=tmp_path, timeout=HANGS
    )
    message = "needs packages that are not installed: pip install 'arctag[arrow]'"
    assert (done.returncode, done.stderr.strip()) == (2, f"arctag: Reading and writing Parquet and Arrow {message}")
    assert [path.name for path in tmp_path.iterdir()] == ["table.parquet"]


def test_files_without_pyarrow_all_else_works(tmp_path: Path, sample: Path) -> None:
    (tmp_path / "texts.jsonl").write_text('{"text": "She sings."}\n')
    for call in (("parse", "texts.jsonl", "-o", "out.conllu"), ("convert", str(sample), "copy.conllu"), ("--help",)):
        done = subprocess.run([sys.executable, "-c", WITHOUT, *call], capture_output=True, cwd=tmp_path, timeout=HANGS)
        assert (done.returncode, done.stderr) == (0, b"")


def test_files_pyarrow_is_loaded_only_for_tables(tmp_path: Path, sample: Path) -> None:
    script = """
import sys
import arctag, arctag.tables
from arctag.cli import COMMANDS, main
from importlib import import_module
for name in COMMANDS:
    try:
        import_module(f"arctag.cli.{name}")
    except ImportError:
        pass
main(["convert", sys.argv[1], "copy.conllu"])
assert not [name for name in sys.modules if name.split(".")[0] in ("pyarrow", "pandas", "duckdb", "polars")]
"""
    done = subprocess.run(
        [sys.executable, "-c", script, sample], capture_output=True, text=True, cwd=tmp_path, timeout=HANGS
    )
    assert (done.returncode, done.stderr) == (0, "")
