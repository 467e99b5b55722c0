"""`JsonRoute`: strict JSON; `NaN`, lone surrogates and deep nesting are refused with one clear line."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, get_type_hints

from fastapi import HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import BaseModel, ValidationError
from pydantic_core import from_json


class JsonRoute(APIRoute):
    """A route that takes JSON, and nothing else; its function takes `body`, a model, and `request`.

    FastAPI describes it in `/openapi.json`. Reading and calling are done here, which is all that is needed and takes
    a third of the time; JSON is read by pydantic's own reader, which bounds the nesting.
    """

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """What answers a request."""
        model: type[BaseModel] = get_type_hints(self.endpoint)["body"]
        endpoint = self.endpoint

        async def handler(request: Request) -> Response:
            kind = request.headers.get("content-type", "").split(";")[0].strip().lower()
            if kind != "application/json":  # also keeps out forms that other sites send from a browser
                raise HTTPException(415, "send JSON, with the header Content-Type: application/json")
            body = _validated(model, _json(await request.body()))
            response: Response = await endpoint(body=body, request=request)
            return response

        return handler


def _json(body: bytes) -> Any:
    """The body as plain values."""
    try:
        return from_json(body, allow_inf_nan=False)
    except ValueError as error:
        raise HTTPException(400, f"the request is not JSON: {error}") from error


def _validated(model: type[BaseModel], value: Any) -> BaseModel:
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise RequestValidationError([{**one, "loc": ("body", *one["loc"])} for one in error.errors()]) from error
