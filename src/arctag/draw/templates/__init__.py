"""The style sheets, script and skeletons that the renderers fill in."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def template(name: str) -> str:
    """The text of a template file."""
    return files(__name__).joinpath(name).read_text(encoding="utf-8")
