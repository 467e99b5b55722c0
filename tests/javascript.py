"""Modules of the page, run by QuickJS inside the test process: no browser is needed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import arctag

MODULES = Path(arctag.__file__).parent / "serve" / "page" / "js"
_IMPORT = re.compile(r"^import \{[^}]*\} from .*;$", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=const|function)", re.MULTILINE)


def load(*modules: str, before: str = "") -> Callable[..., Any]:
    """Load modules, each after those that it imports, and give a function that calls theirs with plain values.

    `before` is source that stands in for imports which need a browser. A name without values that is no function
    gives the constant of that name.
    """
    quickjs = pytest.importorskip("quickjs", reason="running the page's modules needs quickjs-ng")
    context = quickjs.Context()
    context.eval(before)
    for module in modules:
        source = (MODULES / f"{module}.js").read_text(encoding="utf-8")
        context.eval(_EXPORT.sub("", _IMPORT.sub("", source)))

    def call(name: str, *values: Any) -> Any:
        arguments = json.dumps(values)
        return json.loads(context.eval(f"JSON.stringify({name} instanceof Function ? {name}(...{arguments}) : {name})"))

    return call
