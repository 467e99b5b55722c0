"""The protocols of formats: what a file is cut into, how it is read, how it is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

from arctag.blocks.runs import Run
from arctag.formats.streams import Input, OnError
from arctag.sentence import Sentence


class Chunk(Protocol):
    """A part of a source that can be turned into sentences without the rest of it, in any process."""

    @property
    def data(self) -> bytes:
        """Its text, as it stands in the source or nearly so: for progress bars and checksums."""

    @property
    def words(self) -> int:
        """About how many words it has."""


C = TypeVar("C", bound=Chunk)


class InputFormat(Protocol[C]):
    """A format that can be read, in two steps: a file is cut into chunks, which is quick; chunks become sentences."""

    name: str
    suffixes: tuple[str, ...]
    """How names of such files end; the first is the usual one."""

    def recognises(self, start: bytes) -> bool:  # noqa: ARG002
        """Whether a file that begins like this is in this format, whatever its name."""
        return False

    def chunks(self, source: Input, tolerant: bool = False) -> Iterator[C]:
        """Cut a file into chunks, the same ones each time; if tolerant, damage is reported when a chunk is read."""

    def sentences(
        self, chunks: Iterable[C], words_only: bool = False, on_error: OnError | None = None
    ) -> Iterator[Sentence]:
        """The sentences of chunks; with `words_only` the graphs are not read and come without arcs.

        A damaged sentence is a `FormatError`, or is reported to `on_error` and passed on with `error` set.
        """


class OutputFormat(Protocol):
    """A format that can be written, sentence by sentence."""

    name: str
    title: str = ""
    """What people call it, if not by its name."""
    one_graph: bool = False
    """Whether a file has room for one graph of each sentence only."""
    suffixes: tuple[str, ...]
    """How names of such files end; the first is the usual one."""
    header: str = ""
    """What every file begins with, line end included."""

    def begun(self, first: Sentence, layers: Sequence[str]) -> OutputFormat:  # noqa: ARG002
        """The format as it is written to a file that begins with this sentence and has these further layers."""
        return self

    def text(self, sentence: Sentence) -> str:
        """The text of a sentence. A format that is only written must take damaged ones too (`sentence.error`)."""

    def run(self, run: Run) -> bytes | None:  # noqa: ARG002
        """The text of a run of sentences in one step, if that can be done and nothing is lost."""
        return None

    def losses(self, sentence: Sentence) -> dict[str, int]:  # noqa: ARG002
        """What this format has no room for, counted by kind."""
        return {}


class Format(InputFormat[C], OutputFormat, Protocol[C]):
    """A format that is both read and written. What is read and not changed is written byte for byte."""
