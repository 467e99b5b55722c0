"""The job of `energy.py`: train for a few epochs and add their energy as one result."""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path
from statistics import mean

from arctag.errors import ArctagError
from harness.energy import Meter
from harness.environment import environment
from harness.job import Job
from harness.recorder import CURVE, record_training
from harness.store import ENERGY, FORMAT, add_result


def main(job: Job) -> None:
    """Train, read the meter after each epoch, add the result."""
    config = job.train_config()
    meter: Meter | None = None
    readings: list[float | None] = []

    def epoch_done(device: str) -> None:
        nonlocal meter
        meter = meter or Meter(device.startswith("cuda"))
        readings.append(meter.joules())

    try:
        record = record_training(config, epoch_done)
    except ArctagError as error:
        sys.exit(f"{job.id}: {error}")
    finally:
        if meter:
            meter.close()
    assert meter is not None
    # the first epoch warms up: the meter starts after it
    spent = [after - before for before, after in pairwise(readings) if before is not None and after is not None]
    seconds = [row[CURVE.index("seconds")] for row in record.curve[1:]]
    add_result(Path(job.results), {
        "format": FORMAT,
        "kind": ENERGY,
        "id": job.id,
        **job.about,
        "environment": environment(record.started.device),
        "joules_per_epoch": round(mean(spent), 1) if spent else None,
        "seconds_per_epoch": round(mean(seconds), 2) if seconds else None,
        "source": meter.source,
        "reason": meter.reason,
    })  # fmt: skip
