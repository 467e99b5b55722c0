"""The page about pictures shows what the commands on it give."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.places import ROOT

PAGE = ROOT / "docs" / "pictures.md"
COMMANDS = re.findall(r"^\$ arctag (draw .*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("line", COMMANDS)
def test_docs_every_command_on_the_page_runs(
    line: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for source in (PAGE.parent / "pictures").glob("*.conllu"):
        (tmp_path / source.name).write_bytes(source.read_bytes())
    monkeypatch.chdir(tmp_path)
    result = run(*shlex.split(line))
    assert result.code == 0, result.err
    shown = result.text.split("\n", 1)[-1].strip("\n")
    assert shown in PAGE.read_text(encoding="utf-8")


def test_docs_picture_is_what_its_command_makes(run: Run, tmp_path: Path) -> None:
    folder = PAGE.parent / "pictures"
    assert run("draw", folder / "example.conllu", "-o", tmp_path / "example.svg").code == 0
    assert run(
        "draw", folder / "predicted.conllu", "--against", folder / "example.conllu", "-o", tmp_path / "errors.svg"
    ).code == 0  # fmt: skip
    for name in ("example.svg", "errors.svg"):
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()
