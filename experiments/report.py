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
    for old in pictures.glob("*.svg"):  # of results that are gone
        old.unlink()
    context = Context(read_grid(options.grid), read_results(Path(options.results)), options.samples, pictures)
    write_text(out, main_page(context, Path(options.findings).read_text(encoding="utf-8")))
    write_text(pictures / "appendix.md", appendix(context, out.name))
    print(f"{out}: {len(context.results)} results")
    return 0


if __name__ == "__main__":
    script(main)
