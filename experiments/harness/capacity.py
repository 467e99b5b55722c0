"""How many runs a machine can train at a time: one for each core, as far as memory allows."""

from __future__ import annotations

import re
from pathlib import Path

from arctag.backends.cores import usable_cores
from harness.environment import query_gpu

_MEMINFO = Path("/proc/meminfo")
_RUN = 4_000  # megabytes of memory for a run: sixteen on a GPU, half of them with MPNet, took 3,600 each
_RUN_ON_GPU = 8_000  # megabytes on the GPU: the same sixteen took 3,800 each, those with MPNet more than the others


def capacity(device: str) -> int:
    """At least one; `device` is what the runs will use (empty: the GPU if there is one)."""
    limits = [usable_cores()]
    if (memory := _free_memory()) is not None:
        limits.append(memory // _RUN)
    if not device.startswith("cpu") and (memory := _free_on_gpu()) is not None:
        limits.append(memory // _RUN_ON_GPU)
    return max(1, min(limits))


def _free_memory() -> int | None:
    """Megabytes; None where there is no /proc/meminfo."""
    match = re.search(r"^MemAvailable:\s+(\d+) kB", _MEMINFO.read_text(), re.M) if _MEMINFO.exists() else None
    return int(match[1]) // 1000 if match else None


def _free_on_gpu() -> int | None:
    """Megabytes; None without a GPU."""
    answer = query_gpu("memory.free")
    return int(answer) if answer and answer.isdecimal() else None
