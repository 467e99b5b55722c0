"""`make_app`: the routes, the page and the guard as one ASGI application."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.types import ASGIApp

from arctag import __version__
from arctag.errors import ArctagError
from arctag.serve.guard.exchange import UDPIPE_PATHS
from arctag.serve.guard.middleware import INTERNAL_ERROR, Guard
from arctag.serve.requests.validation_messages import validation_message
from arctag.serve.routes import encode, files, graphs, info, parse, score, udpipe
from arctag.serve.routes.docs_page import docs_page
from arctag.serve.service import Service

PAGE = Path(__file__).parent / "page"
_ROUTERS = [module.router for module in (parse, encode, graphs, score, info, files, udpipe)]
_MAX_ERROR = 1_000  # characters of an error, which may quote what was sent
_ERROR = {"application/json": {"schema": {"type": "object", "properties": {"error": {"type": "string"}}}}}
_RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {"description": about} if status == 200 else {"description": about, "content": _ERROR}
    for status, about in {
        200: "Success.",
        400: "The input cannot be used; `error` says why.",
        403: "Sent by a browser for a page of another web site.",
        408: "The request took too long to arrive.",
        413: "The body is too large.",
        422: "A key or value of the request is not as described.",
        503: "The service is busy; try again after `Retry-After` seconds.",
        504: "The answer took too long.",
    }.items()
}


def make_app(service: Service, host: str = "127.0.0.1") -> ASGIApp:
    """The application, for a server that listens on `host`; models start and stop with it."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        service.start()
        yield
        service.stop()

    app = FastAPI(title="Arctag", version=__version__, docs_url=None, redoc_url=None, lifespan=lifespan)
    app.state.service = service
    for router in _ROUTERS:
        app.include_router(router, responses=_RESPONSES)
    app.state.docs = docs_page(app.openapi())
    app.add_api_route("/", _index, methods=["GET", "HEAD"], include_in_schema=False)
    app.mount("/static", StaticFiles(directory=PAGE, check_dir=False))
    app.add_exception_handler(ArctagError, _input_error)
    app.add_exception_handler(RequestValidationError, _validation_error)
    app.add_exception_handler(StarletteHTTPException, _http_error)
    app.add_exception_handler(Exception, _internal_error)
    return Guard(app, service, host, [*app.routes, *(route for router in _ROUTERS for route in router.routes)])


async def _index() -> FileResponse:
    return FileResponse(PAGE / "index.html")


def _error(request: Request, status: int, message: str) -> Response:
    """One clear line; as plain text where UDPipe's clients expect it."""
    line = " ".join(message.split())[:_MAX_ERROR]
    if request.url.path in UDPIPE_PATHS:
        return PlainTextResponse(f"{line}\n", status)
    return JSONResponse({"error": line}, status)


async def _input_error(request: Request, error: Exception) -> Response:
    return _error(request, 400, str(error))


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, (HTTPException, StarletteHTTPException))
    return _error(request, error.status_code, error.detail)


async def _validation_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return _error(request, 422, validation_message(error.errors()[0]))


async def _internal_error(request: Request, _: Exception) -> Response:
    return _error(request, INTERNAL_ERROR.status, INTERNAL_ERROR.message)  # the guard logs it
