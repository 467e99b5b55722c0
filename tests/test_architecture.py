"""`docs/architecture.md` names files that are there, and every package."""

from __future__ import annotations

import re

import pytest

from tests.places import ROOT

PACKAGE = ROOT / "src" / "arctag"
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`((?:\w+/)*\w+\.py)`", PAGE))))
def test_architecture_files_are_there(name: str) -> None:
    places = (PACKAGE, ROOT, *PACKAGE.glob("*/"))
    assert any((place / name).exists() for place in places), f"{name} is not in the project"


def test_architecture_names_every_package_and_module_at_the_top() -> None:
    here = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file()}
    assert here - {"__init__", "__main__"} <= set(re.findall(r"`(\w+)/?`", PAGE))


def test_architecture_few_modules_stand_at_the_top() -> None:
    assert len(list(PACKAGE.glob("*.py"))) <= 10
