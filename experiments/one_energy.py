"""The energy of a few epochs, in a process of its own. Started by `energy.py`."""

from __future__ import annotations

import sys
from pathlib import Path
from statistics import mean

from harness.energy import Meter
from harness.environment import environment
from harness.following import CURVE, follow
from harness.spec import Spec
from harness.store import ENERGY, FORMAT, write_result

from arctag.errors import ArctagError


def main(spec: Spec) -> None:
    """Train, read the meter after each epoch, write one result."""
    config = spec.train_config()
    meter: Meter | None = None
    read: list[float | None] = []

    def epoch_done(device: str) -> None:
        nonlocal meter
        meter = meter or Meter(device.startswith("cuda"))
        read.append(meter.joules())

    try:
        done = follow(config, epoch_done)
    except ArctagError as error:
        sys.exit(f"{spec.id}: {error}")
    finally:
        if meter:
            meter.close()
    assert meter is not None
    # the first epoch warms up: the meter is made after it
    spent = [after - before for before, after in zip(read, read[1:], strict=False)
             if before is not None and after is not None]  # fmt: skip
    seconds = [row[CURVE.index("seconds")] for row in done.curve[1:]]
    write_result(Path(spec.result), {
        "format": FORMAT,
        "kind": ENERGY,
        "id": spec.id,
        **spec.about,
        "environment": environment(done.started.device),
        "joules_per_epoch": round(mean(spent), 1) if spent else None,
        "seconds_per_epoch": round(mean(seconds), 2) if seconds else None,
        "source": meter.source,
        "reason": meter.reason,
    })  # fmt: skip
