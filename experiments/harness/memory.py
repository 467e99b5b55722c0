"""Peak memory of an action: on the GPU as torch reports it, else of the process as Linux reports it."""

from __future__ import annotations

import ctypes
import gc
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

_STATUS = Path("/proc/self/status")
_CLEAR = Path("/proc/self/clear_refs")


def peak_megabytes(action: Callable[[], object], on_gpu: bool) -> float | None:
    """The most memory that `action` needs beyond what was in use before; None where that is unknown."""
    gc.collect()
    if on_gpu:
        import torch

        torch.cuda.synchronize()
        before = torch.cuda.memory_allocated()
        torch.cuda.reset_peak_memory_stats()
        action()
        torch.cuda.synchronize()
        return round((torch.cuda.max_memory_allocated() - before) / 1e6, 1)
    with suppress(OSError, AttributeError):  # return freed memory, or using it again would not count
        ctypes.CDLL("libc.so.6").malloc_trim(0)
    try:
        _CLEAR.write_text("5")  # reset the peak
    except OSError:
        action()
        return None
    resident = _kilobytes("VmRSS")
    action()
    return round(max(_kilobytes("VmHWM") - resident, 0) * 1024 / 1e6, 1)


def _kilobytes(name: str) -> int:
    match = re.search(rf"^{name}:\s+(\d+) kB", _STATUS.read_text(), re.M)
    assert match
    return int(match[1])
