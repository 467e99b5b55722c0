"""Checksums: damage to any file that is read is noticed, and named; what nobody reads may change."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from arctag.errors import InputError
from arctag.modelfile import checksums
from arctag.modelfile.bundled import FOLDER as SHIPPED
from arctag.parsing.loading import load
from tests.conftest import Run
from tests.networks import Models

CARD = "README.md"


def flip(path: Path, place: float = 0.5) -> None:
    """Change a single bit."""
    data = bytearray(path.read_bytes())
    data[int(place * (len(data) - 1))] ^= 1
    path.write_bytes(data)


def files(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


@pytest.fixture
def english(tmp_path: Path) -> Path:
    """A copy of the model that comes with Arctag, which may be damaged."""
    return Path(shutil.copytree(SHIPPED / "en", tmp_path / "en"))


@pytest.fixture
def torch_model(models: Models, tmp_path: Path) -> Path:
    return Path(shutil.copytree(models("verified"), tmp_path / "model"))


def refused(folder: Path) -> str:
    with pytest.raises(InputError) as caught:
        load(folder, "cpu")
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_checksums_of_the_shipped_models_are_of_every_file_that_is_read() -> None:
    for folder in SHIPPED.iterdir():
        assert set(files(folder)) == checksums.names(folder) | {CARD, checksums.FILE}
        checksums.check(folder)


def test_checksums_name_every_damaged_file_of_an_exported_model(english: Path) -> None:
    for name in sorted(checksums.names(english)):
        whole = (english / name).read_bytes()
        for place in (0.0, 0.5, 1.0):
            flip(english / name, place)
            assert refused(english).startswith(f"{english / name}: damaged or changed")
            (english / name).write_bytes(whole)
        (english / name).write_bytes(whole[:-1])
        assert refused(english).startswith(f"{english / name}: damaged or changed")
        (english / name).unlink()
        assert f"{name} is missing" in refused(english)
        (english / name).write_bytes(whole)
    load(english)


def test_checksums_name_every_damaged_file_of_a_trained_model(torch_model: Path, run: Run, sample: Path) -> None:
    read = {"config.json", "labels.json", "inputs.json", "model.safetensors", "tokenizer.udpipe"}
    assert checksums.names(torch_model) == read
    for name in sorted(read):
        flip(torch_model / name)
        assert refused(torch_model).startswith(f"{torch_model / name}: damaged or changed")
        result = run("parse", sample, "-m", torch_model, "--device", "cpu")
        assert (result.code, result.out, result.err.count("\n")) == (2, b"", 1)
        assert f"{name}: damaged or changed" in result.err
        flip(torch_model / name)
    load(torch_model, "cpu")


def test_checksums_leave_the_card_and_the_records_of_a_run_alone(torch_model: Path) -> None:
    (torch_model / CARD).write_text("my own words")
    (torch_model / "train.toml").unlink()
    (torch_model / "notes.txt").touch()
    load(torch_model, "cpu")


def test_checksums_may_be_absent_or_deleted(torch_model: Path) -> None:
    value = json.loads((torch_model / "config.json").read_text(encoding="utf-8"))
    (torch_model / "config.json").write_text(json.dumps({**value, "dropout": 0.25}), encoding="utf-8")
    assert f"or delete {checksums.FILE} if the change is yours" in refused(torch_model)
    (torch_model / checksums.FILE).unlink()
    assert load(torch_model, "cpu").config.dropout == 0.25


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"sha256": []}', '{"sha256": {"../config.json": ""}}', '{"sha256": {"/dev/zero": ""}}',
     '{"sha256": {"": ""}}'],
)  # fmt: skip
def test_checksums_that_are_damaged_themselves(torch_model: Path, text: str) -> None:
    (torch_model / checksums.FILE).write_text(text)
    assert str(torch_model / checksums.FILE) in refused(torch_model)
