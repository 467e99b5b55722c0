"""The decorator of all hot loops: compiled once by numba, cached on disk, free of the GIL."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cache
from multiprocessing import parent_process
from typing import Any, TypeVar, cast

import numba

from arctag.errors import ArctagWarning

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compile a loop over flat integer arrays; all checks belong into the wrapper above it."""
    try:
        return cast(F, numba.njit(cache=True, nogil=True)(function))
    except RuntimeError as error:
        if "cannot cache function" not in str(error):
            raise
    _warn_without_cache()
    return cast(F, numba.njit(nogil=True)(function))


@cache
def _warn_without_cache() -> None:
    """Say once, and not in every worker, why the first sentences take so long."""
    if parent_process() is None:
        warnings.warn(
            "no folder for compiled code can be written, so it is compiled again at every start, which takes up to a "
            "minute: set NUMBA_CACHE_DIR to a folder that can be written",
            ArctagWarning,
            stacklevel=3,
        )
