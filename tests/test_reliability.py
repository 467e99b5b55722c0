"""docs/reliability.md names tests that exist."""

from __future__ import annotations

import ast
import re

import pytest

from tests.places import ROOT

PAGE = (ROOT / "docs" / "reliability.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", PAGE)))


@pytest.mark.parametrize(("file", "function"), NAMED)
def test_reliability_names_tests_that_exist(file: str, function: str) -> None:
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    tests = {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}
    assert not function or function in tests
    assert tests


def test_reliability_every_promise_has_a_test() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith("| promise")]
    assert len(rows) > 30
    assert [row for row in rows if "`tests/" not in row] == []
