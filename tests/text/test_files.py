"""Text files: cut the same way however they are read, tokenised the same way whoever does it, whatever is in them."""

from __future__ import annotations

import gzip
import io
import random
import re
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from arctag.errors import FormatError, InputError
from arctag.formats import streams
from arctag.formats.streams import document_name
from arctag.sentence import Sentence
from arctag.text import chunks as cutting
from arctag.text.chunks import LAYOUTS, LONGEST, LONGEST_WORD, Chunk, chunks, fit
from arctag.text.files import read_chunks, read_text
from tests.tokenized import HOSTILE, TEXTS, check, rules

PACKED = (b"\x1f\x8b", b"\xfd7zXZ\0")
"""How files begin that are unpacked before they are read."""

layouts = pytest.mark.parametrize("layout", LAYOUTS)


def written(path: Path, text: str) -> Path:
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    return path


def texts(found: Iterator[Chunk]) -> list[str]:
    return [chunk.text for chunk in found]


def test_raw_text_paragraphs_and_lines(tmp_path: Path) -> None:
    path = written(tmp_path / "a.txt", "\n\nOne\ntwo. \n \t \nThree\r\n\r\n\r\nFour\n")
    assert list(read_chunks(path)) == [
        Chunk("One\ntwo.", 1, 1, 3), Chunk("Three", 2, 1, 6), Chunk("Four", 3, 1, 9),
    ]  # fmt: skip
    assert list(read_chunks(path, "lines")) == [
        Chunk("One", 1, 1, 3), Chunk("two.", 2, 1, 4), Chunk("Three", 3, 1, 6), Chunk("Four", 4, 1, 9),
    ]  # fmt: skip
    assert list(read_chunks(path, "sentences")) == [
        Chunk("One", 1, 1, 3, whole=True), Chunk("two.", 1, 2, 4, whole=True), Chunk("Three", 2, 1, 6, whole=True),
        Chunk("Four", 3, 1, 9, whole=True),
    ]  # fmt: skip


def test_raw_text_sentences_of_a_file(tmp_path: Path) -> None:
    path = written(tmp_path / "my news.txt", "One. Two\nthree.\n\nFour.")
    found = list(read_text(path, rules()))
    assert [(s.id, s.text) for s in found] == [
        ("my_news-p1-s1", "One."), ("my_news-p1-s2", "Two three."), ("my_news-p2-s1", "Four."),
    ]  # fmt: skip
    assert [s.source for s in found] == [f"{path}:1", f"{path}:1", f"{path}:4"]
    assert [s.comments[:-2] for s in found] == [("# newdoc id = my_news", "# newpar"), (), ("# newpar",)]


def test_raw_text_lines_are_counted_inside_paragraphs(tmp_path: Path) -> None:
    path = written(tmp_path / "a.txt", "\nOne.\nTwo.\nThree\nfour. Five.\n")
    assert [s.source.rpartition(":")[2] for s in read_text(path, rules())] == ["2", "3", "4", "5"]


@layouts
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_raw_text_loses_nothing_of_hostile_files(tmp_path: Path, text: str, layout: str) -> None:
    text = text.encode("utf-8", "replace").decode()
    found = list(read_text(written(tmp_path / "a.txt", text), rules(), layout))
    check(found, text.removeprefix("\ufeff"))


@given(text=TEXTS, cuts=st.lists(st.integers(0, 80)), layout=st.sampled_from(sorted(LAYOUTS)))
def test_raw_chunks_do_not_depend_on_how_text_is_read(text: str, cuts: list[int], layout: str) -> None:
    ends = [*sorted(cuts), len(text)]
    parts = [text[start:end] for start, end in zip([0, *ends], ends, strict=False)]
    assert list(chunks(parts, layout)) == list(chunks([text], layout))


WORDS = st.sampled_from(
    ["word", "Ends.", "x" * 40, " ", "  ", "\n", "\n\n", "\n \n", "。", "\u0301", "👍\u200d👍", "(", "\t"]
)


@given(words=st.lists(WORDS, max_size=60), cuts=st.lists(st.integers(0, 500)), layout=st.sampled_from(sorted(LAYOUTS)))
@settings(max_examples=300)
def test_raw_text_long_chunks_are_cut_alike(words: list[str], cuts: list[int], layout: str) -> None:
    text = "".join(words)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cutting, "LONGEST", 50)
        patch.setattr(cutting, "LONGEST_WORD", 20)
        patch.setattr(cutting, "_LONGEST_LETTER", 5)
        patch.setattr(cutting, "_TOO_LONG", re.compile("[^ \n]{21}"))
        whole = list(chunks([text], layout))
        ends = [*sorted(cuts), len(text)]
        assert list(chunks((text[a:b] for a, b in zip([0, *ends], ends, strict=False)), layout)) == whole
    assert all(0 < len(chunk.text) <= 50 for chunk in whole)
    assert all(len(word) <= 20 for chunk in whole for word in chunk.text.split())
    assert "".join("".join(chunk.text.split()) for chunk in whole) == "".join(fit(text).split())
    places = [(chunk.paragraph, chunk.number) for chunk in whole]
    assert places == sorted(set(places))
    at = 0
    for chunk in whole:  # glued where no space lies between it and the next
        at = fit(text).index(chunk.text, at) + len(chunk.text)
        assert chunk.glued == (not fit(text)[at : at + 1].isspace() and at < len(fit(text)))


