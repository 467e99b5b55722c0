"""`docs/rest.md`: the reference of the HTTP API, from `/openapi.json`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from arctag.serve.app import openapi
from arctag.serve.routes.described import HERE, Field, Thing, calls, objects, statuses

_HEADER = f"""# HTTP reference

The calls of `arctag serve`, made by `make docs` from the service's own description (`/openapi.json`). A running
service shows the same at `/docs`. The examples use a service at `{HERE}`; [serve.md](serve.md) says how to start one.
"""


def reference() -> str:
    """The whole page."""
    described = openapi()
    every, kinds = calls(described), objects(described)
    contents = "\n".join(f"- [{call.title}](#{_anchor(call.title)})" for call in every)
    codes = "\n".join(f"| {code} | {about} |" for code, about in statuses(described).items())
    names = {kind.id: _anchor(kind.title) for kind in kinds}
    inner = (_section(kind, 3) for kind in kinds)
    last = f"## Status codes\n\n| | |\n|---|---|\n{codes}"
    page = "\n".join([_HEADER, contents, "", *map(_section, every), "## Objects\n", *inner, last])
    return re.sub(r"\]\(#(\w+)\)", lambda match: f"](#{names.get(match[1], match[1])})", page) + "\n"


def _section(thing: Thing, level: int = 2) -> str:
    parts = [
        f"{'#' * level} {thing.title}",
        thing.about,
        _table("field", "default", thing.fields),
        f"```text\n{thing.example}\n```" if thing.example else "",
        _table("answer", "always", thing.answer),
        f"Status: {', '.join(thing.statuses)}" if thing.statuses else "",
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def _table(title: str, default: str, fields: Sequence[Field]) -> str:
    rows = [f"| `{one.name}` | {_cell(one.type)} | {_cell(one.default)} | {_cell(one.about)} |" for one in fields]
    return "\n".join([f"| {title} | type | {default} | meaning |", "|---|---|---|---|", *rows]) if rows else ""


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _anchor(title: str) -> str:
    """The anchor of a heading, as code hosts and the site make it."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
