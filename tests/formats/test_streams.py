"""Inputs are opened once: what was looked at is read again, and what breaks off is reported."""

from __future__ import annotations

import gzip
import io
import lzma
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arctag import read, write
from arctag.errors import FormatError, InputError
from arctag.formats import streams
from arctag.formats.resumable import ResumableFile
from arctag.formats.streams import Opened, first_bytes, look

Pack = Callable[[bytes], bytes]


@contextmanager
def fed(path: Path, content: bytes, size: int) -> Iterator[Path]:
    """A named pipe into which the content trickles, some bytes at a time."""
    os.mkfifo(path)

    def feed() -> None:
        with open(path, "wb", buffering=0) as pipe:
            for start in range(0, len(content), size):
                pipe.write(content[start : start + size])

    feeder = threading.Thread(target=feed)
    feeder.start()
    yield path
    feeder.join()


@pytest.mark.parametrize("size", [1, 3, 100_000])
@pytest.mark.parametrize("pack", [bytes, gzip.compress, lzma.compress], ids=["plain", "gzip", "xz"])
def test_streams_pipe_is_recognised_and_read_whole(any_sample: Path, tmp_path: Path, size: int, pack: Pack) -> None:
    content = any_sample.read_bytes()
    with fed(tmp_path / "pipe", pack(content), size) as pipe:
        found = list(read(pipe))
    assert [s.graph for s in found] == [s.graph for s in read(any_sample)]
    assert {s.format for s in found} == {any_sample.suffix[1:]}


@pytest.mark.parametrize(
    "content", [b"", b"a", b"\n\n", b"\x1f", b"\xfd7z", b"short", b"\n\nfirst\nsecond\n", b"x" * 200_000]
)
def test_streams_looking_uses_nothing_up(tmp_path: Path, content: bytes) -> None:
    with fed(tmp_path / "pipe", content, 2 if len(content) < 100 else 5000) as pipe:
        source, start = look(pipe)
        assert isinstance(source, Opened)
        assert content.startswith(start)
        assert b"".join(source.buffers()) == content
    line = content.lstrip(b"\n").split(b"\n")[0]
    assert line[: streams.BUFFER_SIZE] in start


def test_streams_file_is_not_kept_open(sample: Path) -> None:
    source, start = look(sample)
    assert source == sample
    assert start == first_bytes(sample) == sample.read_bytes()[: len(start)]


class Failing(io.RawIOBase):
    """Some bytes, then an error of the system."""

    def __init__(self, content: bytes) -> None:
        self.content = content

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        if not self.content:
            raise OSError(5, "Input/output error")
        part, self.content = self.content[: len(buffer)], self.content[len(buffer) :]
        buffer[: len(part)] = part
        return len(part)


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> None:
    content = b"# sent_id = 1\n1\ta\n"
    monkeypatch.setattr(streams, "_binary", lambda _: io.BufferedReader(Failing(content)))


@pytest.mark.usefixtures("failing")
def test_streams_input_that_breaks_off_is_an_error_with_its_name() -> None:
    with pytest.raises(FormatError, match=r"^disk/a: found an input that breaks off \(Input/output error\)"):
        list(Opened("disk/a").buffers())


@pytest.mark.usefixtures("failing")
def test_streams_input_that_breaks_off_is_read_up_to_there() -> None:
    told: list[FormatError] = []
    assert b"".join(Opened("disk/a").buffers(told.append)) == b"# sent_id = 1\n1\ta\n"
    assert [str(error) for error in told] == [
        "disk/a: found an input that breaks off (Input/output error); expected one that can be read to its end"
    ]


@pytest.mark.parametrize(("name", "pack"), [("gzip", gzip.compress), ("xz", lzma.compress)])
@pytest.mark.parametrize("part", [0.5, 0.9])
def test_streams_damaged_file_is_read_up_to_the_damage(
    sample: Path, tmp_path: Path, name: str, pack: Pack, part: float
) -> None:
    content, path = sample.read_bytes(), tmp_path / "a"
    packed = pack(content)
    path.write_bytes(packed[: int(part * len(packed))])
    told: list[FormatError] = []
    found = b"".join(Opened(path).buffers(told.append))
    assert content.startswith(found)
    assert len(found) > 100
    assert len(told) == 1
    with pytest.raises(FormatError, match=f"a damaged {name} file"):
        list(Opened(path).buffers())


def test_streams_name_with_a_zero_is_refused() -> None:
    with pytest.raises(InputError, match="cannot read 'a"):
        Opened("a\0b")


def test_streams_bytes_that_xz_cannot_have_are_damage(sample: Path, tmp_path: Path) -> None:
    packed = bytearray(lzma.compress(sample.read_bytes()))
    packed[len(packed) // 2] ^= 0xFF
    (tmp_path / "a.xz").write_bytes(packed)
    with pytest.raises(FormatError, match="a damaged xz file"):
        list(Opened(tmp_path / "a.xz").buffers())


@pytest.mark.parametrize("suffix", [".gz", ".xz"])
def test_streams_packed_file_is_written_and_named_like_the_plain_one(sample: Path, tmp_path: Path, suffix: str) -> None:
    packed = tmp_path / f"news.conllu{suffix}"
    write(read(sample), packed)
    assert streams.document_name(packed) == "news"
    assert packed.read_bytes()[:2] in (b"\x1f\x8b", b"\xfd7")
    assert b"".join(Opened(packed).buffers()) == sample.read_bytes()


@pytest.mark.parametrize("suffix", [".gz", ".xz"])
def test_streams_pieces_make_a_whole_packed_file(tmp_path: Path, suffix: str) -> None:
    file = ResumableFile(tmp_path / f"a{suffix}", "key")
    for piece in (b"one ", b"two ", b"three"):
        file.add(piece, 1)
    file.finish()
    assert b"".join(Opened(tmp_path / f"a{suffix}").buffers()) == b"one two three"
