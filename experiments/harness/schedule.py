"""Run several processes at a time, by rank and then the longest first, within a time limit."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from time import monotonic, sleep
from typing import Generic, Protocol, TypeVar

Job = TypeVar("Job")
_PAUSE = 0.05


class Process(Protocol):
    """The part of `subprocess.Popen` that a schedule uses."""

    @property
    def returncode(self) -> int | None:
        """The exit code; None while it runs."""

    def poll(self) -> int | None:
        """The exit code; None while it runs."""

    def kill(self) -> None:
        """End it at once."""

    def wait(self) -> int | None:
        """Wait for its end; the exit code."""


@dataclass
class Running(Generic[Job]):
    """A job that was started."""

    job: Job
    process: Process
    began: float


@dataclass
class Schedule(Generic[Job]):
    """Starts jobs and reports their end; whatever happens, none is left running."""

    start: Callable[[Job], Process]
    ended: Callable[[Job, int, float], None]
    """Called with a job, its exit code and the seconds it took."""
    estimate: Callable[[Job], float]
    """Seconds a job will take; called again for each start, since finished jobs improve the estimate."""
    processes: int = 1
    limit: float = float("inf")
    """Seconds: no job is started that would exceed it, and jobs that still run then are killed."""
    rank: Callable[[Job], int] = lambda _: 0
    """Jobs of a lower rank start first."""
    running: list[Running[Job]] = field(default_factory=list)

    def run(self, jobs: Iterable[Job]) -> list[Job]:
        """Run jobs; returns those that were not done within the limit."""
        deadline = monotonic() + self.limit
        waiting = list(jobs)
        killed: list[Job] = []
        try:
            while self.running or waiting:
                self._start_some(waiting, deadline)
                if not self.running:
                    break  # none that is left fits
                self._collect()
                if monotonic() >= deadline:
                    killed = [item.job for item in self.running]
                    break
                sleep(_PAUSE)
        finally:
            self.kill()
        return killed + waiting

    def _start_some(self, waiting: list[Job], deadline: float) -> None:
        while len(self.running) < self.processes:
            left = deadline - monotonic()
            fitting = [job for job in waiting if self.estimate(job) <= left]
            if not fitting:
                return
            job = min(fitting, key=lambda job: (self.rank(job), -self.estimate(job)))
            waiting.remove(job)
            self.running.append(Running(job, self.start(job), monotonic()))

    def _collect(self) -> None:
        for item in [item for item in self.running if item.process.poll() is not None]:
            self.running.remove(item)
            self.ended(item.job, item.process.returncode or 0, monotonic() - item.began)

    def kill(self) -> None:
        """End all that are running, at once."""
        for item in self.running:
            item.process.kill()
        for item in self.running:
            item.process.wait()
        self.running.clear()
