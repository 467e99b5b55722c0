"""Signals in tests."""

from __future__ import annotations

import signal


def hear_ctrl_c() -> None:
    """Undo what a shell that runs the tests in the background, or `nohup`, hands down: signals that are ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
