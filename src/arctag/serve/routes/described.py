"""What `/openapi.json` says, call by call, as text in Markdown: for the page `/docs` and for the documents."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

Schema = Mapping[str, Any]
HERE = "localhost:8000"


@dataclass(frozen=True)
class Field:
    """A key of a request or of an answer."""

    name: str
    type: str
    default: str
    """Its default or `required`; in an answer, whether it is always there."""
    about: str


@dataclass(frozen=True)
class Thing:
    """A call of the API, or a kind of object that calls take or give."""

    id: str
    title: str
    about: str
    fields: list[Field]
    example: str = ""
    """A command that can be copied."""
    answer: tuple[Field, ...] = ()
    statuses: tuple[str, ...] = ()


def calls(openapi: Schema) -> list[Thing]:
    """The calls, in the order of the description."""
    return [
        _call(openapi, path, method, call)
        for path, methods in openapi["paths"].items()
        for method, call in methods.items()
    ]


def objects(openapi: Schema) -> list[Thing]:
    """The objects inside requests and answers."""
    every = [call for methods in openapi["paths"].values() for call in methods.values()]
    whole = {_name(schema) for call in every if "$ref" in (schema := _success(call))}
    return [
        Thing(name, _short(name), schema["description"], list(_fields(schema, answered=name.endswith("Answer"))))
        for name, schema in openapi["components"]["schemas"].items()
        if name.endswith(("Object", "Answer")) and name not in whole
    ]


def statuses(openapi: Schema) -> dict[str, str]:
    """What the status codes mean."""
    every = [call for methods in openapi["paths"].values() for call in methods.values()]
    meanings = {code: about["description"] for call in every for code, about in call["responses"].items()}
    return dict(sorted(meanings.items()))


def _call(openapi: Schema, path: str, method: str, call: Schema) -> Thing:
    """One call: what it does, its fields, an example, its status codes."""
    kind, schema = _body(openapi, call)
    success = _success(call)
    answer = _fields(openapi["components"]["schemas"][_name(success)], answered=True) if "$ref" in success else ()
    return Thing(
        call["operationId"],
        f"`{method.upper()} {path}`",
        call["description"],
        [*_parameters(call), *_fields(schema)],
        _curl(path, method, call, kind, schema),
        tuple(answer),
        tuple(call["responses"]),
    )


def _success(call: Schema) -> Schema:
    """The schema of the answer, if it is JSON."""
    content = call["responses"]["200"].get("content", {})
    schema: Schema = content.get("application/json", {}).get("schema", {})
    return schema


def _body(openapi: Schema, call: Schema) -> tuple[str, Schema]:
    """The content type of a body, the last one if there are several, and what it holds."""
    if "requestBody" not in call:
        return "", {}
    kind, content = list(call["requestBody"]["content"].items())[-1]
    schema: Schema = content["schema"]
    if "$ref" in schema:
        schema = openapi["components"]["schemas"][_name(schema)]
    return kind, schema


def _parameters(call: Schema) -> Iterator[Field]:
    for one in call.get("parameters", ()):
        yield _field(one["name"], one["schema"], one["required"], one.get("description", ""))


def _fields(schema: Schema, answered: bool = False) -> Iterator[Field]:
    """The keys of an object; those of an answer are always there, or only sometimes."""
    for name, about in schema.get("properties", {}).items():
        yield _field(name, about, name in schema.get("required", ()), about.get("description", ""), answered)


def _field(name: str, schema: Schema, required: bool, about: str, answered: bool = False) -> Field:
    if answered:
        default = "yes" if required else ""
    elif required:
        default = "required"
    else:
        default = f"`{json.dumps(schema['default'])}`" if "default" in schema else ""
    return Field(name, _type(schema), default, about)


def _type(schema: Schema, s: str = "") -> str:
    """A type in words, with an `s` for several; null is left out, since it means the same as a missing key."""
    if "$ref" in schema:
        return f"[{_short(_name(schema))}{s}](#{_name(schema)})"
    if "anyOf" in schema:
        return " or ".join(_type(one, s) for one in schema["anyOf"] if one.get("type") != "null")
    if "enum" in schema:
        return " or ".join(f"`{value}`" for value in schema["enum"])
    if "prefixItems" in schema:
        return f"list{s} of {len(schema['prefixItems'])}"
    if schema.get("type") == "array":
        return f"list{s} of {_type(schema['items'], 's')}"
    if isinstance(schema.get("additionalProperties"), dict):
        return f"object{s} of {_type(schema['additionalProperties'], 's')}"
    return f"{schema.get('type', 'value')}{s}"


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
    url = HERE + re.sub(r"\{\w+\}", "1", path) + (f"?{urlencode(query)}" if query else "")
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
