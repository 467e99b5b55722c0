"""One stream of chunks: sources in order, damage reported, what is already written skipped."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from arctag.errors import FormatError, InputError
from arctag.formats.resumable import Unfinished
from arctag.parsing.inputs import OutputChunk, Remaining, files_in, find_sources, read_chunks
from arctag.parsing.jobs import make_jobs
from arctag.parsing.sources import Source


class Recorder:
    """Keeps what is reported."""

    def __init__(self) -> None:
        self.warnings: list[str] = []
        self.failures: list[str] = []

    def warn(self, message: str) -> None:
        self.warnings.append(message)

    def fail(self, message: str) -> None:
        self.failures.append(message)


@pytest.fixture
def texts(tmp_path: Path) -> list[Source]:
    """Three sources of 1, 2 and 3 chunks."""
    for number in (1, 2, 3):
        (tmp_path / f"{number}.txt").write_text("".join(f"Text {number}.{i}.\n\n" for i in range(number)))
    return [Source(str(tmp_path / f"{number}.txt")) for number in (1, 2, 3)]


def contents(chunks: list[OutputChunk]) -> list[str]:
    return [chunk.chunk.data.decode().strip() for chunk in chunks]


ALL = ["Text 1.0.", "Text 2.0.", "Text 2.1.", "Text 3.0.", "Text 3.1.", "Text 3.2."]


@pytest.mark.parametrize("done", range(7))
def test_inputs_chunks_that_are_written_are_skipped(texts: list[Source], done: int) -> None:
    chunks = list(read_chunks([Remaining(0, "out", texts, done)], Recorder()))
    assert contents(chunks) == ALL[done:]
    assert [chunk.origin.document for chunk in chunks] == [text[5] for text in ALL[done:]]


def test_inputs_that_have_become_shorter_cannot_be_resumed(texts: list[Source]) -> None:
    with pytest.raises(Unfinished, match="cannot resume out: the input is not the same"):
        list(read_chunks([Remaining(0, "out", texts, 7)], Recorder()))


def test_inputs_are_read_output_by_output(texts: list[Source]) -> None:
    asked: list[int] = []

    def remaining() -> Iterator[Remaining]:
        for number, source in enumerate(texts):
            asked.append(number)
            yield Remaining(number, "out", [source])

    chunks = read_chunks(remaining(), Recorder())
    assert next(chunks).output == 0
    assert asked == [0]  # the next output is opened when its turn comes
    assert [chunk.output for chunk in chunks] == [1, 1, 2, 2, 2]


def test_inputs_that_cannot_be_read_are_reported(texts: list[Source], tmp_path: Path) -> None:
    (tmp_path / "2.txt").write_bytes(b"%PDF-1.7 ...")
    reporter, rest = Recorder(), Remaining(0, "out", texts)
    assert contents(list(read_chunks([rest], reporter))) == [ALL[0], *ALL[3:]]
    assert len(reporter.failures) == 1
    assert "found a PDF document" in reporter.failures[0]
    assert not rest.unreadable
    alone = Remaining(0, "out", texts[1:2])
    assert not list(read_chunks([alone], reporter))
    assert alone.unreadable
    with pytest.raises(InputError, match="found a PDF document"):
        list(read_chunks([alone], reporter, strict=True))


def test_inputs_without_a_sentence_are_read(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text(" \n")
    rest = Remaining(0, "out", [Source(str(tmp_path / "in.txt"))])
    assert not list(read_chunks([rest], Recorder(), strict=True))
    assert not rest.unreadable


def test_inputs_that_break_off_count_up_to_there(tmp_path: Path) -> None:
    (tmp_path / "in.conllu").write_text("1\tShe\n\n# a comment and no more\n")
    reporter = Recorder()
    source = Source(str(tmp_path / "in.conllu"))
    chunks = list(read_chunks([Remaining(0, "out", [source])], reporter, strict=True))
    assert contents(chunks) == ["1\tShe", "# a comment and no more"]
    assert not reporter.failures  # it is reported when the chunk is read
    reported: list[str] = []
    list(chunks[1].origin.sentences([chunks[1].chunk], None, reported.append))
    assert "a comment with no sentence at the end" in reported[0]


def test_inputs_streams_have_a_checksum_of_what_was_read(tmp_path: Path) -> None:
    def read(text: str, done: int = 0, checksum: int = 0) -> list[OutputChunk]:
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        feeder = threading.Thread(target=pipe.write_text, args=(text,))
        feeder.start()
        try:
            return list(read_chunks([Remaining(0, "out", [Source(str(pipe), "tokens")], done, checksum)], Recorder()))
        finally:
            feeder.join()
            pipe.unlink()

    text = "one\ntwo\nthree\n"
    chunks = read(text)
    assert len({chunk.checksum for chunk in chunks}) == 3
    assert read(text, 2, chunks[1].checksum) == chunks[2:]
    with pytest.raises(Unfinished):
        read("one\nsix\nthree\n", 2, chunks[1].checksum)


def test_inputs_empty_file_of_tokens_is_refused_if_it_is_the_only_one(tmp_path: Path) -> None:
    (tmp_path / "in.tok").touch()
    rest = Remaining(0, "out", [Source(str(tmp_path / "in.tok"))])
    with pytest.raises(FormatError, match="no sentence"):
        list(read_chunks([rest], Recorder(), strict=True))


def test_inputs_sources_that_were_not_read_are_closed(tmp_path: Path) -> None:
    (tmp_path / "unnamed").write_text("She left.")
    with find_sources([str(tmp_path / "unnamed")], None, "paragraphs") as [source]:
        assert source.format == "text"  # which opens it
        opened = source._opened
        assert opened is not None
    assert opened._file.closed


@pytest.mark.parametrize(("words", "sizes"), [(1, [1] * 6), (5, [3, 3]), (1000, [6])])
def test_inputs_chunks_are_joined_into_jobs(texts: list[Source], words: int, sizes: list[int]) -> None:
    chunks = list(read_chunks([Remaining(0, "out", texts)], Recorder()))
    assert all(chunk.chunk.words == 2 for chunk in chunks)
    jobs = list(make_jobs(chunks, words))
    assert [sum(len(section.chunks) for section in job) for job in jobs] == sizes
    assert [chunk.data.decode().strip() for job in jobs for section in job for chunk in section.chunks] == ALL
    for job in jobs:  # a section for each source, even of the same name
        assert len({id(section.origin) for section in job}) == len(job)


def test_inputs_same_source_twice_is_two_sections(texts: list[Source]) -> None:
    chunks = read_chunks([Remaining(0, "out", [texts[1], texts[1]])], Recorder())
    [job] = make_jobs(chunks)
    assert [len(section.chunks) for section in job] == [2, 2]


def test_inputs_files_in_a_folder(tmp_path: Path) -> None:
    for name in ("b.txt", "a.conllu.gz", "deep/c.sdp", ".hidden.txt", "notes.pdf"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    assert [str(p.relative_to(tmp_path)) for p in files_in(tmp_path)] == ["a.conllu.gz", "b.txt", "deep/c.sdp"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="no file to parse"):
        files_in(tmp_path / "empty")
