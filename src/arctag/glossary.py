"""The glossary of relations: what `nsubj:xsubj` means. It is in `data/relations.json`, which the page reads, too.

A scheme has relations with a name, and rules for those that are made of others (`obl:on`, `R-ARG1`): a regular
expression, and a text in which `{2}` is what its second group has found and `{=1}` the name of the relation that its
first group has found. The first rule that fits is used.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from arctag.errors import UnknownName

__all__ = ["SOURCE", "best_scheme", "explain", "glossary", "name_of"]

SOURCE = Path(__file__).parent / "data" / "relations.json"
"""The file that holds it."""
_BLANK = re.compile(r"\{(=?)(\d)\}")
_DEEPEST = 5  # relations inside relations


@lru_cache(maxsize=1)
def glossary() -> Mapping[str, Any]:
    """The whole glossary: `schemes`, each with `title`, `relations` and `rules`; and what each tag in `upos` means."""
    found: Mapping[str, Any] = json.loads(SOURCE.read_text(encoding="utf-8"))
    return found


@lru_cache(maxsize=10_000)
def explain(relation: str, scheme: str = "ud") -> str:
    """What a relation means: its name and, if there is more to say, what it is; empty if it is unknown."""
    entry = _scheme(scheme)["relations"].get(relation, {})
    name: str = name_of(relation, scheme)
    return f"{name}: {entry['about']}" if "about" in entry else name


@lru_cache(maxsize=10_000)
def name_of(relation: str, scheme: str = "ud") -> str:
    """The name of a relation in plain words; empty if it is unknown."""
    return _name(relation, _scheme(scheme), 0)


def best_scheme(relations: Iterable[str]) -> str:
    """The scheme that knows most of these relations; the first one where several do."""
    distinct = set(relations)
    schemes: Iterable[str] = glossary()["schemes"]
    known = {name: sum(bool(name_of(one, name)) for one in distinct) for name in schemes}
    return max(known, key=lambda name: known[name])


def _scheme(name: str) -> Mapping[str, Any]:
    schemes = glossary()["schemes"]
    if name not in schemes:
        raise UnknownName("scheme of relations", name, schemes)
    found: Mapping[str, Any] = schemes[name]
    return found


def _name(relation: str, scheme: Mapping[str, Any], depth: int) -> str:
    entry = scheme["relations"].get(relation)
    if entry is not None:
        return str(entry["name"])
    if depth == _DEEPEST:
        return ""
    for expression, text in scheme["rules"]:
        if (match := re.search(expression, relation)) and (name := _filled(text, match, scheme, depth)):
            return name
    return ""


def _filled(text: str, match: re.Match[str], scheme: Mapping[str, Any], depth: int) -> str:
    """The text of a rule with its blanks filled; empty if a relation in it is unknown."""
    blanks = {blank[0]: (blank[1], match[int(blank[2])]) for blank in _BLANK.finditer(text)}
    parts = {blank: _name(part, scheme, depth + 1) if mark else _plain(part) for blank, (mark, part) in blanks.items()}
    return _BLANK.sub(lambda blank: parts[blank[0]], text) if all(parts.values()) else ""


def _plain(text: str) -> str:
    """Words that are joined in a relation: `such_as`, `as+well+as`."""
    return re.sub("[_+]", " ", text)
