"""The page about pictures shows what the commands on it give."""

from __future__ import annotations

from pathlib import Path

from tests.conftest import Run
from tests.places import ROOT

PAGE = ROOT / "docs" / "pictures.md"


def test_docs_picture_is_what_its_command_makes(run: Run, tmp_path: Path) -> None:
    folder = PAGE.parent / "pictures"
    assert run("draw", folder / "example.conllu", "-o", tmp_path / "example.svg").code == 0
    assert run(
        "draw", folder / "predicted.conllu", "--against", folder / "example.conllu", "-o", tmp_path / "errors.svg"
    ).code == 0  # fmt: skip
    for name in ("example.svg", "errors.svg"):
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()
