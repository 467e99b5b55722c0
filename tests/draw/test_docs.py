"""The page about pictures shows what the commands on it give."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.places import ROOT

FOLDER = ROOT / "docs" / "pictures"
COMMANDS = re.findall(
    r"^\$ arctag (draw .* -o (\w+\.svg))$", (FOLDER.parent / "pictures.md").read_text("utf-8"), re.MULTILINE
)
SHOWN = {name: shlex.split(command) for command, name in COMMANDS if (FOLDER / name).is_file()}


def test_docs_have_a_command_for_each_picture() -> None:
    assert sorted(SHOWN) == sorted(path.name for path in FOLDER.glob("*.svg"))


@pytest.mark.parametrize("name", SHOWN)
def test_docs_picture_is_what_its_command_makes(
    name: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in FOLDER.glob("*.conllu*"):
        shutil.copy(path, tmp_path)
    monkeypatch.chdir(tmp_path)
    assert run(*SHOWN[name]).code == 0
    assert (tmp_path / name).read_bytes() == (FOLDER / name).read_bytes()
