"""ONNX Runtime, imported with its telemetry off: the one place where Arctag imports it.

Since version 1.31 it writes an identifier and events to `~/.cache/Microsoft`, and sends them to Microsoft, unless
`ORT_DISABLE_TELEMETRY` is set when it is loaded. The setting is read once, so the environment is put back afterwards.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_OFF = "ORT_DISABLE_TELEMETRY"


@contextmanager
def _telemetry_off() -> Iterator[None]:
    before = os.environ.get(_OFF)
    os.environ[_OFF] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_OFF]
        else:
            os.environ[_OFF] = before


with _telemetry_off():
    import onnxruntime

# for a program that loaded it earlier, and for Windows, where the variable has no effect
onnxruntime.disable_telemetry_events()

runtime: Any = onnxruntime
"""The module `onnxruntime`."""
