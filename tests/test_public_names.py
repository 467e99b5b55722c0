"""What is public is listed in the `__all__` of its package."""

from __future__ import annotations

from importlib import import_module

import pytest

PACKAGES = (
    "arctag",
    "arctag.draw",
    "arctag.search",
    "arctag.encodings",
    "arctag.metrics",
    "arctag.testing",
    "arctag.trace",
    "arctag.transforms",
)


@pytest.mark.parametrize("package", PACKAGES)
def test_public_names_exist_and_are_documented(package: str) -> None:
    module = import_module(package)
    assert len(set(module.__all__)) == len(module.__all__)
    for name in module.__all__:
        value = getattr(module, name)
        if getattr(value, "__module__", "").startswith("arctag"):
            assert value.__doc__, name
