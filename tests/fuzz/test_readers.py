"""Damaged files of every kind that is read."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.damage import damaged
from tests.fuzz.limits import FEW, MANY, survives
from tests.fuzz.readers import READERS, Reader


def _try(reader: Reader, data: bytes, folder: Path) -> bool:
    path = folder / f"damaged{reader.suffix}"
    path.write_bytes(data)
    return survives(reader.read, path)


@pytest.mark.parametrize("name", READERS)
def test_readers_read_sound_files(name: str, tmp_path: Path) -> None:
    """Else damaged ones would be refused for no matter what."""
    reader = READERS[name]
    assert all(_try(reader, data, tmp_path) for data in reader.sound())


@pytest.mark.parametrize("name", READERS)
def test_readers_survive_damage(name: str, tmp_path: Path) -> None:
    _fuzz(name, tmp_path, FEW)


@pytest.mark.full
@pytest.mark.parametrize("name", READERS)
def test_readers_survive_much_damage(name: str, tmp_path: Path) -> None:
    _fuzz(name, tmp_path, MANY)


def _fuzz(name: str, folder: Path, how: settings) -> None:
    reader = READERS[name]

    @how
    @given(damaged(reader.sound()) | st.binary(max_size=200))
    def check(data: bytes) -> None:
        _try(reader, data, folder)

    check()
