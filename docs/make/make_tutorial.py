"""The tutorial notebook as a page of the site, with what its cells show."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def tutorial_page(notebook: Path, run: bool = True) -> str:
    """The page in Markdown; if the notebook is not run, without what its cells show."""
    import nbformat

    book: Any = nbformat.read(notebook, 4)
    if run:
        execute(book)
    return "\n".join(part for cell in book.cells for part in _cell(cell))


def execute(book: Any) -> None:
    """Run the cells in a kernel of this Python, as Jupyter would; the first error ends it. No port is opened for it."""
    from nbclient import NotebookClient
    from traitlets.config import Config

    with tempfile.TemporaryDirectory(prefix="arctag-") as folder:
        places = dict.fromkeys(("IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR"), folder)
        config = Config({"KernelManager": {"transport": "ipc"}})
        client = NotebookClient(book, timeout=None, kernel_name="python3", config=config)
        client.execute(env={**os.environ, **places})


def _cell(cell: Any) -> Iterator[str]:
    if cell.cell_type == "markdown":
        yield f"{cell.source}\n"
        return
    yield f"```python\n{cell.source}\n```\n"
    yield from map(_output, cell.outputs)


def _output(output: Any) -> str:
    """What a cell shows: a picture or a table as it is, anything else as text."""
    data = output.get("data", {})
    if "text/html" in data:
        html = re.sub(r"\n\s*\n", "\n", data["text/html"])  # a blank line would end the block of HTML
        return f'<div class="output">{html}</div>\n'
    text = output.text if output.output_type == "stream" else data["text/plain"]
    return f'<div class="output">\n\n```text\n{text.rstrip()}\n```\n\n</div>\n'
