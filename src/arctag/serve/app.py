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
from arctag.serve.guard.exchange import UDPIPE
from arctag.serve.guard.middleware import FAULT, Guard
from arctag.serve.requests.validation_messages import in_words
from arctag.serve.routes import encode, files, graphs, info, parse, score, udpipe
from arctag.serve.routes.docs_page import api_page
from arctag.serve.service import Service

PAGE = Path(__file__).parent / "page"
_LONGEST = 1_000  # characters of an error, which may quote what was sent
_ERROR = {"application/json": {"schema": {"type": "object", "properties": {"error": {"type": "string"}}}}}
_RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {"description": about} if status == 200 else {"description": about, "content": _ERROR}
    for status, about in {
        200: "What was asked for.",
        400: "What was sent cannot be used; `error` says why.",
        403: "A browser sends this for a page of another web site.",
        408: "The request took too long to come.",
        413: "The body is too large.",
        422: "A key or value of the request is not as described.",
        503: "Too much to do; try again after as many seconds as `Retry-After` says.",
        504: "It took too long.",
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
    for module in (parse, encode, graphs, score, info, files, udpipe):
        app.include_router(module.router, responses=_RESPONSES)
    app.state.docs = api_page(app.openapi())
    app.add_api_route("/", _index, methods=["GET", "HEAD"], include_in_schema=False)
    app.mount("/static", StaticFiles(directory=PAGE, check_dir=False))
    app.add_exception_handler(ArctagError, _input_error)
    app.add_exception_handler(RequestValidationError, _validation_error)
    app.add_exception_handler(StarletteHTTPException, _http_error)
    app.add_exception_handler(Exception, _fault)
    return Guard(app, service, host)


async def _index() -> FileResponse:
    return FileResponse(PAGE / "index.html")


def _error(request: Request, status: int, message: str) -> Response:
    """One clear line; as plain text where UDPipe's clients expect it."""
    line = " ".join(message.split())[:_LONGEST]
    if request.url.path in UDPIPE:
        return PlainTextResponse(f"{line}\n", status)
    return JSONResponse({"error": line}, status)


async def _input_error(request: Request, error: Exception) -> Response:
    return _error(request, 400, str(error))


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, (HTTPException, StarletteHTTPException))
    return _error(request, error.status_code, error.detail)


async def _validation_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return _error(request, 422, in_words(error.errors()[0]))


async def _fault(request: Request, _: Exception) -> Response:
    return _error(request, 500, FAULT)  # the guard logs it
