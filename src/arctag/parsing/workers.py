"""Who does the jobs: this process, or several with the model loaded in each.

Results keep the order of the jobs, and only a few jobs are under way at a time, so that memory does not grow with
the input.
"""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from itertools import chain, islice
from multiprocessing import get_context
from multiprocessing.connection import Connection

from arctag.backends.cores import usable_cores
from arctag.errors import InputError
from arctag.modelfile.bundled import is_exported
from arctag.parsing.jobs import Job, Result, Settings, Worker

_AHEAD = 2  # jobs under way for each worker


def default_workers(settings: Settings) -> int:
    """One for two cores, for an exported model: two threads are as fast as two processes, and take half the memory.

    Torch shares the cores among its own threads.
    """
    return max(1, usable_cores() // 2) if is_exported(settings.model) and settings.device in (None, "cpu") else 1


def run_jobs(jobs: Iterable[Job], settings: Settings, workers: int) -> Iterator[Result]:
    """The results of jobs, in order, from so many workers."""
    stream = iter(jobs)
    first = list(islice(stream, 2))
    everything = chain(first, stream)
    if workers == 1 or len(first) < 2:  # one job is done sooner here than by a process that must start
        yield from Worker(settings).results(everything)
        return
    with Pool(settings, workers) as pool:
        yield from pool.run(everything)


class Pool:
    """Processes with the model loaded; new ones, since what runs threads of its own must not be forked."""

    def __init__(self, settings: Settings, workers: int) -> None:
        self.workers = workers
        threads = max(1, usable_cores() // workers)
        context = get_context("spawn")
        # the workers end when the other end of this is closed: by us, or by the system when we die
        watched, self.alive = context.Pipe(duplex=False)
        self.processes = ProcessPoolExecutor(workers, context, _start, (settings, threads, watched))

    def run(self, jobs: Iterable[Job]) -> Iterator[Result]:
        """The results of jobs, in order; only a few are under way at a time."""
        waiting: deque[Future[Result]] = deque()
        try:
            for job in jobs:
                waiting.append(self.processes.submit(_work, job))
                if len(waiting) >= _AHEAD * self.workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BrokenProcessPool as error:
            raise InputError("a worker was killed, most likely for lack of memory: try fewer --workers") from error

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:  # the jobs under way are not wanted any more
            self.alive.close()
        self.processes.shutdown(cancel_futures=True)
        self.alive.close()


_worker: Callable[[Job], Result]


def _start(settings: Settings, threads: int, watched: Connection) -> None:
    """In a new process: load the model, and take a share of the cores."""
    global _worker
    threading.Thread(target=_end_with, args=(watched,), daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process gets it too, and ends the others
    os.environ["OMP_NUM_THREADS"] = str(threads)
    _worker = Worker(settings)


def _end_with(watched: Connection) -> None:
    """End this process as soon as the first one closes its end of a pipe, or dies."""
    with suppress(EOFError, OSError):
        watched.recv_bytes()
    os._exit(1)


def _work(job: Job) -> Result:
    return _worker(job)
