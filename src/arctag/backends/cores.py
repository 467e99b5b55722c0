"""How many cores this process may use: its affinity, and the quota of its container (cgroup v1 or v2)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

_CGROUPS = Path("/sys/fs/cgroup")
_OWN_CGROUPS = Path("/proc/self/cgroup")


def usable_cores() -> int:
    """The cores this process may use, at least one; half a core of a quota counts as a whole one."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min([cores, *_quotas()]))


def usable_threads() -> int:
    """How many threads to compute with: `OMP_NUM_THREADS` if it is set, else one for each usable core."""
    asked = os.environ.get("OMP_NUM_THREADS", "")
    return int(asked) if asked.isdecimal() and int(asked) > 0 else usable_cores()


def _quotas() -> Iterator[int]:
    """The quota of each group that this process is in, in cores, where there is one."""
    for folder in _groups():
        found = _numbers(folder / "cpu.max") or _numbers(folder / "cpu.cfs_quota_us", folder / "cpu.cfs_period_us")
        if found is not None and len(found) == 2 and min(found) > 0:  # a quota of -1: none
            yield -(-found[0] // found[1])


def _groups() -> Iterator[Path]:
    """The folders of the groups that may limit this process: its own, and those around it."""
    try:
        lines = _OWN_CGROUPS.read_text().splitlines()
    except (OSError, ValueError):  # not Linux
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers and "cpu" not in controllers.split(","):
            continue
        inside = PurePosixPath(path.lstrip("/"))
        # a container may see its own group as the root, whatever the path says
        for group in dict.fromkeys((inside, *inside.parents, PurePosixPath())):
            yield from (_CGROUPS / name / group for name in ([controllers, "cpu"] if controllers else [""]))


def _numbers(*files: Path) -> list[int] | None:
    try:
        return [int(number) for file in files for number in file.read_text().split()]
    except (OSError, ValueError):  # no such file, or "max"
        return None
