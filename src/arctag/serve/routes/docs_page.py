"""`/docs`: the description of the API as a page for people, without anything from another host."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from arctag.serve.routes.described import HERE, Field, Schema, Thing, calls, objects, statuses

_PAGE = """<!doctype html>
<html lang="en" data-theme="light">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Arctag: the API</title>
  <link rel="icon" href="static/icon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="static/css/theme.css">
  <link rel="stylesheet" href="static/css/base.css">
  <link rel="stylesheet" href="static/css/docs.css">
  <script src="static/js/theme_first.js"></script>
</head>
<body>
<header class="masthead"><a class="brand" href="./">Arctag</a><a href="./">Back to the page</a></header>
<main class="docs">
{}
</main>
</body>
</html>
"""


def docs_page(openapi: Schema) -> str:
    """The page, made from `/openapi.json`."""
    every = calls(openapi)
    parts = [
        f"<h1>Arctag {escape(openapi['info']['version'])}: the API</h1>",
        f"<p>The examples use a service at <code>{HERE}</code>: replace that by the address of yours. "
        'For programs: <a href="openapi.json">openapi.json</a>.</p>',
        "<ul>" + "".join(f'<li><a href="#{call.id}">{_marked(call.title)}</a></li>' for call in every) + "</ul>",
        *map(_section, every),
        *map(_section, objects(openapi)),
        _statuses(statuses(openapi)),
    ]
    return _PAGE.format("\n".join(parts))


def _section(thing: Thing) -> str:
    codes = ", ".join(f'<a href="#statuses">{code}</a>' for code in thing.statuses)
    return (
        f'<section class="card" id="{thing.id}">\n<h2>{_marked(thing.title)}</h2>\n'
        f"{_prose(thing.about)}\n{_table('field', thing.fields)}"
        + (f"<pre>{escape(thing.example)}</pre>\n" if thing.example else "")
        + _table("answer", thing.answer)
        + (f"<p>Status: {codes}</p>\n" if codes else "")
        + "</section>"
    )


def _statuses(meanings: dict[str, str]) -> str:
    rows = "".join(f"<tr><th>{code}</th><td>{_marked(about)}</td></tr>\n" for code, about in meanings.items())
    return f'<section class="card" id="statuses">\n<h2>Status</h2>\n<table>\n{rows}</table>\n</section>'


def _table(title: str, fields: Sequence[Field]) -> str:
    names = [title, "type", "always" if title == "answer" else "default", "meaning"]
    head = "<tr>" + "".join(f"<th>{name}</th>" for name in names) + "</tr>\n"
    rows = "".join(map(_row, fields))
    return f'<div class="table-box"><table>\n{head}{rows}</table></div>\n' if rows else ""


def _row(field: Field) -> str:
    cells = "".join(f"<td>{_marked(cell)}</td>" for cell in (field.type, field.default, field.about))
    return f"<tr><th><code>{escape(field.name)}</code></th>{cells}</tr>\n"


def _prose(text: str) -> str:
    return "".join(f"<p>{_marked(part)}</p>" for part in text.split("\n\n"))


def _marked(text: str) -> str:
    """Text with code between backticks, and links."""
    text = re.sub("`(.+?)`", r"<code>\1</code>", escape(text, quote=False))
    return re.sub(r"\[([^\]]+)\]\((#\w+)\)", r'<a href="\2">\1</a>', text)
