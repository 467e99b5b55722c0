"""Processes side by side, by rank and then the longest first, within a time limit."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from time import monotonic, sleep
from typing import Generic, Protocol, TypeVar

Job = TypeVar("Job")
_PAUSE = 0.05


class Process(Protocol):
    """What is asked of a process."""

    @property
    def returncode(self) -> int | None:
        """None while it runs."""

    def poll(self) -> int | None:
        """Whether it has ended, and how."""

    def kill(self) -> None:
        """End it at once."""

    def wait(self) -> int | None:
        """Until it has ended."""


@dataclass
class Running(Generic[Job]):
    """A job that was started."""

    job: Job
    process: Process
    began: float


@dataclass
class Schedule(Generic[Job]):
    """Starts jobs and tells when they end; whatever happens, none is left running."""

    start: Callable[[Job], Process]
    ended: Callable[[Job, int, float], None]
    """Is told the exit code and the seconds it took."""
    estimate: Callable[[Job], float]
    """Seconds a job will take; asked again each time, since jobs that are done teach how long others take."""
    processes: int = 1
    limit: float = float("inf")
    """Seconds: no job is started that would pass it, and those still running then are killed."""
    rank: Callable[[Job], int] = lambda _: 0
    """Jobs of a lower rank go first."""
    running: list[Running[Job]] = field(default_factory=list)

    def run(self, jobs: Iterable[Job]) -> list[Job]:
        """Run jobs; those that the limit left undone come back."""
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
