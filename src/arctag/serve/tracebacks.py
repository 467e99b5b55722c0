"""Where an unexpected error came from, without the traceback.

A traceback holds the frames of all callers and what is in them: the sentences, the slices of the queue and, through
these, the error itself. An error that goes from one thread to another would stay in memory with all of it.
"""

from __future__ import annotations

from traceback import extract_tb

_PLACES = "arctag_places"


def keep_places(error: BaseException) -> None:
    """Note the places in the code that an error has passed, and forget its traceback and those of its causes."""
    setattr(error, _PLACES, places(error))
    error.__traceback__ = error.__cause__ = error.__context__ = None


def places(error: BaseException) -> list[str]:
    """The places in the code that an error has passed, the innermost first."""
    here = [f"{frame.filename}:{frame.lineno}" for frame in extract_tb(error.__traceback__)]
    return [*getattr(error, _PLACES, ()), *reversed(here)]
