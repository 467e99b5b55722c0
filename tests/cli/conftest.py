"""What the tests of `arctag parse` share."""

from __future__ import annotations

import pytest

from tests.networks import Models


@pytest.fixture
def model(models: Models) -> tuple[str, ...]:
    """The options that choose a small model."""
    return ("-m", str(models("verified")), "--device", "cpu")


def forms(conllu: str) -> list[str]:
    """The words of a file."""
    return [line.split("\t")[1] for line in conllu.splitlines() if line[:1].isdigit()]
