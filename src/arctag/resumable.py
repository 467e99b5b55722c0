"""A file that is written in parts and can be gone on with after an interruption.

Until it is complete the text stands in `.NAME.part`, and `.NAME.part.json` says how far it has
come. Whatever the moment of a kill, what the journal counts is in the file.
"""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

from arctag.errors import InputError


class ResumableFile:
    """An output that keeps what it has until it is complete."""

    def __init__(self, path: str | Path, key: str, resume: bool) -> None:
        self.path, self.key = Path(path).resolve(), key
        self.part = self.path.with_name(f".{self.path.name}.part")
        self.journal = self.part.with_name(f"{self.part.name}.json")
        self.units, size = self._before() if resume else (0, 0)
        try:
            self.file = open(self.part, "r+b" if size else "wb")  # noqa: SIM115  # closed on leaving
            self.file.truncate(size)  # what came after the last entry of the journal will be written again
            self.file.seek(size)
        except OSError as error:
            raise InputError(f"cannot write {path}: {error.strerror}") from error

    def _before(self) -> tuple[int, int]:
        """How many units are done, and the bytes they take; none if the run was another one."""
        try:
            value = json.loads(self.journal.read_text(encoding="utf-8"))
            units, size = int(value["units"]), int(value["bytes"])
            if value["key"] != self.key or self.part.stat().st_size < size:
                return 0, 0
        except (OSError, ValueError, KeyError, TypeError):
            return 0, 0
        return units, size

    def add(self, text: str, units: int) -> None:
        """Write the text of the next units."""
        raw = text.encode("utf-8", errors="surrogateescape")
        if self.path.suffix == ".gz":  # parts packed one by one make a whole file
            raw = gzip.compress(raw, mtime=0)
        self.file.write(raw)
        self.file.flush()
        self.units += units
        entry = {"key": self.key, "units": self.units, "bytes": self.file.tell()}
        new = self.journal.with_name(f"{self.journal.name}.new")
        new.write_text(json.dumps(entry), encoding="utf-8")
        os.replace(new, self.journal)

    def finish(self) -> None:
        """All is written: put the file in its place."""
        os.fsync(self.file.fileno())
        self.file.close()
        if self.path.exists():
            self.part.chmod(self.path.stat().st_mode & 0o7777)
        os.replace(self.part, self.path)
        self.journal.unlink(missing_ok=True)

    def close(self) -> None:
        """Stop, and keep what is there to go on with."""
        self.file.close()
        if not self.units:
            self.give_up()

    def give_up(self) -> None:
        """Leave nothing behind."""
        self.file.close()
        self.part.unlink(missing_ok=True)
        self.journal.unlink(missing_ok=True)
