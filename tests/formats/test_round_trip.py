"""Files come out as they went in, byte for byte, on the samples and on every shared treebank."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given

from arctag.formats import Writer, format_of_name, read, write
from arctag.formats.conllu import CONLLU
from arctag.formats.sdp import SDP
from arctag.sentence import Sentence
from tests.conftest import Run
from tests.places import treebanks
from tests.strategies import sentences

ALL = treebanks(".conllu", ".sdp")
# their DEPS are not sorted by head, so that a regenerated column differs in order
UNSORTED = "sentiment_"


def _text(source: Iterator[Sentence], format: str) -> str:
    writer = Writer(format)
    return "".join([writer.header, *map(writer.text, source)])


def _content(path: Path) -> str:
    return path.read_bytes().decode("utf-8")


def _check(path: Path) -> None:
    """Same bytes as read; the same bytes again when the graph's columns are written anew."""
    format = format_of_name(path)
    assert format
    content = _content(path)
    assert _text(read(path), format) == content
    regenerated = _text((s.with_graph(s.graph) for s in read(path)), format)
    if UNSORTED not in str(path):
        assert regenerated == content


def test_round_trip_samples(any_sample: Path) -> None:
    _check(any_sample)


@pytest.mark.parametrize("name", ALL)
def test_round_trip_treebanks(shared: Path, name: str) -> None:
    _check(shared / "data" / name)


@pytest.mark.parametrize("name", treebanks(".conllu", only=lambda name: UNSORTED in name))
def test_round_trip_unsorted_files_keep_their_graphs(shared: Path, tmp_path: Path, name: str) -> None:
    before = list(read(shared / "data" / name))
    write((s.with_graph(s.graph) for s in before), tmp_path / "again.conllu")
    after = list(read(tmp_path / "again.conllu"))
    assert [s.graph for s in after] == [s.graph for s in before]
    assert [s.words for s in after] == [s.words for s in before]


@pytest.mark.parametrize("name", ["iwpt_ta/dev.conllu", "en_pud/test.conllu", "deep_sequoia/dev.sdp"])
def test_round_trip_through_gzip_and_streams(shared: Path, tmp_path: Path, run: Run, name: str) -> None:
    source = shared / "data" / name
    content = source.read_bytes()
    packed = tmp_path / f"{source.name}.gz"
    assert run("convert", source, packed).code == 0
    assert gzip.decompress(packed.read_bytes()) == content
    assert run("convert", packed).out == content
    assert run("convert", "-", "--from", format_of_name(source) or "", stdin=content).out == content
    assert run("convert", "-", "--from", format_of_name(source) or "", stdin=packed.read_bytes()).out == content


def test_round_trip_streams_of_samples(any_sample: Path, run: Run) -> None:
    content = any_sample.read_bytes()
    assert run("convert", any_sample).out == content
    assert run("convert", "-", "-", "--from", any_sample.suffix[1:], stdin=content).out == content


@given(sentences())
def test_round_trip_random_conllu(tmp_path_factory: pytest.TempPathFactory, sentence: Sentence) -> None:
    path = tmp_path_factory.mktemp("random") / "file"
    path.write_text(CONLLU.text(sentence) * 2, encoding="utf-8", newline="\n")
    again = list(read(path, "conllu"))
    assert [s.graph for s in again] == [sentence.graph] * 2
    assert _text(iter(again), "conllu") == _content(path)


@pytest.mark.parametrize("blanks", ["", "\n", "\n\n"])
def test_round_trip_keeps_the_blank_lines_at_the_end(tmp_path: Path, blanks: str) -> None:
    path = tmp_path / "ends.conllu"
    path.write_text("1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n" + blanks)
    assert _text(read(path), "conllu") == _content(path)


def test_round_trip_reads_windows_line_ends(sample: Path, tmp_path: Path) -> None:
    path = tmp_path / "windows.conllu"
    path.write_bytes(sample.read_bytes().replace(b"\n", b"\r\n"))
    assert _text(read(path), "conllu") == _content(sample)


def test_round_trip_sdp_header_comes_once(sample_sdp: Path) -> None:
    some = list(read(sample_sdp))
    text = _text(iter([some[3], some[0], some[0]]), "sdp")
    assert text.startswith("#SDP 2015\n#sample-04\n")
    assert text.count(SDP.header) == 1
