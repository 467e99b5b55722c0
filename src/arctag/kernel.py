"""The decorator of all hot loops: compiled once by numba, cached on disk, free of the GIL.

Loading numba takes longer than most small commands, so a loop becomes numba's when it is first called.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cache, update_wrapper
from multiprocessing import parent_process
from types import FunctionType, ModuleType
from typing import Any, TypeVar, cast

from arctag.errors import ArctagWarning

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compile a loop over flat integer arrays; all checks belong into the wrapper above it."""
    return cast(F, _Kernel(cast(FunctionType, function), {}))


def float_kernel(function: F) -> F:
    """The same for sums of floats, which may be added in any order, and so many at once."""
    return cast(F, _Kernel(cast(FunctionType, function), {"fastmath": {"reassoc", "contract"}}))


def kernels_of(module: ModuleType) -> list[Any]:
    """The loops of a module as numba has them; none where it is switched off."""
    for value in list(vars(module).values()):
        if isinstance(value, _Kernel):
            value._compiled()
    return [value for value in vars(module).values() if hasattr(value, "py_func")]


class _Kernel:
    """A loop that is not compiled yet."""

    def __init__(self, function: FunctionType, options: dict[str, Any]) -> None:
        update_wrapper(self, function)
        self._function, self._options = function, options

    def __call__(self, *arguments: Any) -> Any:
        return self._compiled()(*arguments)

    def _compiled(self) -> Callable[..., Any]:
        """Take the place of this object in its module, after the kernels that the loop calls, and compile."""
        function, names = self._function, self._function.__globals__
        for name in function.__code__.co_names:
            if name != function.__name__ and isinstance(names.get(name), _Kernel):
                names[name]._compiled()
        if not isinstance(found := names.get(function.__name__, self), _Kernel):
            return cast(Callable[..., Any], found)  # somebody who imported it earlier calls it again
        compiled = _compile(function, self._options)
        if found is self:
            names[function.__name__] = compiled
        self._compiled = lambda: compiled  # type: ignore[method-assign]
        return compiled


def _compile(function: Callable[..., Any], options: dict[str, Any]) -> Callable[..., Any]:
    import numba

    try:
        return cast(Callable[..., Any], numba.njit(cache=True, nogil=True, **options)(function))
    except RuntimeError as error:
        if "cannot cache function" not in str(error):
            raise
    _warn_without_cache()
    return cast(Callable[..., Any], numba.njit(nogil=True, **options)(function))


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
