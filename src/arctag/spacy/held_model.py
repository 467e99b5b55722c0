"""`HeldModel`: the parser of a component, where it comes from, and how it travels with a saved pipeline."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from arctag.spacy.model_files import copy_folder, pack, unpack

if TYPE_CHECKING:
    from arctag.parsing.parser import Parser


class HeldModel:
    """A model by name or folder, loaded when its parser is first asked for; or a parser that lives in memory."""

    def __init__(self, model: str, device: str | None = None) -> None:
        self.model, self.device = model, device
        self._parser: Parser | None = None
        self._given = False  # whether the parser was set from outside, and may be in no folder
        self._process = os.getpid()

    def load(self) -> Parser:
        """The parser, loaded if it is not."""
        if self._process != os.getpid():
            self._process = os.getpid()
            _one_thread()
        if self._parser is None:
            from arctag.parsing.loading import load

            self._parser = load(self.model, self.device)
        return self._parser

    def give(self, parser: Parser) -> None:
        """Use this parser from now on."""
        self._parser, self._given = parser, True

    @property
    def travels(self) -> bool:
        """Whether the model must be saved with the pipeline; one that is known by name is found by it."""
        return self._given or Path(self.model).is_dir()

    def take(self, folder: Path) -> None:
        """Use the model in a folder from now on."""
        self.model, self._parser, self._given = str(folder), None, False

    def save(self, folder: Path) -> None:
        """Write the model folder."""
        folder.parent.mkdir(parents=True, exist_ok=True)
        if self._given:
            self.load().save(folder, force=True)  # as all that spaCy saves
        else:
            copy_folder(Path(self.model), folder)

    def to_bytes(self) -> bytes:
        """The model, packed; nothing of one that is known by name."""
        if not self.travels:
            return b""
        with TemporaryDirectory(prefix="arctag-") as folder:
            self.save(Path(folder) / "model")
            return pack(Path(folder) / "model")

    def from_bytes(self, packed: bytes) -> None:
        """Use the model that is packed here, if there is one."""
        if packed:
            self.take(unpack(packed, self))

    def __getstate__(self) -> dict[str, Any]:
        """What another process needs: the name or folder, or the whole model if it lives in memory."""
        return {"model": self.model, "device": self.device, "packed": self.to_bytes() if self._given else b""}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["model"], state["device"])  # type: ignore[misc]
        self.from_bytes(state["packed"])


def _one_thread() -> None:
    """Keep torch from waiting for threads that a forked process (`nlp.pipe(n_process=2)`) does not have."""
    if (torch := sys.modules.get("torch")) is not None:
        torch.set_num_threads(1)
