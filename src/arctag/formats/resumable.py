"""A file that is written chunk by chunk and can be resumed after an interruption.

Until it is complete the text is in `.NAME.part`, and `.NAME.part.json`, the journal, says how many chunks of the
input it stands for. Whatever the moment of a kill, what the journal counts is in the file. One run at a time: the part
is locked.
"""

from __future__ import annotations

import json
import os
import socket
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from arctag.errors import InputError
from arctag.formats.files import cannot_write, keep_mode, place_of
from arctag.formats.packing import packing_of_name

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


_LONGEST_NAME = 200  # bytes; the names of the part and its journal must be possible, too


class InUse(InputError):
    """Another run is writing the same file."""


class Unfinished(InputError):
    """An earlier run has left the file unfinished, and this one would discard that."""


def part_of(path: Path) -> Path:
    """Where a file is written until it is complete."""
    name = path.name
    if len(os.fsencode(name)) > _LONGEST_NAME:
        name = sha256(os.fsencode(name)).hexdigest()[:32]
    return path.with_name(f".{name}.part")


class ResumableFile:
    """An output whose part stays, when it is interrupted, for another run to continue."""

    def __init__(self, path: str | Path, key: str, resume: bool = False, force: bool = False) -> None:
        """Begin the file, or with `resume` continue what a run of the same key had written.

        What an unfinished run left is discarded only with `force`.
        """
        self.name, self.path, self.key = path, place_of(path), key
        self.part = part_of(self.path)
        self.journal = self.part.with_name(f"{self.part.name}.json")
        self.chunks = 0
        """How many chunks of the input are written."""
        self.checksum = 0
        """Of the input up to there, as `add` was given it."""
        try:
            self.file = self._locked_part()
        except OSError as error:
            raise cannot_write(path, error) from error
        try:
            self.chunks, size = self._before(resume, force)
            keep_mode(self.part, self.path)
            self.file.truncate(size)  # what came after the last entry of the journal will be written again
            self.file.seek(size)
            self._write_journal(self.chunks, self.checksum)
        except OSError as error:
            self.close()
            raise cannot_write(path, error) from error
        except Unfinished:
            self._unlock()
            raise

    def _locked_part(self) -> Any:
        """The part file, opened and held by this process alone until it is closed."""
        while True:
            # opened without emptying it: it may be another run's
            file = os.fdopen(os.open(self.part, os.O_RDWR | os.O_CREAT, 0o666), "r+b")
            try:
                if fcntl is not None:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if self.part.exists() and os.path.samestat(os.fstat(file.fileno()), self.part.stat()):
                    return file
            except BlockingIOError:
                file.close()
                raise InUse(
                    f"cannot write {self.name}: {self._holder()} is writing it; wait for it or stop it"
                ) from None
            except OSError:  # a file system without locks
                return file
            file.close()  # the other run finished in between, and the file that was opened is now its output

    def _holder(self) -> str:
        entry = self._entry()
        here = entry.get("host") == socket.gethostname()
        return f"process {entry.get('pid', '?')}" + ("" if here else f" on {entry.get('host', 'another machine')}")

    def _entry(self) -> dict[str, Any]:
        """What the journal says; nothing if there is none, or it is damaged."""
        try:
            value = json.loads(self.journal.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        return value if isinstance(value, dict) else {}

    def _before(self, resume: bool, force: bool) -> tuple[int, int]:
        """How many chunks are written, and the bytes they take; none if there is nothing to resume."""
        entry = self._entry()
        chunks, size = entry.get("chunks"), entry.get("bytes")
        if not (isinstance(chunks, int) and isinstance(size, int)) or chunks <= 0:
            return 0, 0
        if not 0 <= size <= os.fstat(self.file.fileno()).st_size:
            return 0, 0
        if resume and entry.get("key") == self.key and isinstance(entry.get("checksum"), int):
            self.checksum = entry["checksum"]
            return chunks, size
        if force:
            return 0, 0
        if resume:
            why = "what is there was written from other inputs, or with another model, version or options"
            raise Unfinished(f"cannot resume {self.name}: {why}; start again with --force")
        raise Unfinished(f"an unfinished run has written {self.name}: continue it with --resume, or use --force")

    def add(self, data: bytes, chunks: int, checksum: int = 0) -> None:
        """Write what the next chunks became; the checksum is kept for `resume`."""
        if packing := packing_of_name(self.path):
            data = packing.pack(data)
        try:
            self.file.write(data)
            self.file.flush()
            self._write_journal(self.chunks + chunks, checksum)
            self.chunks += chunks
        except OSError as error:
            raise cannot_write(self.name, error) from error

    def _write_journal(self, chunks: int, checksum: int) -> None:
        entry = {
            "key": self.key, "chunks": chunks, "checksum": checksum, "bytes": self.file.tell(),
            "pid": os.getpid(), "host": socket.gethostname(),
        }  # fmt: skip
        new = self.journal.with_name(f"{self.journal.name}.new")
        try:
            new.write_text(json.dumps(entry), encoding="utf-8")
            os.replace(new, self.journal)
        finally:
            new.unlink(missing_ok=True)  # it is there no more unless that failed

    def finish(self) -> None:
        """All is written: move the file to its place."""
        try:
            os.fsync(self.file.fileno())
            os.replace(self.part, self.path)
        except OSError as error:
            raise cannot_write(self.name, error) from error
        finally:
            self.file.close()  # and with it the lock, once no other run can open the part
        self.journal.unlink(missing_ok=True)

    def close(self) -> None:
        """Stop, and keep what is there for `resume`."""
        if self.chunks:
            self._unlock()
        else:
            self.discard()

    def discard(self) -> None:
        """Leave nothing behind."""
        self.part.unlink(missing_ok=True)
        self.journal.unlink(missing_ok=True)
        self._unlock()

    def _unlock(self) -> None:
        with suppress(OSError):  # what could not be written is not in the journal, and was reported
            self.file.close()
