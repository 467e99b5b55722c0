"""The site, `build/site`: the pages in `docs/`, and README, changelog and tutorial beside them, built by Sphinx.

The pages are written for code hosts, too: their links lead to files of the project. They are copied to `build/docs`
with links as the site has them, and built from there. A link that leads nowhere is an error.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path, PurePosixPath

from make_tutorial import tutorial_page

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
ADOPTED = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "docs/tutorial.ipynb": "tutorial.md",
    "docs/search.md": "searching.md",  # search.html is where the site is searched
}
"""Files of the project that are pages of the site under another name."""
CONTENTS = {
    "Start": ("tutorial",),
    "Guides": (
        "parsing", "searching", "pictures", "page", "python", "training", "scores", "formats", "arrow", "scale",
        "serve", "spacy", "extend",
    ),
    "Explanation": ("encodings", "architecture", "reliability"),
    "Results": (
        "benchmarks", "experiments", "experiments/accuracy", "experiments/cost", "experiments/scores",
        "experiments/speed", "experiments/trees", "experiments/calibration", "experiments/variants",
    ),
    "Reference": ("commands", "api", "rest", "glossary", "changelog", "contributing"),
}  # fmt: skip
"""The pages in the order of the site."""
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|!?\[[^\]]*\](?:\([^)]*\))?)*)\]\((?![a-z]+:|#)([^)#\s]+)(#[^)\s]*)?\)")


def stage(target: Path, run: bool = True) -> None:
    """Put together what Sphinx reads; the tutorial is run, so that it shows something."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(HERE / "site", target)
    shutil.copytree(
        ROOT / "docs", target, dirs_exist_ok=True, ignore=shutil.ignore_patterns("make", "*.md", ".ipynb_checkpoints")
    )
    for page in (ROOT / "docs").rglob("*.md"):
        name = page.relative_to(ROOT).as_posix()
        _write(target / str(_page(name)), moved(page.read_text(encoding="utf-8"), name))
    for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md"):
        _write(target / ADOPTED[name], moved((ROOT / name).read_text(encoding="utf-8"), name))
    tutorial = tutorial_page(ROOT / "docs" / "tutorial.ipynb", run)
    _write(target / "tutorial.md", moved(tutorial, "docs/tutorial.md"))
    with open(target / "index.md", "a", encoding="utf-8") as file:
        file.writelines(_contents(title, pages) for title, pages in CONTENTS.items())


def build(source: Path, target: Path) -> int:
    """Build the site; the exit code of Sphinx, not 0 if it has a warning."""
    shutil.rmtree(target, ignore_errors=True)
    options = ["-b", "html", "-W", "--keep-going", "-n", "-q", "-E", "-d", f"{source}-cache"]
    return subprocess.run([sys.executable, "-m", "sphinx", *options, source, target], check=False).returncode


def moved(text: str, name: str) -> str:
    """The text of a file of the project with links as the site has them: those to other files become plain text."""
    folder = PurePosixPath(name).parent
    home = PurePosixPath(_page(name) or name).parent

    def replaced(match: re.Match[str]) -> str:
        mark, words, target, anchor = match[1], moved(match[2], name), match[3], match[4] or ""
        page = _page(os.path.normpath(folder / target))
        return words if page is None else f"{mark}[{words}]({os.path.relpath(page, home)}{anchor})"

    return _LINK.sub(replaced, text)


def _page(name: str) -> str | None:
    """The place of a file on the site, if it is there."""
    if name in ADOPTED:
        return ADOPTED[name]
    return name.removeprefix("docs/") if name.startswith("docs/") else None


def _contents(title: str, pages: tuple[str, ...]) -> str:
    return "\n".join(["", "```{toctree}", ":hidden:", f":caption: {title}", "", *pages, "```", ""])


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--quick", action="store_true", help="do not run the tutorial: its page shows code alone")
    given = arguments.parse_args()
    stage(ROOT / "build" / "docs", run=not given.quick)
    sys.exit(build(ROOT / "build" / "docs", ROOT / "build" / "site"))
