"""Write the report: tables, plots and p values from the results, inserted into the pages of experiments/pages.

    python experiments/report.py

writes docs/experiments.md (from pages/findings.md), the appendix docs/experiments/*.md (from the other pages) and its
pictures. A dash is a figure without a result.
"""

from __future__ import annotations

from pathlib import Path

from harness.grid import read_grid
from harness.options import HERE, add_grid, add_samples, command_line, run_script
from harness.pages.context import Context
from harness.pages.template import fill
from harness.store import read_results, write_text

from arctag.errors import InputError

FINDINGS = "findings"
"""The page that is written to --out; the others are its appendix."""


def main() -> int:
    """The command line."""
    parser = command_line(__doc__)
    add_grid(parser)
    add_samples(parser)
    parser.add_argument("--pages", default=str(HERE / "pages"), help="folder of the text (default: %(default)s)")
    parser.add_argument("--out", default=str(HERE.parent / "docs" / "experiments.md"))
    options = parser.parse_args()
    out = Path(options.out)
    appendix = out.with_suffix("")
    grid, results, texts = read_grid(options.grid), read_results(Path(options.results)), _texts(Path(options.pages))
    if not results:
        raise InputError(f"there are no results in {options.results}; python experiments/run.py adds some")
    context = Context(grid, results, options.samples, appendix)
    pages = {name: fill(text, context, f"{name}.md") for name, text in texts.items()}
    for name, page in pages.items():
        write_text(out if name == FINDINGS else appendix / f"{name}.md", page)
    for old in appendix.glob("*.svg"):
        if not any(f"({old.name})" in page for page in pages.values()):
            old.unlink()  # a picture of results that are gone
    print(f"{out}: {len(results)} results")
    return 0


def _texts(folder: Path) -> dict[str, str]:
    """The text of each page, by name."""
    try:
        texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.md"))}
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"--pages {folder} cannot be read ({error})") from error
    if FINDINGS not in texts:
        raise InputError(f"--pages {folder} cannot be read: there is no {FINDINGS}.md")
    return texts


if __name__ == "__main__":
    run_script(main)
