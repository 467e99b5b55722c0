"""The picture of the page for the README.

With a server running: python -m tests.page.take_picture http://127.0.0.1:8000 docs/images/page.png
"""

from __future__ import annotations

import shutil
import sys
from importlib import import_module
from pathlib import Path

from tests.page.helpers import settled

VIEW = "#encodings?e=bits6-2&x=sharing&s=21"
SIZE = (1120, 702)
FINE = 2


def take_picture(address: str, path: Path) -> None:
    """Save what a person sees at a step of a lesson."""
    with import_module("playwright.sync_api").sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        viewport = {"width": SIZE[0], "height": SIZE[1]}
        page = browser.new_page(viewport=viewport, device_scale_factor=FINE, reduced_motion="reduce")
        page.goto(f"{address}/{VIEW}")
        page.locator(".word.reading").wait_for()
        settled(page)
        path.parent.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=path)
        browser.close()


if __name__ == "__main__":
    take_picture(sys.argv[1].rstrip("/"), Path(sys.argv[2]))
