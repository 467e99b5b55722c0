"""A real browser on the page of a real server; without Chromium or its driver the tests are skipped."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from arctag.parsing.loading import load
from tests.networks import Models
from tests.patience import HANGS

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
Open = Callable[..., Any]


@pytest.fixture(scope="package")  # not longer: the driver holds this thread's event loop
def chromium() -> Iterator[Any]:
    """The system's Chromium; `ARCTAG_CHROMIUM` names another."""
    playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need playwright")
    path = os.environ.get("ARCTAG_CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip("no Chromium found; install one, or name it in ARCTAG_CHROMIUM")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def address(chromium: Any, models: Models) -> Iterator[str]:
    """Where a server with two tiny models is; the second knows no raw text. No browser, no server."""
    for package in ("fastapi", "httpx"):
        pytest.importorskip(package, reason=f"the service and its tests need {package}")
    from tests.serve.servers import running

    tiny = load(models("verified"), "cpu")
    with running({"tiny": tiny, "words": load(models("sdp"), "cpu")}) as found:
        yield found.url


@pytest.fixture
def open_page(chromium: Any, address: str) -> Iterator[Open]:
    """Open the page at an address after '#'; whatever goes wrong in it fails the test.

    `width`, `height` and `dark` make the screen; `refused=True` allows answers such as 400, which the
    browser would report as well.
    """
    contexts: list[Any] = []
    faults: list[str] = []

    def open_page(
        hash: str = "", width: int = 1280, height: int = 900, dark: bool = False, refused: bool = False
    ) -> Any:
        context = chromium.new_context(
            viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light",
            permissions=["clipboard-read", "clipboard-write"], reduced_motion="reduce",
        )  # fmt: skip
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(1000 * HANGS)

        def note(message: Any) -> None:
            if message.type == "error" and not (refused and "Failed to load resource" in message.text):
                faults.append(message.text)

        page.on("console", note)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(f"{address}/{hash}")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert faults == []
