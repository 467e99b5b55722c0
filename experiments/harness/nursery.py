"""Processes that start with torch already imported: forked, one for each run, from a server that has done it once.

That is on Linux; elsewhere each imports it anew.
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

from harness.spec import Spec

_SETTINGS = {
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "HF_HUB_OFFLINE": "1",
    "PYTHONUNBUFFERED": "1",
}


class Child:
    """A run in a process of its own, asked as `subprocess.Popen` is."""

    def __init__(self, process: BaseProcess) -> None:
        self._process = process

    @property
    def returncode(self) -> int | None:
        """None while it runs."""
        return self._process.exitcode

    def poll(self) -> int | None:
        """Whether it has ended, and how."""
        return self._process.exitcode

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()

    def wait(self) -> int | None:
        """Until it has ended."""
        self._process.join()
        return self._process.exitcode


class Nursery:
    """Starts runs: one thread each, no network."""

    def __init__(self, scripts: Path) -> None:
        known = os.environ.get("PYTHONPATH", "")
        # the server reads these when it starts, and hands them on
        os.environ.update(_SETTINGS, PYTHONPATH=os.pathsep.join(filter(None, (str(scripts), known))))
        self._context: Any
        if sys.platform == "linux" and "forkserver" in get_all_start_methods():
            self._context = get_context("forkserver")
            self._context.set_forkserver_preload(["harness.warm"])
        else:  # forking once torch is there is not safe everywhere
            self._context = get_context("spawn")

    def start(self, script: str, spec: Spec) -> Child:
        """`main` of a script in a new process, whose words go into `log` in its folder."""
        process = self._context.Process(target=_live, args=(script, spec))
        process.start()
        return Child(process)


def _live(script: str, spec: Spec) -> None:
    log = os.open(Path(spec.scratch) / "log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    sys.stdout.flush()
    for stream in (1, 2):
        os.dup2(log, stream)
    os.environ["TMPDIR"] = tempfile.tempdir = spec.scratch  # temporary files go with the run
    _end_with_the_one_that_asked()
    import_module(script).main(spec)


def _end_with_the_one_that_asked() -> None:
    """End this process when `run.py` is gone, however it went."""

    def watch() -> None:
        asked = parent_process()
        assert asked is not None
        asked.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
