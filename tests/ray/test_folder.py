"""The folder of shards: a shard is there wholly or not at all, and belongs to one run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("ray", reason="ray is not installed")

from arctag.errors import InputError
from arctag.ray.folder import Folder
from tests.faults import full_disk


def begun(path: Path, key: str = "one") -> Folder:
    folder = Folder(str(path), "conllu", key)
    folder.begin(force=False)
    return folder


def write(folder: Folder, number: int, data: bytes = b"text") -> None:
    with folder.open(number) as file:
        file.write(data)


def test_folder_shard_appears_when_it_is_complete(tmp_path: Path) -> None:
    folder = begun(tmp_path / "out")
    with folder.open(3) as file:
        file.write(b"half")
        assert folder.shards() == set()
    assert folder.shards() == {3}
    write(folder, 3, b"the same again")  # by an actor that was thought dead
    assert (tmp_path / "out" / "part-000003.conllu").read_bytes() == b"the same again"


def test_folder_failed_shard_leaves_nothing(tmp_path: Path) -> None:
    folder = begun(tmp_path / "out")
    with pytest.raises(TypeError):
        write(folder, 0, "no bytes")  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"cannot write .*part-000000.conllu: .*File too large"), full_disk():
        write(folder, 0, b"x" * 1000)
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"_arctag.json"}


def test_folder_what_killed_processes_left_is_removed(tmp_path: Path) -> None:
    folder = begun(tmp_path / "out")
    write(folder, 0)
    for name in (".part-000001.conllu.abcd1234", "._arctag.json.abcd1234"):
        (tmp_path / "out" / name).write_text("half")
    begun(tmp_path / "out")
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"_arctag.json", "part-000000.conllu"}


def test_folder_left_before_it_was_begun_can_be_used(tmp_path: Path) -> None:
    """Only a half-written `_arctag.json` is there, as after a full disk."""
    (tmp_path / "._arctag.json.abcd1234").write_text("{")
    assert not Folder(str(tmp_path), "conllu", "one").is_complete(resume=False, force=False)


def test_folder_belongs_to_one_run(tmp_path: Path) -> None:
    folder = begun(tmp_path / "out")
    write(folder, 0)
    other = Folder(folder.path, "conllu", "other")
    with pytest.raises(InputError, match="is unfinished: use --resume"):
        folder.is_complete(resume=False, force=False)
    with pytest.raises(InputError, match="cannot resume"):
        other.is_complete(resume=True, force=False)
    with pytest.raises(InputError, match="does not see the output folder"):
        other.check()
    with pytest.raises(InputError, match="does not see the output folder"):
        Folder(str(tmp_path / "elsewhere"), "conllu", "one").check()
    folder.check()
    assert not folder.is_complete(resume=True, force=False)
    folder.finish(1)
    assert folder.is_complete(resume=True, force=False)
    assert not other.is_complete(resume=False, force=True)
    other.begin(force=True)
    assert other.shards() == set()


def test_folder_damaged_manifest_is_refused(tmp_path: Path) -> None:
    folder = begun(tmp_path / "out")
    (tmp_path / "out" / "_arctag.json").write_text("{")
    with pytest.raises(InputError, match="is damaged"):
        folder.is_complete(resume=True, force=False)
    folder.begin(force=True)
    assert json.loads((tmp_path / "out" / "_arctag.json").read_text())["key"] == "one"
