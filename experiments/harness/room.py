"""How many runs a machine has room for: a core each, and memory enough."""

from __future__ import annotations

import re
from pathlib import Path

from arctag.cores import usable_cores
from harness.environment import ask_gpu

_MEMORY = Path("/proc/meminfo")
_RUN = 4_000  # megabytes of memory that a run may need: sixteen on a GPU, half of them with MPNet, took 3,600 each
_RUN_ON_GPU = 8_000  # the same sixteen took 3,800 each; those with MPNet more than those with MiniLM


def room(device: str) -> int:
    """At least one; `device` is where the runs will be (empty: on the GPU if there is one)."""
    free = [usable_cores()]
    if (memory := _free_memory()) is not None:
        free.append(memory // _RUN)
    if not device.startswith("cpu") and (memory := _free_on_gpu()) is not None:
        free.append(memory // _RUN_ON_GPU)
    return max(1, min(free))


def _free_memory() -> int | None:
    """Megabytes; None where Linux does not tell."""
    found = re.search(r"^MemAvailable:\s+(\d+) kB", _MEMORY.read_text(), re.M) if _MEMORY.exists() else None
    return int(found[1]) // 1000 if found else None


def _free_on_gpu() -> int | None:
    """Megabytes; None without a GPU."""
    told = ask_gpu("memory.free")
    return int(told) if told and told.isdecimal() else None
