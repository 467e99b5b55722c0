"""Reading JSON without surprises: `NaN`, half characters and deep nesting are refused with one clear line."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import HTTPException, Request, Response
from fastapi.routing import APIRoute
from pydantic_core import from_json


class StrictRequest(Request):
    """A request whose JSON is read by pydantic's own reader, which bounds the nesting."""

    async def json(self) -> Any:
        """The body as plain values."""
        try:
            return from_json(await self.body(), allow_inf_nan=False)
        except ValueError as error:
            raise HTTPException(400, f"the request is not JSON: {error}") from error


class StrictRoute(APIRoute):
    """A route that takes JSON, and nothing else."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """What answers a request."""
        inner = super().get_route_handler()

        async def handler(request: Request) -> Response:
            kind = request.headers.get("content-type", "").split(";")[0].strip().lower()
            if kind != "application/json":  # also keeps out forms that other sites send from a browser
                raise HTTPException(415, "send JSON, with the header Content-Type: application/json")
            return await inner(StrictRequest(request.scope, request.receive))

        return handler
