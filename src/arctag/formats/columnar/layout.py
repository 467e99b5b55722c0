"""`Layout`: what a table of sentences has room for, beside the columns that all of them have."""

from __future__ import annotations

from dataclasses import dataclass

from arctag.columns import STANDARD, UNIVERSAL, Header


@dataclass(frozen=True)
class Layout:
    """The format of the sentences, and further layers."""

    format: str = "conllu"
    """The format that the sentences were read from, and are converted back to: conllu, conllup or sdp."""
    header: Header | None = None
    """The columns of a CoNLL-U Plus file."""
    graphs: tuple[str, ...] = ()
    """The names of further graphs."""
    tags: tuple[str, ...] = ()
    """The names of further tags."""

    @property
    def universal(self) -> bool:
        """Whether the sentences have the columns of CoNLL-U."""
        return self.format in UNIVERSAL

    @property
    def names(self) -> tuple[str, ...]:
        """The columns in the order of the file, for formats with the columns of CoNLL-U."""
        return STANDARD if self.header is None else self.header.names

    @property
    def further(self) -> tuple[str, ...]:
        """The columns that CoNLL-U does not have."""
        return () if self.header is None else self.header.further
