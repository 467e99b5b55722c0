"""Joining a Ray cluster, or starting one on this machine; how many actors it has room for."""

from __future__ import annotations

import logging
import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from math import floor
from typing import Any

import ray

from arctag.backends.cores import usable_cores
from arctag.errors import InputError

_ANSWER = 20.0  # seconds
_STORE = 256 << 20  # bytes of the object store of a cluster of our own: shards that wait for actors


@contextmanager
def connected(address: str | None, actors: int | None = None) -> Iterator[None]:
    """A connection to the cluster at an address; without one a cluster is started here, and stopped at the end.

    It is never guessed which cluster is meant: what an earlier one has left in /tmp/ray may be dead.
    """
    common: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        if address is None:
            os.environ.pop("RAY_ADDRESS", None)  # "local" alone does not hide it from every part of Ray
            cpus = max(actors or 0, usable_cores())
            ray.init("local", num_cpus=cpus, include_dashboard=False, object_store_memory=_STORE, **common)
        else:
            _knock(address)
            ray.init(address, **common)
    except (OSError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
        what = "start Ray on this machine" if address is None else f"reach a Ray cluster at {address}"
        raise InputError(f"cannot {what}: {_first_line(error)}") from error
    if threading.current_thread() is threading.main_thread():
        for number, handler in handlers.items():
            signal.signal(number, handler)  # Ray's own would end the process, with a trace of the stack
    try:
        yield
    finally:
        ray.shutdown()


def _knock(address: str) -> None:
    """`OSError` if nobody answers at an address: Ray would try for minutes, and say little."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), timeout=_ANSWER).close()


def room_for(actors: int | None, cpus: float, gpus: float) -> int:
    """How many actors to start: so many, or as many as there is room for now. `InputError` if there is too little."""
    free: dict[str, float] = ray.available_resources()  # type: ignore[no-untyped-call, unused-ignore]
    room = floor(free.get("CPU", 0) / cpus + 1e-9) if cpus else usable_cores()
    if gpus:
        room = min(room, floor(free.get("GPU", 0) / gpus + 1e-9))
    if room >= (actors or 1):
        return actors or room
    count = actors or 1
    needed = _devices(count * cpus, count * gpus if gpus else None)
    there = _devices(free.get("CPU", 0.0), free.get("GPU", 0.0) if gpus else None)
    need = "1 actor needs" if count == 1 else f"{count} actors need"
    raise InputError(f"{need} {needed}, and the cluster has {there} to spare")


def _devices(cpus: float, gpus: float | None) -> str:
    """Numbers of devices in words."""
    named = {"CPU": cpus} if gpus is None else {"CPU": cpus, "GPU": gpus}
    return " and ".join(f"{number:g} {name}{'' if number == 1 else 's'}" for name, number in named.items())


def _first_line(error: Exception) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__)
