"""Running the application: the socket, uvicorn, signals, the log."""

from __future__ import annotations

import gc
import logging
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import uvicorn

from arctag.errors import InputError
from arctag.serve.app import make_app
from arctag.serve.guard.connections import connection_class
from arctag.serve.service import Service

_BACKLOG = 128  # connections taken at a time, before those that are too many are closed
_SWITCH_INTERVAL = 0.0005  # seconds a thread may hold the GIL while others wait: those that feed the network need it
_GC_THRESHOLD = (2_000, 10, 10)  # Python's defaults, but for the first, which saves time
_GRACE_SECONDS = 5  # for answers in flight to be sent, after their own time limit


class Server(uvicorn.Server):
    """A server that reports when it can be reached, and for which a signal to stop is no error."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen, and report it."""
        await super().startup(sockets)
        if self.started:
            self._ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002
        """Finish what is in flight, then end; Ctrl-C again ends at once.

        uvicorn's own also notes the signal, to raise it once more at the end.
        """
        self.force_exit |= self.should_exit and sig == signal.SIGINT
        self.should_exit = True


@contextmanager
def bound_socket(host: str, port: int) -> Iterator[socket.socket]:
    """A socket at that address, not yet listening; `InputError` if it cannot be bound."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        bound = socket.socket(family, kind, protocol)
    except OSError as error:
        raise InputError(f"cannot listen on {host}: {error.strerror}") from error
    with bound:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            bound.bind(address)
        except OSError as error:
            raise InputError(
                f"cannot listen on {host} port {port}: {error.strerror}; choose another port with --port"
            ) from error
        yield bound


def url_of(bound: socket.socket) -> str:
    """The address of the server in a browser."""
    host, port = bound.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def make_server(service: Service, host: str, ready: Callable[[], None]) -> Server:
    """A server for requests to `host`, which calls `ready` when it listens."""
    config = uvicorn.Config(
        make_app(service, host), http=connection_class(service.limits, service.metrics), ws="none", lifespan="on",
        log_config=None, access_log=False, server_header=False, proxy_headers=False, backlog=_BACKLOG,
        timeout_graceful_shutdown=int(service.limits.seconds) + _GRACE_SECONDS,
    )  # fmt: skip
    return Server(config, ready)


def run(service: Service, bound: socket.socket, host: str, ready: Callable[[], None]) -> None:
    """Answer requests until SIGTERM or SIGINT; then finish what is in flight."""
    with _short_switch_interval(), _default_collections(), _log_on_standard_error():
        make_server(service, host, ready).run(sockets=[bound])


@contextmanager
def _short_switch_interval() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH_INTERVAL)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


@contextmanager
def _default_collections() -> Iterator[None]:
    """Collect garbage as often as Python does by default, whatever the command line has set; leave out the models."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(*_GC_THRESHOLD)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


@contextmanager
def _log_on_standard_error() -> Iterator[None]:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    loggers = {logging.getLogger("arctag.serve"): logging.INFO, logging.getLogger("uvicorn"): logging.WARNING}
    before = [(logger, logger.handlers, logger.propagate, logger.level) for logger in loggers]
    for logger, level in loggers.items():
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(level)
    try:
        yield
    finally:
        for logger, handlers, propagate, level in before:
            logger.handlers, logger.propagate = handlers, propagate
            logger.setLevel(level)
