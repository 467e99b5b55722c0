"""The API reference: what is public is listed, described, and in `docs/api.md` as the docstrings have it."""

from __future__ import annotations

import sys
from importlib import import_module

import pytest

from tests.places import ROOT

pytest.importorskip("griffe")
sys.path.insert(0, str(ROOT / "docs"))
from make_api import PACKAGES, TARGET, reference


def test_api_reference_is_what_the_docstrings_say() -> None:
    assert TARGET.read_text(encoding="utf-8") == reference(), "run `make docs`"


@pytest.mark.parametrize("name", PACKAGES)
def test_api_public_names_are_there(name: str) -> None:
    for prefix, needed in (
        ("arctag.spacy", "spacy"),
        ("arctag.backends.torch", "torch"),
        ("arctag.arrow", "pyarrow"),
        ("arctag.ray", "ray"),
    ):
        if name.startswith(prefix):
            pytest.importorskip(needed)
    package = import_module(name)
    assert package.__doc__
    assert len(package.__all__) == len(set(package.__all__)) > 0
    for public in package.__all__:
        assert getattr(package, public) is not None
        assert not public.startswith("_") or public == "__version__"
