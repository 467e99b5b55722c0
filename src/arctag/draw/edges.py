"""`Edge`: an arc as it is drawn."""

from __future__ import annotations

from dataclasses import dataclass

from arctag.graph import Relations

PLAIN = "plain"
"""The kind of arc in a picture of one graph whose colours are planes."""


@dataclass(frozen=True)
class Edge:
    """An arc as it is drawn."""

    head: int
    dependent: int
    label: str
    kind: str = PLAIN
    plane: int = 0
    """0 for the first plane."""
    relations: Relations = ()
    """The relations that the label stands for."""
    about: str = ""
    """What they mean."""

    @property
    def root(self) -> bool:
        """Whether it comes from the virtual root."""
        return self.head == 0

    @property
    def loop(self) -> bool:
        """Whether it leads from a word to itself."""
        return self.head == self.dependent

    @property
    def span(self) -> int:
        """How many words apart its ends are."""
        return abs(self.head - self.dependent)


def joined(relations: Relations) -> str:
    """The relations of an arc as its label."""
    return " + ".join(relations)
