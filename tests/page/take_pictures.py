"""The pictures of the page for the README and the documents.

With a server running: python -m tests.page.take_pictures http://127.0.0.1:8000 docs/images
"""

from __future__ import annotations

import shutil
import sys
from importlib import import_module
from pathlib import Path

from tests.page.helpers import settled

WHOLE = {"page": "#encodings?e=bits6-2&x=sharing&s=21"}
"""Name → what the whole window shows."""
STEPS = {
    "brackets": "#encodings?e=brackets-2&x=figure&s=5",
    "bits4": "#encodings?e=bits4-3&x=figure&s=20",
    "bits6": "#encodings?e=bits6-3&x=figure&s=12",
    "hierarchical": "#encodings?e=hierarchical&x=figure&s=5",
}
"""Name → a step of decoding, of which the board and the explanation are shown."""
SIZE = (1120, 764)
FINE = 2


def take_pictures(address: str, folder: Path) -> None:
    """Save what a person sees at some steps of lessons."""
    folder.mkdir(parents=True, exist_ok=True)
    with import_module("playwright.sync_api").sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, view in {**WHOLE, **STEPS}.items():
            viewport = {"width": SIZE[0], "height": SIZE[1] if name in WHOLE else 2 * SIZE[1]}
            fine = FINE if name in WHOLE else 1.5
            page = browser.new_page(viewport=viewport, device_scale_factor=fine, reduced_motion="reduce")
            page.goto(f"{address}/{view}")
            page.locator(".word.reading").wait_for()
            settled(page)
            page.screenshot(path=folder / f"{name}.png", **({} if name in WHOLE else {"clip": _clip(page)}))
        browser.close()


def _clip(page: object) -> dict[str, float]:
    """The board and the player below it."""
    boxes = [page.locator(place).bounding_box() for place in (".board-card", ".player")]  # type: ignore[attr-defined]
    top, left = boxes[0]["y"], boxes[0]["x"]
    return {
        "x": left, "y": top, "width": boxes[0]["width"], "height": boxes[1]["y"] + boxes[1]["height"] - top,
    }  # fmt: skip


if __name__ == "__main__":
    take_pictures(sys.argv[1].rstrip("/"), Path(sys.argv[2]))
