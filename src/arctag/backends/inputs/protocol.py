"""`Inputs`: what turns the words of sentences into the arrays that a network reads."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol, Self

from arctag.layers.types import Arrays


class Tokens(NamedTuple):
    """The words of a sentence and, if the model reads them, their tags."""

    words: Sequence[str]
    tags: Sequence[str] = ()


class Inputs(Protocol):
    """Sentences to arrays. Several threads may share one."""

    @property
    def reads_tags(self) -> bool:
        """Whether `Tokens.tags` must be given."""
        ...

    @property
    def files(self) -> tuple[str, ...]:
        """The subfolders of the model folder that belong to it; they are copied when the model is saved."""
        ...

    def costs(self, sentences: Sequence[Tokens]) -> list[int]:
        """What each sentence counts for in a batch: its words or subwords."""
        ...

    def arrays(self, sentences: Sequence[Tokens]) -> Arrays:
        """The arrays of a batch, among them those of `layout`."""
        ...

    def check(self, encoder_options: dict[str, Any]) -> None:
        """`ValueError` if an encoder with these options cannot read the arrays."""
        ...

    def copy(self) -> Self:
        """The same with a cache of its own."""
        ...

    def to_json(self) -> dict[str, Any]:
        """What `inputs.json` holds; `kind` is the name in `INPUTS`."""
        ...

    @classmethod
    def load(cls, value: dict[str, Any], folder: Path) -> Self:
        """From `to_json` and the files of a model folder; `InputError` for anything else."""
        ...
