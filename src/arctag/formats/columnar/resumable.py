"""A table that can be resumed: until it is complete its rows are an Arrow stream, to which more can be added."""

from __future__ import annotations

import os
from pathlib import Path

from arctag.formats.columnar.formats import ColumnFormat
from arctag.formats.files import cannot_write, keep_mode
from arctag.formats.resumable import ResumableFile


class ResumableTable(ResumableFile):
    """What is added are parts of an Arrow stream."""

    def __init__(self, path: str | Path, key: str, resume: bool, force: bool, format: ColumnFormat) -> None:
        super().__init__(path, key, resume, force)
        self.format = format

    def finish(self) -> None:
        """All rows are there: write the table beside its place, and move it there.

        Whatever the moment of a kill, the rows are in the part or in the table; a resumed run writes that once more.
        """
        from arctag.formats.columnar.transcoding import transcode

        table = self.part.with_name(f"{self.part.name}.table")  # ours, as long as the part is locked
        try:
            with open(table, "wb") as file:
                keep_mode(table, self.path)
                transcode(self.part, file, self.format)
                file.flush()
                os.fsync(file.fileno())
            os.replace(table, self.path)
            self.part.unlink()
            self.journal.unlink(missing_ok=True)
        except OSError as error:
            raise cannot_write(self.name, error) from error
        finally:
            table.unlink(missing_ok=True)  # it is there no more unless that failed
            self._unlock()
