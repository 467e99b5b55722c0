"""`docs/api.md`: the reference of the Python API, from the docstrings.

What is listed is what the `__all__` of each public package names; nothing is imported.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import griffe

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = (
    "arctag", "arctag.errors", "arctag.arrow", "arctag.ray", "arctag.tables", "arctag.formats", "arctag.blocks",
    "arctag.transforms", "arctag.encodings", "arctag.metrics", "arctag.draw", "arctag.search", "arctag.glossary",
    "arctag.trace", "arctag.training", "arctag.backends", "arctag.modelfile.networks", "arctag.backends.torch.encoders",
    "arctag.backends.torch.encoders.base", "arctag.backends.torch.heads", "arctag.backends.torch.heads.relations",
    "arctag.spacy", "arctag.testing",
)  # fmt: skip
"""What is public, in the order of the reference."""
_HEADER = """# Python reference

Made from the docstrings by `make docs`. What is listed here is public; everything else may change without notice
([stability](python.md#stability)). Guides: [Python](python.md), [parsing](parsing.md), [training](training.md),
[encodings](encodings.md), [formats](formats.md), [tables](arrow.md), [engines](scale.md), [scores](scores.md),
[search](search.md), [pictures](pictures.md), [spaCy](spacy.md), [extending](extend.md).
"""


def reference() -> str:
    """The whole page."""
    package = griffe.load("arctag", search_paths=[ROOT / "src"], resolve_aliases=True)
    sections = [_section(package if name == "arctag" else package[name.removeprefix("arctag.")]) for name in PACKAGES]
    contents = "\n".join(f"- [`{name}`](#{name.replace('.', '')})" for name in PACKAGES)
    return "\n".join([_HEADER, contents, "", *sections]).rstrip() + "\n"


def _section(module: griffe.Object | griffe.Alias) -> str:
    names = sorted((str(name) for name in module.exports or () if name != "__version__"), key=_sorting)
    entries = [_entry(name, module[name]) for name in names]
    return "\n".join([f"## {module.path}", "", _text(module), "", *entries])


def _sorting(name: str) -> tuple[bool, str]:
    """Functions and classes in the order of the alphabet, tables (in capitals) behind them."""
    return name.isupper(), name.lower()


def _entry(name: str, found: griffe.Object | griffe.Alias) -> str:
    lines = [f"### `{_signature(name, found)}`", "", _text(found), ""]
    if found.is_class:
        rows = [f"- `{_signature(key, member)}`{_in_line(member)}" for key, member in _members(found)]
        lines += [*rows, ""] if rows else []
    return "\n".join(lines)


def _members(found: griffe.Object | griffe.Alias) -> Iterator[tuple[str, griffe.Object | griffe.Alias]]:
    """What a class has of its own that is public: fields, and what is described."""
    for key, member in found.members.items():
        if not key.startswith("_") and (member.is_attribute or member.has_docstring):
            yield key, member


def _signature(name: str, found: griffe.Object | griffe.Alias) -> str:
    target = found.final_target if isinstance(found, griffe.Alias) else found
    if isinstance(target, griffe.Function):
        return f"{name}({_parameters(target)})" + (f" → {target.returns}" if target.returns else "")
    if isinstance(target, griffe.Class) and _parameters(target) and not _is_error(target):
        return f"{name}({_parameters(target)})"
    if isinstance(target, griffe.Attribute) and target.annotation is not None:
        return f"{name}: {target.annotation}"
    return name


def _parameters(found: griffe.Function | griffe.Class) -> str:
    return ", ".join(_parameter(p) for p in found.parameters if p.name not in ("self", "cls"))


def _is_error(found: griffe.Class) -> bool:
    """Errors are caught, not made."""
    return any(str(base).endswith(("Error", "Exception")) for base in found.bases)


def _parameter(parameter: griffe.Parameter) -> str:
    stars: dict[griffe.ParameterKind | None, str] = {
        griffe.ParameterKind.var_positional: "*",
        griffe.ParameterKind.var_keyword: "**",
    }
    text = stars.get(parameter.kind, "") + parameter.name
    if parameter.default is None or parameter.kind in stars:
        return text
    return f"{text}={parameter.default}"


def _text(found: griffe.Object | griffe.Alias) -> str:
    return found.docstring.value.strip() if found.docstring else ""


def _in_line(found: griffe.Object | griffe.Alias) -> str:
    """A docstring as the end of a line in a list."""
    text = " ".join(_text(found).split())
    return f": {text}" if text else ""
