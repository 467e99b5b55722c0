"""`/docs`: the description of the API as a page for people, without anything from another host."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any
from urllib.parse import urlencode

Schema = Mapping[str, Any]
_HERE = "localhost:8000"
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
    calls = [(path, method, call) for path, methods in openapi["paths"].items() for method, call in methods.items()]
    whole = {_name(schema) for *_, call in calls if "$ref" in (schema := _success(call))}
    objects = {
        name: schema
        for name, schema in openapi["components"]["schemas"].items()
        if name.endswith(("Object", "Answer")) and name not in whole
    }
    parts = [
        f"<h1>Arctag {escape(openapi['info']['version'])}: the API</h1>",
        f"<p>The examples use a service at <code>{_HERE}</code>: replace that by the address of yours. "
        'For programs: <a href="openapi.json">openapi.json</a>.</p>',
        "<ul>" + "".join(f'<li><a href="#{call["operationId"]}">{_title(*_)}</a></li>' for *_, call in calls) + "</ul>",
        *(_section(openapi, path, method, call) for path, method, call in calls),
        *(_object(name, schema) for name, schema in objects.items()),
        _statuses([call for *_, call in calls]),
    ]
    return _PAGE.format("\n".join(parts))


def _title(path: str, method: str) -> str:
    return f"<code>{escape(method.upper())} {escape(path)}</code>"


def _section(openapi: Schema, path: str, method: str, call: Schema) -> str:
    """One call: what it does, its fields, an example, its status codes."""
    kind, schema = _body(openapi, call)
    fields = [*_parameter_rows(call), *_rows(schema)]
    codes = ", ".join(f'<a href="#statuses">{code}</a>' for code in call["responses"])
    return (
        f'<section class="card" id="{call["operationId"]}">\n<h2>{_title(path, method)}</h2>\n'
        f"{_prose(call['description'])}\n{_table('field', fields)}"
        f"<pre>{escape(_curl(path, method, call, kind, schema))}</pre>\n{_table('answer', _answer_rows(openapi, call))}"
        f"<p>Status: {codes}</p>\n</section>"
    )


def _success(call: Schema) -> Schema:
    """The schema of the answer, if it is JSON."""
    content = call["responses"]["200"].get("content", {})
    schema: Schema = content.get("application/json", {}).get("schema", {})
    return schema


def _answer_rows(openapi: Schema, call: Schema) -> list[str]:
    """What the answer holds."""
    schema = _success(call)
    return list(_rows(openapi["components"]["schemas"][_name(schema)], answered=True)) if "$ref" in schema else []


def _body(openapi: Schema, call: Schema) -> tuple[str, Schema]:
    """The content type of a body, the last one if there are several, and what it holds."""
    if "requestBody" not in call:
        return "", {}
    kind, content = list(call["requestBody"]["content"].items())[-1]
    schema: Schema = content["schema"]
    if "$ref" in schema:
        schema = openapi["components"]["schemas"][_name(schema)]
    return kind, schema


def _object(name: str, schema: Schema) -> str:
    return (
        f'<section class="card" id="{name}">\n<h2>{_short(name)}</h2>\n{_prose(schema["description"])}\n'
        f"{_table('field', list(_rows(schema, answered=name.endswith('Answer'))))}</section>"
    )


def _statuses(calls: list[Schema]) -> str:
    """What the status codes mean."""
    codes = {code: about["description"] for call in calls for code, about in call["responses"].items()}
    rows = "".join(f"<tr><th>{code}</th><td>{_marked(about)}</td></tr>\n" for code, about in sorted(codes.items()))
    return f'<section class="card" id="statuses">\n<h2>Status</h2>\n<table>\n{rows}</table>\n</section>'


def _parameter_rows(call: Schema) -> Iterator[str]:
    for one in call.get("parameters", ()):
        yield _row(one["name"], one["schema"], one["required"], one.get("description", ""))


def _rows(schema: Schema, answered: bool = False) -> Iterator[str]:
    """The keys of an object; those of an answer are always there, or only sometimes."""
    for name, about in schema.get("properties", {}).items():
        yield _row(name, about, name in schema.get("required", ()), about.get("description", ""), answered)


def _row(name: str, schema: Schema, required: bool, about: str, answered: bool = False) -> str:
    if answered:
        default = "yes" if required else ""
    elif required:
        default = "required"
    else:
        default = _marked(f"`{json.dumps(schema['default'])}`") if "default" in schema else ""
    cells = (_type(schema), default, _marked(about))
    return f"<tr><th><code>{escape(name)}</code></th>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>\n"


def _table(title: str, rows: list[str]) -> str:
    names = [title, "type", "always" if title == "answer" else "default", "meaning"]
    head = "<tr>" + "".join(f"<th>{name}</th>" for name in names) + "</tr>\n"
    return f'<div class="table-box"><table>\n{head}{"".join(rows)}</table></div>\n' if rows else ""


def _type(schema: Schema, s: str = "") -> str:
    """A type in words, with an `s` for several; null is left out, since it means the same as a missing key."""
    if "$ref" in schema:
        return f'<a href="#{_name(schema)}">{_short(_name(schema))}{s}</a>'
    if "anyOf" in schema:
        return " or ".join(_type(one, s) for one in schema["anyOf"] if one.get("type") != "null")
    if "enum" in schema:
        return " or ".join(f"<code>{escape(str(value))}</code>" for value in schema["enum"])
    if "prefixItems" in schema:
        return f"list{s} of {len(schema['prefixItems'])}"
    if schema.get("type") == "array":
        return f"list{s} of {_type(schema['items'], 's')}"
    if isinstance(schema.get("additionalProperties"), dict):
        return f"object{s} of {_type(schema['additionalProperties'], 's')}"
    return escape(f"{schema.get('type', 'value')}{s}")


def _name(reference: Schema) -> str:
    name: str = reference["$ref"].rpartition("/")[2]
    return name


def _short(name: str) -> str:
    """The name of an object in words: `read sentence`."""
    words: list[str] = re.findall("[A-Z][a-z]*", name.removesuffix("Object").removesuffix("Answer"))
    return " ".join(words).lower()


def _curl(path: str, method: str, call: Schema, kind: str, schema: Schema) -> str:
    """A command that can be copied."""
    query = {one["name"]: one["example"] for one in call.get("parameters", ()) if "example" in one}
    url = _HERE + re.sub(r"\{\w+\}", "1", path) + (f"?{urlencode(query)}" if query else "")
    words = ["curl"]
    if schema:
        (example, *_) = schema["examples"]
        if kind == "application/json":
            words += ["-H", f"Content-Type: {kind}", "-d", json.dumps(example, ensure_ascii=False)]
        else:
            words += [word for name, value in example.items() for word in ("-F", f"{name}={value}")]
    elif method == "post":
        words += ["-X", "POST"]
    return shlex.join([*words, url])


def _prose(text: str) -> str:
    return "".join(f"<p>{_marked(part)}</p>" for part in text.split("\n\n"))


def _marked(text: str) -> str:
    """Text with what stands between backticks as code."""
    return re.sub("`(.+?)`", r"<code>\1</code>", escape(text, quote=False))
