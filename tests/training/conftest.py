from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="the network needs torch")


@pytest.fixture(autouse=True)
def quiet(one_thread: None) -> None:
    """Every test here runs on one thread."""
