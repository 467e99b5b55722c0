"""The reference: pages that are made from the code are as it is, and what is public is listed and described."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest

from tests.places import ROOT

pytest.importorskip("griffe")
sys.path.insert(0, str(ROOT / "docs" / "make"))
from make_all import PAGES
from make_api import PACKAGES


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_api_reference_is_as_the_code_says(page: Path) -> None:
    assert page.read_text(encoding="utf-8") == PAGES[page](), "run `make docs`"


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