def test_raw_text_is_cut_after_sentences_or_words() -> None:
    sentence = "This is a sentence. "
    first, second, *_ = chunks([sentence * 1_000])
    assert first.text.endswith("sentence.")
    assert second.text.startswith("This")
    assert LONGEST - len(sentence) <= len(first.text) <= LONGEST
    assert (second.paragraph, second.number, first.glued) == (1, 2, False)
    first, second, *_ = chunks(["word " * 10_000])
    assert first.text.endswith(" word")
    assert second.text.startswith("word ")
    first, second, *_ = chunks(["去。" * 10_000])
    assert len(first.text) == LONGEST_WORD
    assert first.text.endswith("。")


def test_raw_text_is_not_cut_inside_a_letter() -> None:
    text = "e\u0301" * (LONGEST_WORD // 2 - 1) + "ab" + "\u0301" * 10 + "c" * 20
    first, second = chunks([text])
    assert first.text.endswith("a")
    assert second.text.startswith("b\u0301")
    family = "👨\u200d👩\u200d👧"
    assert texts(chunks(["x" * (LONGEST_WORD - 2) + family])) == ["x" * (LONGEST_WORD - 2), family]


@pytest.mark.parametrize("layout", ["paragraphs", "sentences"])
def test_raw_text_workers_give_the_same_sentences(tmp_path: Path, layout: str) -> None:
    text = "\n".join(HOSTILE.values()).replace("\n#", "\n\n#")
    path = written(tmp_path / "a b.txt", text.encode("utf-8", "replace").decode())
    expected = list(read_text(path, rules(), layout))
    found = list(enumerate(read_chunks(path, layout)))
    random.Random(1).shuffle(found)
    done = {i: rules().chunk_sentences(chunk, document_name(path), str(path)) for i, chunk in found}

    def all_of(sentences: list[Sentence]) -> list[object]:
        return [(s.rows, s.comments, s.source) for s in sentences]

    assert all_of([s for i in sorted(done) for s in done[i]]) == all_of(expected)
    assert len({s.id for s in expected}) == len(expected)


@pytest.mark.parametrize("content", [b"", b"\n", b" \t\r\n\n \xe2\x80\xa8", b"\xef\xbb\xbf", b"\xef\xbb\xbf\n"])
@layouts
def test_raw_text_without_text_has_no_sentence(tmp_path: Path, content: bytes, layout: str) -> None:
    (tmp_path / "a.txt").write_bytes(content)
    assert list(read_text(tmp_path / "a.txt", rules(), layout)) == []


def test_raw_text_gzip_standard_input_and_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with gzip.open(tmp_path / "a.txt.gz", "wt", encoding="utf-8") as file:
        file.write("Grüße.")
    assert [s.id for s in read_text(tmp_path / "a.txt.gz", rules())] == ["a-p1-s1"]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("Grüße.".encode())))
    (sentence,) = read_text("-", rules())
    assert (sentence.id, sentence.text, sentence.source) == ("stdin-p1-s1", "Grüße.", "<stdin>:1")
    assert [document_name(name) for name in ("x/y.z.txt", ".txt", "a.gz", "no-ending")] == [
        "y.z",
        ".txt",
        "a",
        "no-ending",
    ]


def test_raw_text_byte_order_mark_is_no_word(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"\xef\xbb\xbfOne")
    assert texts(read_chunks(tmp_path / "a.txt")) == ["One"]


def test_raw_text_bad_bytes_are_told_and_replaced(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"fine\ncaf\xe9 \xff\xfe\n\nfine\n\xed\xa0\x80 end \xe2\x82")
    told: list[FormatError] = []
    found = list(read_chunks(tmp_path / "a.txt", on_bad=told.append))
    assert [str(error).rpartition("/")[2] for error in told] == [
        "a.txt:2: found byte b'\\xe9', not UTF-8; expected UTF-8 text",
        "a.txt:5: found byte b'\\xed', not UTF-8; expected UTF-8 text",
    ]
    assert texts(iter(found)) == ["fine", "caf\ufffd \ufffd\ufffd", "fine", "\ufffd\ufffd\ufffd end \ufffd\ufffd"]
    assert texts(read_chunks(tmp_path / "a.txt")) == texts(iter(found))


@given(content=st.binary(max_size=60).filter(lambda data: not data.startswith(PACKED)), size=st.integers(1, 7))
@example(b"\xef", 1)
@example(b"\xef\xbb\xbf\xef\xbb\xbfa", 1)
def test_raw_text_stretches_do_not_cut_characters(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, size: int
) -> None:
    path = tmp_path_factory.mktemp("t") / "a.txt"
    path.write_bytes(content)
    expected: list[FormatError] = []
    whole = list(read_chunks(path, on_bad=expected.append))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(streams, "BUFFER_SIZE", size)
        told: list[FormatError] = []
        assert list(read_chunks(path, on_bad=told.append)) == whole
    assert [str(error) for error in told] == [str(error) for error in expected]
    lines = [i for i, line in enumerate(content.split(b"\n"), 1) if line.decode("utf-8", "ignore").encode() != line]
    assert [error.line for error in told] == lines


@pytest.mark.parametrize("unit", ["word ", "x", " ", "\n", "Ends here. ", "some words\n" * 9 + "\n", "\u0301", "a \n"])
def test_raw_text_memory_does_not_grow_with_the_file(tmp_path: Path, unit: str) -> None:
    (tmp_path / "a.txt").write_bytes(unit.encode() * (1_500_000 // len(unit.encode())))
    tracemalloc.start()
    try:
        for _ in read_chunks(tmp_path / "a.txt"):
            pass
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


def test_raw_text_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        list(read_text(tmp_path / "none.txt", rules()))
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"hello " * 1000)[:-20])
    with pytest.raises(FormatError, match="a damaged gzip file"):
        list(read_text(tmp_path / "a.gz", rules()))
