"""`PathNames`: how logs and metrics name the path of a request."""

from __future__ import annotations

from collections.abc import Iterable

from starlette.routing import BaseRoute, Mount, Route

OTHER = "other"
"""Any path that does not exist: logs hold nothing that a user wrote, and metrics do not grow with what users try."""


class PathNames:
    """The names of all paths of an application: `/api/parse`, `/api/files/{number}`, `/static/`."""

    def __init__(self, routes: Iterable[BaseRoute]) -> None:
        self._fixed: set[str] = set()
        self._patterns = []
        for route in routes:
            if isinstance(route, Mount):
                self._patterns.append((route.path_regex, f"{route.path}/"))
            elif isinstance(route, Route) and route.param_convertors:
                self._patterns.append((route.path_regex, route.path))
            elif isinstance(route, Route):
                self._fixed.add(route.path)

    def __getitem__(self, path: str) -> str:
        if path in self._fixed:
            return path
        return next((name for pattern, name in self._patterns if pattern.match(path)), OTHER)
