"""`ModelSource`: where the parser of a component comes from, and how it is saved with a pipeline."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from arctag.spacy.model_files import copy_folder, pack, unpack

if TYPE_CHECKING:
    from arctag.parsing.parser import Parser


class ModelSource:
    """A model by name or folder, loaded when its parser is first needed; or a parser in memory."""

    def __init__(self, model: str, device: str | None = None) -> None:
        self.model, self.device = model, device
        self._parser: Parser | None = None
        self._in_memory = False  # whether the parser was set from outside, and may be in no folder
        self._process = os.getpid()

    def load(self) -> Parser:
        """The parser, loaded if necessary."""
        if self._process != os.getpid():
            self._process = os.getpid()
            _one_thread()
        if self._parser is None:
            from arctag.parsing.loading import load

            self._parser = load(self.model, self.device)
        return self._parser

    def use_parser(self, parser: Parser) -> None:
        """Use this parser from now on."""
        self._parser, self._in_memory = parser, True

    @property
    def needs_saving(self) -> bool:
        """Whether the model must be saved with the pipeline; one that comes with Arctag is found by its name."""
        return self._in_memory or Path(self.model).is_dir()

    def use_folder(self, folder: Path) -> None:
        """Use the model in a folder from now on."""
        self.model, self._parser, self._in_memory = str(folder), None, False

    def save(self, folder: Path) -> None:
        """Write the model folder."""
        folder.parent.mkdir(parents=True, exist_ok=True)
        if self._in_memory:
            self.load().save(folder, force=True)  # spaCy replaces what is there, too
        else:
            copy_folder(Path(self.model), folder)

    def to_bytes(self) -> bytes:
        """The model as a zip archive; empty for one that comes with Arctag."""
        if not self.needs_saving:
            return b""
        with TemporaryDirectory(prefix="arctag-") as folder:
            self.save(Path(folder) / "model")
            return pack(Path(folder) / "model")

    def from_bytes(self, packed: bytes) -> None:
        """Use the model in these bytes, if there is one."""
        if packed:
            self.use_folder(unpack(packed, self))

    def __getstate__(self) -> dict[str, Any]:
        """What another process needs: the name or folder, or the whole model if it is in memory."""
        return {"model": self.model, "device": self.device, "packed": self.to_bytes() if self._in_memory else b""}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["model"], state["device"])  # type: ignore[misc]
        self.from_bytes(state["packed"])


def _one_thread() -> None:
    """Keep torch from waiting for threads that a forked process (`nlp.pipe(n_process=2)`) does not have."""
    if (torch := sys.modules.get("torch")) is not None:
        torch.set_num_threads(1)
