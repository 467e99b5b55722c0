"""How long a test waits before it says that something hangs: longer than anything takes on the busiest machine."""

from __future__ import annotations

import os

HANGS = float(os.environ.get("ARCTAG_HANGS", "1800"))
"""Seconds; `ARCTAG_HANGS=30` is for writing tests that still fail."""
