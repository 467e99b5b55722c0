"""A file that is gone on with: whatever the moment of an interruption, the same bytes."""

from __future__ import annotations

import fcntl
import gzip
import os
from pathlib import Path

import pytest

from arctag.errors import InputError
from arctag.formats.resumable import InUse, ResumableFile, Unfinished

PARTS = [b"one\n", "zwei ü\n".encode(), b"three\n"]


def written(path: Path, parts: list[bytes], force: bool = False) -> ResumableFile:
    file = ResumableFile(path, "k", False, force)
    for part in parts:
        file.add(part, 2)
    return file


@pytest.mark.parametrize("name", ["out.txt", "out.txt.gz"])
@pytest.mark.parametrize("before", [1, 2, 3])
def test_resumable_goes_on_where_it_was(tmp_path: Path, name: str, before: int) -> None:
    path = tmp_path / name
    first = written(path, PARTS[:before])
    first.file.write(b"half of the ne")  # killed in the middle of a part
    first.file.close()
    assert not path.exists()
    again = ResumableFile(path, "k", True)
    assert again.chunks == 2 * before
    for part in PARTS[before:]:
        again.add(part, 2)
    again.finish()
    raw = path.read_bytes()
    assert (gzip.decompress(raw) if name.endswith(".gz") else raw) == b"".join(PARTS)
    assert [p.name for p in tmp_path.iterdir()] == [name]


def test_resumable_gives_up_what_another_run_left_only_if_forced(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    for key, resume, message in (("another", True, "cannot resume"), ("k", False, "an unfinished run has written")):
        written(path, PARTS[:2], force=True).close()
        before = {p.name: p.read_bytes() for p in tmp_path.iterdir()}
        with pytest.raises(Unfinished, match=f"{message} .*out.txt"):
            ResumableFile(path, key, resume)
        assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == before
        file = ResumableFile(path, key, resume, force=True)
        assert file.chunks == 0
        file.close()


@pytest.mark.parametrize(
    "journal", [b"", b"{", b"[]", b"[" * 100_000, b'{"key": "k"}', b'{"key": "k", "chunks": 9, "bytes": 99}']
)
def test_resumable_does_not_believe_a_damaged_journal(tmp_path: Path, journal: bytes) -> None:
    path = tmp_path / "out.txt"
    written(path, PARTS[:1]).close()
    (tmp_path / ".out.txt.part.json").write_bytes(journal)
    file = ResumableFile(path, "k", True)
    assert file.chunks == 0
    file.add(b"new\n", 1)
    file.finish()
    assert path.read_text() == "new\n"


def test_resumable_leaves_nothing_if_nothing_was_done(tmp_path: Path) -> None:
    ResumableFile(tmp_path / "out.txt", "k", False).close()
    written(tmp_path / "out.txt", PARTS).discard()
    assert not list(tmp_path.iterdir())


def test_resumable_keeps_the_old_file_until_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    path.write_text("old")
    path.chmod(0o600)
    file = written(path, PARTS)
    assert path.read_text() == "old"
    file.finish()
    assert path.read_bytes() == b"".join(PARTS)
    assert path.stat().st_mode & 0o777 == 0o600


def test_resumable_says_where_it_cannot_write(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot write"):
        ResumableFile(tmp_path / "no" / "out.txt", "k", False)


def test_resumable_file_is_written_by_one_run_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    first = written(path, PARTS[:2])
    for resume in (False, True):
        with pytest.raises(InUse, match=rf"cannot write .*out\.txt: process {os.getpid()} is writing it"):
            ResumableFile(path, "k", resume)
    first.add(PARTS[2], 2)
    first.finish()
    assert path.read_bytes() == b"".join(PARTS)
    second = written(path, PARTS[:1])  # the lock is gone
    second.finish()
    assert path.read_bytes() == PARTS[0]


def test_resumable_lock_is_not_that_of_a_file_that_was_just_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another run may put its part in its place between our opening and our locking it: it must not be emptied."""
    path = tmp_path / "out.txt"
    other = written(path, PARTS)
    flock, left = fcntl.flock, [other]

    def finish_first(file: object, operation: int) -> None:
        if left:
            left.pop().finish()
        flock(file, operation)  # type: ignore[arg-type]

    monkeypatch.setattr(fcntl, "flock", finish_first)
    mine = ResumableFile(path, "k", False)
    assert path.read_bytes() == b"".join(PARTS)
    mine.close()
    assert [p.name for p in tmp_path.iterdir()] == ["out.txt"]


def test_resumable_file_system_without_locks_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_locks(*_: object) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr(fcntl, "flock", no_locks)
    written(tmp_path / "out.txt", PARTS).finish()
    assert (tmp_path / "out.txt").read_bytes() == b"".join(PARTS)


def test_resumable_part_has_the_permissions_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    path.touch()
    path.chmod(0o600)
    file = ResumableFile(path, "k", False)
    assert file.part.stat().st_mode & 0o777 == 0o600  # from the beginning: what is private stays so
    file.add(b"x\n", 1)
    file.finish()
    assert path.stat().st_mode & 0o777 == 0o600
