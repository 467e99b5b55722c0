"""Where an unexpected error came from, without its traceback.

A traceback holds the frames of all callers and what is in them: the sentences, the jobs in the queue and, through
these, the error itself. An error that is passed from one thread to another would keep all of it in memory.
"""

from __future__ import annotations

from traceback import extract_tb

_LOCATIONS = "arctag_locations"


def drop_traceback(error: BaseException) -> None:
    """Note the lines of code that an error has passed, and drop its traceback and those of its causes."""
    setattr(error, _LOCATIONS, locations(error))
    error.__traceback__ = error.__cause__ = error.__context__ = None


def locations(error: BaseException) -> list[str]:
    """The lines of code that an error has passed, the innermost first."""
    here = [f"{frame.filename}:{frame.lineno}" for frame in extract_tb(error.__traceback__)]
    return [*getattr(error, _LOCATIONS, ()), *reversed(here)]
