"""Types of arrays that several modules share."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Longs = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]
Counts = npt.NDArray[np.float64]
Arrays = dict[str, Longs]
"""The inputs or targets of a network by name."""
