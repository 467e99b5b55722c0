"""Types of arrays that several modules of this package share."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Longs = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]
Arrays = dict[str, Longs]
"""The inputs of a network by name."""
