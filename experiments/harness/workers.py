"""Worker processes, one for each job, forked from a server that has imported torch.

That is on Linux; elsewhere each process imports it again.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
from importlib import import_module
from multiprocessing import get_all_start_methods, get_context, parent_process
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from harness.job import Job

_SETTINGS = {
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "HF_HUB_OFFLINE": "1",
    "PYTHONUNBUFFERED": "1",
}


class Worker:
    """A job in a process of its own, with the methods of `subprocess.Popen`."""

    def __init__(self, process: BaseProcess) -> None:
        self._process = process

    @property
    def returncode(self) -> int | None:
        """The exit code; None while it runs."""
        return self._process.exitcode

    def poll(self) -> int | None:
        """The exit code; None while it runs."""
        return self._process.exitcode

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()

    def wait(self) -> int | None:
        """Wait for its end; the exit code."""
        self._process.join()
        return self._process.exitcode


class Workers:
    """Starts jobs: one thread each, no network."""

    def __init__(self, scripts: Path) -> None:
        """`scripts` is the folder that jobs import the harness from."""
        path = os.environ.get("PYTHONPATH", "")
        # the server reads these when it starts, and its children inherit them
        os.environ.update(_SETTINGS, PYTHONPATH=os.pathsep.join(filter(None, (str(scripts), path))))
        self._context: Any
        if sys.platform == "linux" and "forkserver" in get_all_start_methods():
            self._context = get_context("forkserver")
            self._context.set_forkserver_preload(["harness.preload"])
        else:  # forking after torch was imported is not safe everywhere
            self._context = get_context("spawn")

    def start(self, module: str, job: Job) -> Worker:
        """Run `main` of a module in a new process, with its output in `log` of the job's folder."""
        process = self._context.Process(target=_work, args=(module, job))
        process.start()
        return Worker(process)


def _work(module: str, job: Job) -> None:
    log = os.open(Path(job.scratch) / "log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    sys.stdout.flush()
    for stream in (1, 2):
        os.dup2(log, stream)
    os.environ["TMPDIR"] = tempfile.tempdir = job.scratch  # temporary files are deleted with the job's folder
    _exit_with_parent()
    import_module(module).main(job)


def _exit_with_parent() -> None:
    """End this process when the one that started it ends, even if that was killed."""

    def watch() -> None:
        parent = parent_process()
        assert parent is not None
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
