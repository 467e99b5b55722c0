"""`arctag bulk` with faults that are made to happen: `python -m tests.ray.faulty bulk …`.

The environment says which: `ARCTAG_FAULT=KIND:SHARD`, and `ARCTAG_FAULT_MARK`, a file that says that it has happened.
"""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

from arctag.cli import main
from arctag.ray import bulk
from arctag.ray.folder import Folder
from arctag.ray.shards import Done, Shard, ShardWorker

KIND, _, NUMBER = os.environ.get("ARCTAG_FAULT", "none:0").partition(":")
MARK = Path(os.environ.get("ARCTAG_FAULT_MARK", os.devnull))
_commit = Folder._commit


def die(once: bool = True) -> None:
    """Kill this process, unless that has been done."""
    if once and MARK.exists():
        return
    MARK.touch()
    os.kill(os.getpid(), signal.SIGKILL)


class FaultyWorker(ShardWorker):
    """Dies at the shard that the environment names."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        if KIND == "start":
            die()

    def parse(self, shard: Shard) -> Done:
        """Parse a shard, or die."""
        if shard.number == int(NUMBER) and KIND in ("parse", "always"):
            die(once=KIND == "parse")
        done = super().parse(shard)
        if shard.number == int(NUMBER) and KIND == "written":
            die()
        return done


def commit(folder: Folder, temporary: str, place: str) -> None:
    """Give a file its name, or die before that."""
    if KIND == "commit" and f"part-{int(NUMBER):06}" in place:
        die()
    if KIND == "finish" and place.endswith("_arctag.json") and folder.shards():
        die()
    _commit(folder, temporary, place)


Folder._commit = commit  # type: ignore[method-assign, assignment]

if __name__ == "__main__":
    from tests.ray import faulty  # the class that other processes import by its name

    bulk.ShardWorker = faulty.FaultyWorker  # type: ignore[attr-defined, assignment]
    main()
