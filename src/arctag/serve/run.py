"""Running the application: a socket, uvicorn, signals, the log."""

from __future__ import annotations

import logging
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn

from arctag.errors import InputError
from arctag.serve.app import make_app
from arctag.serve.service import Service

_MOST_CONNECTIONS = 1_000
_SWITCH = 0.0005  # seconds a thread may keep Python while others want it: those that feed the network are short of time
_LONGER = 5  # seconds for what is in flight to be sent, after its own time limit


class Server(uvicorn.Server):
    """A server that tells when it can be reached."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen, and say so."""
        await super().startup(sockets)
        if self.started:
            self._ready()


@contextmanager
def bound_socket(host: str, port: int) -> Iterator[socket.socket]:
    """A socket at that address, not yet listening; `InputError` if it cannot be had."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        made = socket.socket(family, kind, protocol)
    except OSError as error:
        raise InputError(f"cannot listen on {host}: {error.strerror}") from error
    with made:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind(address)
        except OSError as error:
            raise InputError(
                f"cannot listen on {host} port {port}: {error.strerror}; choose another port with --port"
            ) from error
        yield made


def url_of(bound: socket.socket) -> str:
    """How a browser finds the server."""
    host, port = bound.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def make_server(service: Service, host: str, ready: Callable[[], None]) -> Server:
    """A server for requests to `host`, which says when it is ready."""
    config = uvicorn.Config(
        make_app(service, host), http="h11", ws="none", lifespan="on", log_config=None, access_log=False,
        server_header=False, proxy_headers=False, limit_concurrency=_MOST_CONNECTIONS,
        timeout_graceful_shutdown=int(service.limits.seconds) + _LONGER,
    )  # fmt: skip
    return Server(config, ready)


def run(service: Service, bound: socket.socket, host: str, ready: Callable[[], None]) -> None:
    """Answer requests until SIGTERM or SIGINT; then finish what is in flight."""
    _log_to_standard_error()
    # uvicorn raises the signal that ended it once more when all is done: let that do nothing
    before = {number: signal.signal(number, lambda *_: None) for number in (signal.SIGTERM, signal.SIGINT)}
    interval = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH)
    try:
        make_server(service, host, ready).run(sockets=[bound])
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        sys.setswitchinterval(interval)


def _log_to_standard_error() -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    for name, level in (("arctag.serve", logging.INFO), ("uvicorn", logging.WARNING)):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(level)
