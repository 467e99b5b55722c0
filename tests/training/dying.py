"""`arctag train` on a host that dies: `python -m tests.training.dying train …`.

At the first step after epoch `ARCTAG_DIES_AFTER` the process kills `torchrun`, which has started it, and itself. With
`ARCTAG_APART` each process works in a folder of its own below that one, as hosts that share no files do.
"""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

from arctag.cli import main
from arctag.training import loop

AFTER = int(os.environ.get("ARCTAG_DIES_AFTER", "-1"))
_step = loop.Run._step


def step(run: loop.Run, *arguments: Any) -> Any:
    """A step of the optimiser, or the end."""
    if run.progress.epoch == AFTER:
        if "TORCHELASTIC_RUN_ID" in os.environ:
            os.kill(os.getppid(), signal.SIGKILL)
        os.kill(os.getpid(), signal.SIGKILL)
    return _step(run, *arguments)


if __name__ == "__main__":
    if apart := os.environ.get("ARCTAG_APART"):
        os.chdir(Path(apart) / os.environ["RANK"])
    loop.Run._step = step  # type: ignore[method-assign, assignment]
    main()
