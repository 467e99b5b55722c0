"""Many machines, with Ray: `parse` is a step of a Ray dataset, and `arctag bulk` parses corpora (docs/scale.md).

Ray's telemetry is switched off for what is started here.
"""

from __future__ import annotations

import os

from arctag.errors import MissingExtra

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # before Ray is imported
try:
    import ray
    import ray.data  # noqa: F401
except ImportError as error:
    raise MissingExtra("Parsing with Ray", "ray") from error

from arctag.ray.dataset import parse

__all__ = ["parse"]
