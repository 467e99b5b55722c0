"""The reader gives what a slow and obvious one gives, whatever the file, and however its bytes come."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arctag.columns import STANDARD, Header
from arctag.errors import FormatError
from arctag.formats import get_format, pieces, read, scanning, streams
from arctag.formats.pieces import Piece
from arctag.sentence import Sentence
from tests.formats.plain_reader import PlainFile, PlainSentence, read_conllu, read_conllup, read_sdp
from tests.formats.strange_files import strange_files

PLAIN = {"conllu": read_conllu, "conllup": read_conllup, "sdp": read_sdp}
FORMATS = pytest.mark.parametrize("format", PLAIN)
SIZES = st.sampled_from([1, 2, 7, 64, 1 << 20])
"""Of pieces, and of buffers."""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("strange") / "file"


@contextmanager
def sizes(piece: int = 1 << 20, buffer: int = 1 << 16) -> Iterator[None]:
    """Files are cut into pieces of about so many bytes, and come in buffers of so many."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pieces, "SIZE", piece)
        patch.setattr(streams, "BUFFER_SIZE", buffer)
        yield


def plain(sentence: Sentence) -> PlainSentence:
    """What the oracle would say of it."""
    graph = sentence.graph
    assert graph.n == (0 if sentence.error else sentence.size)
    line = int(sentence.source.rpartition(":")[2])
    arcs = tuple((arc.head, arc.dependent, arc.relations) for arc in graph)
    return PlainSentence(sentence.comments, sentence.rows, sentence.blanks, line, graph.n, arcs, sentence.error)


def tolerantly(path: Path, format: str, words_only: bool) -> PlainFile:
    """What is read with `on_error`."""
    found: list[PlainSentence] = []
    reported: list[FormatError] = []
    error = ""
    try:
        for sentence in read(path, format, words_only, reported.append):
            found.append(plain(sentence))
    except FormatError as fault:
        error = str(fault)
    assert [str(fault) for fault in reported] == [sentence.error for sentence in found if sentence.error]
    return PlainFile(found, error)


def strictly(path: Path, format: str, words_only: bool) -> PlainFile:
    """What is read without."""
    found: list[PlainSentence] = []
    try:
        for sentence in read(path, format, words_only):
            found.append(plain(sentence))
    except FormatError as fault:
        return PlainFile(found, str(fault))
    return PlainFile(found)


def up_to_the_first_fault(file: PlainFile) -> PlainFile:
    """What is left of a file where the first fault is the end."""
    for i, sentence in enumerate(file.sentences):
        if sentence.error:
            return PlainFile(file.sentences[:i], sentence.error)
    return file


def check(path: Path, format: str, wanted: PlainFile, words_only: bool) -> None:
    wanted = PlainFile([PlainSentence(*sentence.known()) for sentence in wanted.sentences], wanted.error)  # type: ignore[arg-type]
    assert tolerantly(path, format, words_only) == wanted
    assert strictly(path, format, words_only) == up_to_the_first_fault(wanted)


@FORMATS
@pytest.mark.parametrize("examples", [200, pytest.param(5_000, marks=pytest.mark.full)])
def test_plain_reader_reads_the_same(path: Path, format: str, examples: int) -> None:
    @settings(max_examples=examples)
    @given(strange_files(format), st.booleans(), SIZES, SIZES)
    def check_one(content: bytes, words_only: bool, piece: int, buffer: int) -> None:
        path.write_bytes(content)
        with sizes(piece, buffer):
            check(path, format, PLAIN[format](content, str(path), words_only), words_only)

    check_one()


@FORMATS
@settings(max_examples=100)
@given(data=st.data(), words_only=st.booleans(), piece=SIZES)
def test_plain_reader_reads_the_same_of_a_file_that_breaks_off(
    path: Path, format: str, data: st.DataObject, words_only: bool, piece: int
) -> None:
    packed = gzip.compress(data.draw(strange_files(format)), compresslevel=0)  # so that some of the bytes can be read
    path.write_bytes(packed[: data.draw(st.integers(3, len(packed) - 1))])
    damage: list[FormatError] = []
    content = b"".join(streams.Opened(path).buffers(damage.append))
    assert len(damage) == 1
    with sizes(piece):
        check(path, format, PLAIN[format](content, str(path), words_only, str(damage[0])), words_only)


@FORMATS
@settings(max_examples=100)
@given(data=st.data(), words_only=st.booleans())
def test_plain_reader_reads_the_same_with_64_bits(
    path: Path, format: str, data: st.DataObject, words_only: bool
) -> None:
    content = data.draw(strange_files(format))
    path.write_bytes(content)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scanning, "_LARGEST", 0)
        check(path, format, PLAIN[format](content, str(path), words_only), words_only)


@FORMATS
def test_plain_reader_reads_the_same_of_the_samples(
    format: str, sample: Path, sample_sdp: Path, tmp_path: Path
) -> None:
    path = sample_sdp if format == "sdp" else sample
    if format == "conllup":
        path = tmp_path / "sample.conllup"
        path.write_bytes(Header.of(STANDARD).text.encode() + sample.read_bytes())
    for words_only in (False, True):
        check(path, format, PLAIN[format](path.read_bytes(), str(path), words_only), words_only)


def cut(path: Path, format: str) -> tuple[list[Piece], str]:
    """The pieces of a file, and the error at its end."""
    found: list[Piece] = []
    try:
        found.extend(get_format(format).chunks(path))
    except FormatError as fault:
        return found, str(fault)
    return found, ""


def comparable(cut: Iterable[Piece]) -> list[tuple[int, bytes, str]]:
    return [(piece.line, piece.data, str(piece.damage)) for piece in cut]


@settings(max_examples=300)
@given(content=strange_files("conllu"), piece=SIZES, buffer=st.integers(1, 100))
def test_plain_reader_pieces_are_the_file(path: Path, content: bytes, piece: int, buffer: int) -> None:
    path.write_bytes(content)
    with sizes(piece):
        found, error = cut(path, "conllu")
    with sizes(piece, buffer):
        again, error_again = cut(path, "conllu")
    assert (comparable(again), error_again) == (comparable(found), error)  # however the bytes come
    lines = content.replace(b"\r\n", b"\n").removeprefix(b"\xef\xbb\xbf")
    lines += b"\n" * (not lines.endswith(b"\n"))
    joined = b"".join(one.data for one in found)
    assert joined == lines or not lines[len(joined) :].strip(b"\n")  # empty lines alone are in no piece
    at = 0
    for one in found:
        assert one.line == 1 + lines[:at].count(b"\n")
        at += len(one.data)
    assert all(len(one.data) >= piece for one in found[:-2])
