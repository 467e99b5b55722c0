"""A file that is gone on with: whatever the moment of an interruption, the same bytes."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from arctag.errors import InputError
from arctag.resumable import ResumableFile

PARTS = ["one\n", "zwei ü\n", "three\n"]


def written(path: Path, parts: list[str], resume: bool = False, key: str = "k") -> ResumableFile:
    file = ResumableFile(path, key, resume)
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
    assert again.units == 2 * before
    for part in PARTS[before:]:
        again.add(part, 2)
    again.finish()
    raw = path.read_bytes()
    assert (gzip.decompress(raw) if name.endswith(".gz") else raw).decode() == "".join(PARTS)
    assert [p.name for p in tmp_path.iterdir()] == [name]


def test_resumable_starts_anew_for_another_run(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    for key, resume in (("another", True), ("k", False)):
        written(path, PARTS[:2]).close()
        file = ResumableFile(path, key, resume)
        assert file.units == 0
        file.close()


@pytest.mark.parametrize("journal", [b"", b"{", b"[]", b'{"key": "k"}', b'{"key": "k", "units": 9, "bytes": 99}'])
def test_resumable_does_not_believe_a_damaged_journal(tmp_path: Path, journal: bytes) -> None:
    path = tmp_path / "out.txt"
    written(path, PARTS[:1]).close()
    (tmp_path / ".out.txt.part.json").write_bytes(journal)
    file = ResumableFile(path, "k", True)
    assert file.units == 0
    file.add("new\n", 1)
    file.finish()
    assert path.read_text() == "new\n"


def test_resumable_leaves_nothing_if_nothing_was_done(tmp_path: Path) -> None:
    ResumableFile(tmp_path / "out.txt", "k", False).close()
    written(tmp_path / "out.txt", PARTS).give_up()
    assert not list(tmp_path.iterdir())


def test_resumable_keeps_the_old_file_until_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    path.write_text("old")
    path.chmod(0o600)
    file = written(path, PARTS)
    assert path.read_text() == "old"
    file.finish()
    assert path.read_text(encoding="utf-8") == "".join(PARTS)
    assert path.stat().st_mode & 0o777 == 0o600


def test_resumable_says_where_it_cannot_write(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot write"):
        ResumableFile(tmp_path / "no" / "out.txt", "k", False)
