"""The decorator of all hot loops: compiled once by numba, cached on disk, free of the GIL."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compile a loop over flat integer arrays; all checks belong into the wrapper above it."""
    return cast(F, numba.njit(cache=True, nogil=True)(function))
