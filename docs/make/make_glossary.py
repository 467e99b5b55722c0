"""`docs/glossary.md`: what relations and tags mean, from `arctag.glossary`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arctag.glossary import glossary

_HEADER = """# Glossary

What relations and tags mean: the text of the tooltips on the page and in pictures. In Python it is
`arctag.glossary.explain("nsubj:xsubj")`, which also explains names that are made of others (`obl:on`, `R-ARG1`).
Made by `make docs`.
"""


def reference() -> str:
    """The whole page."""
    known = glossary()
    tags = "\n".join(f"| `{name}` | {about} |" for name, about in known["upos"].items())
    sections = [_scheme(scheme) for scheme in known["schemes"].values()]
    return "\n".join([_HEADER, *sections, f"## Universal tags\n\n| tag | meaning |\n|---|---|\n{tags}"]) + "\n"


def _scheme(scheme: Mapping[str, Any]) -> str:
    rows = [
        f"| `{_cell(name)}` | {_cell(entry['name'])} | {_cell(entry.get('about', ''))} |"
        for name, entry in scheme["relations"].items()
    ]
    return "\n".join([f"## {scheme['title']}", "", "| relation | name | |", "|---|---|---|", *rows, ""])


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
