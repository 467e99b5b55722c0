"""`make_app`: the routes, the page and the guard as one ASGI application."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import APIRouter, FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.types import ASGIApp

from arctag import __version__
from arctag.errors import ArctagError
from arctag.serve.answers import ErrorAnswer
from arctag.serve.guard.exchange import UDPIPE_PATHS
from arctag.serve.guard.middleware import INTERNAL_ERROR, Guard
from arctag.serve.requests.validation_messages import validation_message
from arctag.serve.routes import encode, files, graphs, info, parse, score, search, udpipe
from arctag.serve.routes.docs_page import docs_page
from arctag.serve.service import Service

PAGE = Path(__file__).parent / "page"
_ROUTERS = [module.router for module in (parse, encode, graphs, search, score, info, files, udpipe)]
_MAX_ERROR = 1_000  # characters of an error, which may quote what was sent
_ABOUT = {
    400: "The input cannot be used; `error` says why.",
    403: "Sent by a browser for a page of another web site.",
    408: "The request took too long to arrive.",
    413: "The body is too large.",
    422: "A key or value of the request is not as described.",
    503: "The service is busy; try again after `Retry-After` seconds.",
    504: "The answer took too long.",
}
_JSON = {"application/json": {"schema": ErrorAnswer.model_json_schema()}}
_PLAIN = {"text/plain": {"schema": {"type": "string"}}}


def _responses(router: APIRouter) -> dict[int | str, dict[str, Any]]:
    """What the answers of routes can be beside success: JSON, or plain text where UDPipe's clients expect it."""
    content: dict[str, Any] = _PLAIN if router is udpipe.router else _JSON
    responses: dict[int | str, dict[str, Any]] = {200: {"description": "Success."}}
    responses.update({status: {"description": about, "content": content} for status, about in _ABOUT.items()})
    return responses


def make_app(service: Service, host: str = "127.0.0.1") -> ASGIApp:
    """The application, for a server that listens on `host`; models start and stop with it."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        service.start()
        yield
        service.stop()

    app = _routed(lifespan=lifespan)
    app.state.service = service
    app.state.docs = docs_page(app.openapi())
    app.add_api_route("/", _index, methods=["GET", "HEAD"], include_in_schema=False)
    app.mount("/static", StaticFiles(directory=PAGE, check_dir=False))
    app.add_exception_handler(ArctagError, _input_error)
    app.add_exception_handler(RequestValidationError, _validation_error)
    app.add_exception_handler(StarletteHTTPException, _http_error)
    app.add_exception_handler(Exception, _internal_error)
    return Guard(app, service, host, [*app.routes, *(route for router in _ROUTERS for route in router.routes)])


def openapi() -> dict[str, Any]:
    """The description of the API, as `/openapi.json` has it."""
    return _routed().openapi()


def _routed(**settings: Any) -> FastAPI:
    """An application with the calls of the API."""
    app = FastAPI(title="Arctag", version=__version__, docs_url=None, redoc_url=None, **settings)
    for router in _ROUTERS:
        app.include_router(router, responses=_responses(router))
    return app


async def _index() -> FileResponse:
    return FileResponse(PAGE / "index.html")


def _error(request: Request, status: int, message: str, headers: Mapping[str, str] | None = None) -> Response:
    """One clear line; as plain text where UDPipe's clients expect it."""
    line = " ".join(message.split())[:_MAX_ERROR]
    if request.url.path in UDPIPE_PATHS:
        return PlainTextResponse(f"{line}\n", status, headers)
    return JSONResponse({"error": line}, status, headers)


async def _input_error(request: Request, error: Exception) -> Response:
    return _error(request, 400, str(error))


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, (HTTPException, StarletteHTTPException))
    return _error(request, error.status_code, error.detail, error.headers)


async def _validation_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return _error(request, 422, validation_message(error.errors()[0]))


async def _internal_error(request: Request, _: Exception) -> Response:
    return _error(request, INTERNAL_ERROR.status, INTERNAL_ERROR.message)  # the guard logs it
