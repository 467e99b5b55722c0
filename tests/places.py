"""Where the tests find their files."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("ARCTAG_SHARED") or ROOT.parent / "shared").resolve()
SAMPLES = ROOT / "src" / "arctag" / "data"


def treebanks(*suffixes: str, only: Callable[[str], bool] = bool) -> list[str]:
    """The treebank files of the shared data, relative to its folder.

    Where the folder is absent there is one name still, so that the test is run, and skipped with its reason.
    """
    data = SHARED / "data"
    names = (str(path.relative_to(data)) for suffix in suffixes for path in data.rglob(f"*{suffix}"))
    return sorted(filter(only, names)) or ["none"]
