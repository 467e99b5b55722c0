"""`/api/files`: treebanks given at the start, and nothing else of the disk."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from arctag.errors import InputError
from arctag.parsing.parser import Parser
from arctag.serve.routes.files import text_files
from tests.serve.servers import Running, error, running


@pytest.fixture(scope="module")
def given(tiny: Parser, sample: Path) -> Iterator[Running]:
    with running({"m": tiny}, files=[sample, sample.with_name("gone.conllu")]) as server:
        yield server


def test_files_are_listed_without_their_folders(given: Running, sample: Path) -> None:
    found = given.get("/api/files").json()["files"]
    assert found == [{"number": 1, "name": sample.name}, {"number": 2, "name": "gone.conllu"}]


def test_files_come_byte_for_byte(given: Running, sample: Path) -> None:
    answer = given.get("/api/files/1")
    assert answer.content == sample.read_bytes()
    assert answer.headers["content-type"] == "application/octet-stream"


@pytest.mark.parametrize("number", ["0", "-1", "2", "3", "9" * 40])
def test_files_that_are_not_there(given: Running, number: str) -> None:
    assert error(given.get(f"/api/files/{number}"), 404).startswith(f"there is no file {number};")


@pytest.mark.parametrize("path", ["sample.conllu", "..%2F..%2Fetc%2Fpasswd", "1/../../x", "%2Fetc%2Fpasswd"])
def test_files_cannot_be_named_by_path(given: Running, path: str) -> None:
    assert given.get(f"/api/files/{path}").status_code in (404, 422)


def test_files_none_unless_given(server: Running) -> None:
    assert server.get("/api/files").json() == {"files": []}


def test_files_are_files_and_not_standard_input() -> None:
    with pytest.raises(InputError, match="standard input only once: name a file, not -"):
        text_files(["-"])


def test_files_must_be_readable_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot read .*none\.conllu"):
        text_files([str(tmp_path / "none.conllu")])
