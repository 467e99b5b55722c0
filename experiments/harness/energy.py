"""Energy, where the machine reports it: the GPU's power from nvidia-smi, the processor's counters (RAPL)."""

from __future__ import annotations

import shutil
import subprocess
import threading
from pathlib import Path
from time import monotonic

_RAPL = Path("/sys/class/powercap")
_SAMPLE_MS = 200


class Meter:
    """Counts the joules of the whole machine from its creation on."""

    def __init__(self, on_gpu: bool) -> None:
        self.reason: str | None = None
        self.gpu = Gpu.start() if on_gpu else None
        self.processor = Processor.start()
        if self.source is None:
            self.reason = "neither nvidia-smi nor RAPL can be read"
        elif on_gpu and self.gpu is None:
            self.reason, self.processor = "nvidia-smi cannot be read", None

    @property
    def source(self) -> str | None:
        """Which parts of the machine are counted."""
        parts = [name for name, part in (("GPU board", self.gpu), ("processor", self.processor)) if part]
        return " and ".join(parts) or None

    def joules(self) -> float | None:
        """So far."""
        if self.source is None:
            return None
        return sum(part.joules() for part in (self.gpu, self.processor) if part)

    def close(self) -> None:
        """Stop sampling."""
        if self.gpu:
            self.gpu.close()


class Gpu:
    """The power of the first GPU, added up over time."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process, self.total = process, 0.0
        self.last = monotonic()
        threading.Thread(target=self._follow, daemon=True).start()

    @classmethod
    def start(cls) -> Gpu | None:
        """None where power cannot be read."""
        if not shutil.which("nvidia-smi"):
            return None
        command = ["nvidia-smi", "-i", "0", "--query-gpu=power.draw", "--format=csv,noheader,nounits"]
        try:
            float(subprocess.run(command, capture_output=True, text=True, timeout=30, check=True).stdout)
            process = subprocess.Popen([*command, "-lms", str(_SAMPLE_MS)], stdout=subprocess.PIPE, text=True)
        except (OSError, ValueError, subprocess.SubprocessError):
            return None
        return cls(process)

    def _follow(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            now = monotonic()
            try:
                self.total += float(line) * (now - self.last)
            except ValueError:
                continue
            self.last = now

    def joules(self) -> float:
        """So far."""
        return self.total

    def close(self) -> None:
        """End nvidia-smi."""
        self.process.kill()
        self.process.wait()


class Processor:
    """The energy counters of all packages, which wrap around to 0."""

    def __init__(self, counters: dict[Path, int]) -> None:
        self.last, self.total = counters, 0

    @classmethod
    def start(cls, folder: Path = _RAPL) -> Processor | None:
        """None where the counters cannot be read."""
        try:
            counters = {path: int(path.read_text()) for path in sorted(folder.glob("intel-rapl:[0-9]*/energy_uj"))
                        if path.parent.name.count(":") == 1}  # fmt: skip
        except (OSError, ValueError):
            return None
        return cls(counters) if counters else None

    def joules(self) -> float:
        """So far."""
        for path, before in self.last.items():
            now = int(path.read_text())
            wrapped = 0 if now >= before else int(path.with_name("max_energy_range_uj").read_text())
            self.total += now - before + wrapped
            self.last[path] = now
        return self.total / 1e6
