"""Files that nobody writes on purpose: huge lines and rows, millions of empty lines, files that change, slow pipes."""

from __future__ import annotations

import os
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Queue

import pytest

from arctag.errors import FormatError
from arctag.formats import pieces, read, streams
from arctag.sentence import Sentence
from tests.steps import Searched, assert_linear

ROW = "\t_\t_\t_\t_\t"
WORD = f"1\tw{ROW}0\troot\t0:root\t_\n".encode()
SENTENCE = b"# c\n" + WORD + b"\n"
MEGABYTE = 1 << 20


def tolerantly(path: Path, format: str = "conllu") -> tuple[list[Sentence], list[str]]:
    errors: list[FormatError] = []
    return list(read(path, format, on_error=errors.append)), [str(error).removeprefix(f"{path}:") for error in errors]


def peak(work: Callable[[], object]) -> int:
    """The most memory that a call takes at a time, in bytes."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("long", [b"# " + b"c" * 3 * MEGABYTE + b"\n", b"", b"\n" * 3 * MEGABYTE])
def test_nasty_files_long_lines_are_read(tmp_path: Path, long: bytes) -> None:
    path = tmp_path / "long.conllu"
    form = b"x" * 3 * MEGABYTE
    path.write_bytes(SENTENCE + long + WORD.replace(b"w", form) + b"\n" + SENTENCE)
    first, second, third = read(path)
    assert second.words == [form.decode()]
    assert second.source == f"{path}:{4 + long.count(10)}"
    assert first.graph == second.graph == third.graph
    assert peak(lambda: list(read(path))) < 40 * path.stat().st_size


def test_nasty_files_a_row_of_a_million_columns_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "wide.conllu"
    path.write_bytes(SENTENCE + b"1" + b"\t_" * 999_999 + b"\n\n" + SENTENCE)
    found, errors = tolerantly(path)
    assert [bool(sentence.error) for sentence in found] == [False, True, False]
    assert errors == ["4: found 1000000 columns; expected 10 columns with tabs between them"]
    assert len(found[1].rows[0]) == 1_000_000


def test_nasty_files_an_sdp_row_of_many_columns_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "wide.sdp"
    path.write_bytes(b"#SDP 2015\n1\tw\tw\tN\t-\t-\t_" + b"\t_" * 999_993 + b"\n\n")
    _, errors = tolerantly(path, "sdp")
    assert errors == ["2: found 1000000 columns: 999993 argument columns too many; "
                      "expected 7 (7 and one for each of 0 predicates)"]  # fmt: skip


def test_nasty_files_a_word_with_many_arcs_is_read(tmp_path: Path) -> None:
    path = tmp_path / "arcs.conllu"
    deps = "|".join(f"0:r{i}" for i in reversed(range(100_000)))
    path.write_text(f"1\tw{ROW}_\t_\t{deps}\t_\n\n")
    [sentence] = read(path)
    [arc] = sentence.graph
    assert (len(arc.relations), arc.relations[0]) == (100_000, "r99999")


def test_nasty_files_zeros_and_lone_carriage_returns_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "odd.conllu"
    path.write_bytes(b"# a\0b\r c\n" + WORD.replace(b"w", b"\0\r\0") + b"\n")
    [sentence] = read(path)
    assert (sentence.comments, sentence.words) == (("# a\0b\r c",), ["\0\r\0"])


# Files that change while they are read


def _with_many(path: Path) -> Iterator[Sentence]:
    """The sentences of a file of which a piece has been read, and more than that is left."""
    path.write_bytes(SENTENCE * 50_000)
    sentences = read(path)
    assert next(sentences).words == ["w"]
    return sentences


def test_nasty_files_a_file_that_grows_is_read_to_its_new_end(tmp_path: Path) -> None:
    path = tmp_path / "grows.conllu"
    sentences = _with_many(path)
    with path.open("ab") as file:
        file.write(SENTENCE * 10)
    assert sum(1 for _ in sentences) == 50_009


def test_nasty_files_a_file_that_shrinks_ends_early(tmp_path: Path) -> None:
    path = tmp_path / "shrinks.conllu"
    sentences = _with_many(path)
    os.truncate(path, 0)
    assert 0 < sum(1 for _ in sentences) < 50_000


def test_nasty_files_a_file_cut_inside_a_sentence_ends_with_it(tmp_path: Path) -> None:
    path = tmp_path / "cut.conllu"
    sentences = _with_many(path)
    os.truncate(path, 40_000 * len(SENTENCE) + 6)
    with pytest.raises(FormatError, match=r"cut.conllu:120002: found 2 columns"):
        list(sentences)


# Pipes


@contextmanager
def slow_pipe(path: Path) -> Iterator[Queue[bytes | None]]:
    """A pipe that gets what is put into the queue, and ends with None."""
    os.mkfifo(path)
    parts: Queue[bytes | None] = Queue()

    def feed() -> None:
        with open(path, "wb", buffering=0) as pipe:
            while part := parts.get():
                pipe.write(part)

    feeder = threading.Thread(target=feed, daemon=True)
    feeder.start()
    yield parts
    feeder.join()


@pytest.mark.parametrize("behind", [b"1", b"# c\n", b"# c\n\n# d\n\n# e"])
def test_nasty_files_a_pipe_that_stalls_gives_what_is_complete(tmp_path: Path, behind: bytes) -> None:
    with slow_pipe(tmp_path / "pipe") as parts:
        parts.put(SENTENCE * 3 + behind)
        sentences = read(tmp_path / "pipe", "conllu")
        for i in range(3):  # nothing more comes before they are read
            assert next(sentences).source.endswith(f":{3 * i + 2}")
        parts.put(b"\n" + SENTENCE if behind != b"1" else WORD[1:] + b"\n" + SENTENCE)
        parts.put(None)
        assert len(list(sentences)) == (1 if behind != b"1" else 2)


@pytest.mark.parametrize("waiting", [False, True])
def test_nasty_files_are_not_searched_again_for_each_buffer(waiting: bool) -> None:
    cutter = pieces._Cutter("pipe", 100, lambda: waiting)
    cutter.rest = rest = Searched()
    assert not list(cutter.pieces([b"1\tw\n"] * 5_000))
    assert len(list(cutter.pieces([b"\n# c\n", b"\n", b"# d\n"] * 5_000))) == 1
    assert 0 < rest.searched < 6 * 70_000


# As much work as there are bytes


NASTY = {
    "comments at the end": SENTENCE * 5 + b"# c\n\n# d\n# e\n\n\n",
    "comments only": b"# c\n\n",
    "empty lines": b"\n\n\n\n",
    "empty lines between": SENTENCE + b"\n" * 300,
    "a comment as the last row": WORD + b"# c\n\n",
    "a word that begins like a comment": b"#" + WORD + b"\n",
    "one sentence": WORD,
    "bad bytes": b"# \xff\n1\t\xff\n\n",
}


@pytest.mark.parametrize("size", [64, MEGABYTE])
@pytest.mark.parametrize("name", NASTY)
def test_nasty_files_take_work_in_proportion(
    name: str, size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pieces, "SIZE", size)
    monkeypatch.setattr(streams, "BUFFER_SIZE", 256)

    def make(n: int) -> Callable[[], object]:
        path = tmp_path / f"{n}.conllu"
        path.write_bytes(NASTY[name] * n)

        def work() -> None:
            with suppress(FormatError):  # there may be no sentence
                tolerantly(path)

        return work

    assert_linear(make, 100)


def test_nasty_files_sentences_that_end_with_a_comment_are_cut_apart(tmp_path: Path) -> None:
    path = tmp_path / "odd.conllu"
    path.write_bytes((WORD + b"# c\n\n") * 100_000)
    assert len(list(pieces.pieces(path))) == path.stat().st_size // MEGABYTE + 1
