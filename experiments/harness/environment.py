"""What a figure was measured on."""

from __future__ import annotations

import re
import shutil
import subprocess
from datetime import date
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from arctag.analysis.bench import machine


@cache
def gpu_name() -> str | None:
    """The first GPU, as its driver calls it; known without torch."""
    return ask_gpu("name")


def ask_gpu(what: str) -> str | None:
    """What the driver tells of the first GPU (`nvidia-smi --help-query-gpu`), without its unit; None without one."""
    if not shutil.which("nvidia-smi"):
        return None
    command = ["nvidia-smi", f"--query-gpu={what}", "--format=csv,noheader,nounits"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return (done.stdout.splitlines() or [""])[0].strip() or None


def environment(device: str) -> dict[str, Any]:
    """The machine and its programs; `device` is what torch calls the device that was used."""
    import torch

    return {
        **machine(),
        "gpu": (gpu_name() or torch.cuda.get_device_name()) if device.startswith("cuda") else None,
        "torch": torch.__version__,
        "transformers": _version("transformers"),
        "date": date.today().isoformat(),
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def machine_name(found: dict[str, Any]) -> str:
    """What stands beside a speed."""
    return str(found["gpu"] or f"{found['processor']}, {found['cores']} cores")


def this_machine(device: str) -> str:
    """The name of the machine at hand, when a run may use `device` (empty: whatever there is)."""
    gpu = None if device.startswith("cpu") else gpu_name()
    return machine_name({"gpu": gpu, **machine()})


def machine_slug(device: str) -> str:
    """The same as part of a file's name."""
    return re.sub(r"\W+", "-", this_machine(device).lower()).strip("-")
