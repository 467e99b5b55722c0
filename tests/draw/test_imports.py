from __future__ import annotations

import subprocess
import sys

import arctag.draw


def test_draw_exports_what_it_says() -> None:
    assert set(arctag.draw.__all__) == {"Picture", "html", "html_parts", "picture", "svg", "text"}
    assert all(callable(getattr(arctag.draw, name)) for name in arctag.draw.__all__)


def test_draw_imports_neither_torch_nor_rich() -> None:
    check = "import sys, arctag.draw; print({'torch', 'rich'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
