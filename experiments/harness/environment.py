"""The machine and the software that a figure was measured with."""

from __future__ import annotations

import re
import shutil
import subprocess
from datetime import date
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from arctag.analysis.timing import machine


@cache
def gpu_name() -> str | None:
    """The name of the first GPU, as its driver has it; needs no torch."""
    return query_gpu("name")


def query_gpu(what: str) -> str | None:
    """A property of the first GPU (`nvidia-smi --help-query-gpu`), without its unit; None without a GPU."""
    if not shutil.which("nvidia-smi"):
        return None
    command = ["nvidia-smi", f"--query-gpu={what}", "--format=csv,noheader,nounits"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return (done.stdout.splitlines() or [""])[0].strip() or None


def environment(device: str) -> dict[str, Any]:
    """The machine and its software; `device` is the device that was used, as torch calls it."""
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


def machine_name(environment: dict[str, Any]) -> str:
    """The machine in the report: its GPU, or its processor where no GPU was used."""
    return str(environment["gpu"] or f"{environment['processor']}, {environment['cores']} cores")


def this_machine(device: str) -> str:
    """The name of this machine for a run on `device` (empty: the GPU if there is one)."""
    gpu = None if device.startswith("cpu") else gpu_name()
    return machine_name({"gpu": gpu, **machine()})


def machine_slug(device: str) -> str:
    """The same as part of a result's name."""
    return re.sub(r"\W+", "-", this_machine(device).lower()).strip("-")
