"""The output of `arctag bulk`: a folder of numbered shards, each of which is there wholly or not at all.

A shard is written under a temporary name and renamed. What is in it follows from its number, the inputs and the options
alone: whoever writes it, and however often, it is the same file. So nothing needs to be recorded of what was done: a
shard that is there is done. `_arctag.json` says which run the shards belong to, so that no other one adds to them.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from secrets import token_hex
from typing import Any, BinaryIO

from pyarrow import fs

from arctag import __version__
from arctag.errors import InputError
from arctag.formats import output_suffixes
from arctag.formats.columnar.remote import place_of
from arctag.formats.files import cannot_write

MANIFEST = "_arctag.json"
_SHARD = re.compile(r"part-(\d{6,})\.\w+")
_TEMPORARY = re.compile(r"\.(part-\d{6,}|_arctag)\.\w+\.[0-9a-f]+")


@dataclass(frozen=True)
class Folder:
    """The folder of a run. Can be sent to another process."""

    path: str
    """A local path, or an address that pyarrow opens, such as `s3://bucket/parsed`."""
    format: str
    """The format of the shards."""
    key: str
    """Of the run: the same inputs, model, version and options have the same."""

    def is_complete(self, resume: bool, force: bool) -> bool:
        """Whether nothing is left to do; `InputError` if what is there forbids this run. Nothing is changed."""
        try:
            names = self._names()
            manifest = self.manifest() if MANIFEST in names else {}
        except OSError as error:
            raise cannot_write(self.path, error) from error
        if not manifest and any(not _TEMPORARY.fullmatch(name) for name in names):
            raise InputError(f"cannot write {self.path}: the folder has other files in it; choose another one")
        if not manifest or force:
            return False
        if not resume:
            state = "is complete: start" if manifest.get("complete") else "is unfinished: use --resume, or start"
            raise InputError(f"cannot write {self.path}: the run that wrote it {state} again with --force")
        if manifest.get("key") != self.key:
            why = "what is there was written from other inputs, or with another model, version or options"
            raise InputError(f"cannot resume {self.path}: {why}; start again with --force")
        return bool(manifest.get("complete"))

    def begin(self, force: bool) -> None:
        """Make the folder ready; with `force` the shards of an earlier run are deleted."""
        system, path = self._place
        try:
            system.create_dir(path, recursive=True)
            if force:
                self._delete(name for name in self._names() if name == MANIFEST or _SHARD.fullmatch(name))
            self.clean()
            self._write_manifest(complete=False)
        except OSError as error:
            raise cannot_write(self.path, error) from error

    def check(self) -> None:
        """`InputError` if this machine does not see the folder."""
        if not (self._exists(MANIFEST) and self.manifest().get("key") == self.key):
            raise InputError(
                f"{os.uname().nodename} does not see the output folder {self.path}: "
                "all machines must share it, or write to an object store (s3://…)"
            )

    def finish(self, shards: int) -> None:
        """All shards are there."""
        self.clean()
        self._write_manifest(complete=True, shards=shards)

    def manifest(self) -> dict[str, Any]:
        """What is known of the run."""
        with self._system.open_input_stream(self._at(MANIFEST)) as file:
            try:
                value: dict[str, Any] = json.loads(file.read())
            except ValueError as error:
                raise InputError(f"{self.path}/{MANIFEST} is damaged: {error}; start again with --force") from error
        return value

    def shards(self) -> set[int]:
        """The numbers of the shards that are there."""
        return {int(match[1]) for name in self._names() if (match := _SHARD.fullmatch(name))}

    def clean(self) -> None:
        """Remove what killed processes have left."""
        self._delete(name for name in self._names() if _TEMPORARY.fullmatch(name))

    def name(self, shard: int) -> str:
        """The name of a shard."""
        return f"part-{shard:06}{output_suffixes()[self.format][0]}"

    @contextmanager
    def open(self, shard: int) -> Iterator[BinaryIO]:
        """A shard to write: it appears when all of it was written."""
        name = self.name(shard)
        temporary = self._at(f".{name}.{token_hex(4)}")
        try:
            try:
                with self._system.open_output_stream(temporary) as file:
                    yield file
                self._commit(temporary, self._at(name))
            except BaseException:
                with suppress(OSError):
                    self._system.delete_file(temporary)
                raise
        except OSError as error:
            raise cannot_write(f"{self.path}/{name}", error) from error

    def _commit(self, temporary: str, place: str) -> None:
        if self._is_local:  # its bytes must be on the disk before its name is
            with open(temporary, "rb") as file:
                os.fsync(file.fileno())
        self._system.move(temporary, place)

    def _write_manifest(self, **state: Any) -> None:
        value = {"arctag": __version__, "key": self.key, "format": self.format, **state}
        temporary = self._at(f".{MANIFEST}.{token_hex(4)}")
        with self._system.open_output_stream(temporary) as file:
            file.write(json.dumps(value).encode())
        self._commit(temporary, self._at(MANIFEST))

    @cached_property
    def _place(self) -> tuple[fs.FileSystem, str]:
        return place_of(self.path)

    @property
    def _system(self) -> fs.FileSystem:
        return self._place[0]

    @property
    def _is_local(self) -> bool:
        return isinstance(self._system, fs.LocalFileSystem)

    def _at(self, name: str) -> str:
        return f"{self._place[1]}/{name}"

    def _exists(self, name: str) -> bool:
        return bool(self._system.get_file_info(self._at(name)).type == fs.FileType.File)

    def _names(self) -> list[str]:
        """The names of what is in the folder."""
        system, path = self._place
        kind = system.get_file_info(path).type
        if kind == fs.FileType.File:
            raise InputError(f"cannot write {self.path}: it is a file; name a folder")
        if kind == fs.FileType.NotFound:
            return []
        return [info.base_name for info in system.get_file_info(fs.FileSelector(path))]

    def _delete(self, names: Iterator[str]) -> None:
        for name in names:
            with suppress(FileNotFoundError):
                self._system.delete_file(self._at(name))
