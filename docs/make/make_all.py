"""Write the pages in `docs/` that are made from the code: `make docs`."""

from __future__ import annotations

import make_api
import make_commands
import make_glossary
import make_rest

from arctag.formats.files import open_output

PAGES = {
    make_api.ROOT / "docs" / name: module.reference
    for name, module in (
        ("api.md", make_api), ("commands.md", make_commands), ("glossary.md", make_glossary), ("rest.md", make_rest)
    )
}  # fmt: skip
"""Each page, and what makes it."""

if __name__ == "__main__":
    for path, reference in PAGES.items():
        with open_output(path) as file:
            file.write(reference())
