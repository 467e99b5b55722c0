"""Turn the results into pages: tables, plots, significance.

    python experiments/report.py

writes docs/experiments.md, docs/experiments/appendix.md and the pictures beside it. What was not run stands as a dash.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from harness.appendix import appendix
from harness.context import Context
from harness.grid import read_grid
from harness.launch import HERE, script
from harness.main_page import main_page
from harness.store import read_results, write_text

from arctag.errors import InputError


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--grid", default=str(HERE / "grid.toml"))
    parser.add_argument("--results", default=str(HERE / "results"))
    parser.add_argument("--findings", default=str(HERE / "findings.md"), help="what the report begins with")
    parser.add_argument("--out", default=str(HERE.parent / "docs" / "experiments.md"))
    parser.add_argument("--samples", type=int, default=2_000, metavar="N", help="bootstrap samples (default: 2000)")
    options = parser.parse_args()
    out = Path(options.out)
    pictures = out.parent / out.stem
    grid, results, findings = read_grid(options.grid), read_results(Path(options.results)), _findings(options.findings)
    if not results:
        raise InputError(f"there are no results in {options.results}; python experiments/run.py makes some")
    context = Context(grid, results, options.samples, pictures)
    page, more = main_page(context, findings), appendix(context, out.name)
    write_text(out, page)
    write_text(pictures / "appendix.md", more)
    for old in pictures.glob("*.svg"):
        if f"({pictures.name}/{old.name})" not in page:  # of results that are gone
            old.unlink()
    print(f"{out}: {len(results)} results")
    return 0


def _findings(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"--findings {path} cannot be read ({error})") from error


if __name__ == "__main__":
    script(main)
