"""Ctrl-C in tests."""

from __future__ import annotations

import signal


def hear_ctrl_c() -> None:
    """A shell that runs the tests in the background hands down a deaf ear."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
