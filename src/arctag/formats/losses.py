"""What formats without room for further layers leave out, counted by kind."""

from __future__ import annotations

from arctag.columns import STANDARD
from arctag.sentence import Sentence

_HINT = "conllup and json have room for them"


def lost_layers(sentence: Sentence, tags: bool = True) -> dict[str, int]:
    """Further graphs, and further tags if they are lost."""
    lost = {
        f"further graphs ({', '.join(sentence.further_graphs)}; {_HINT}, sdp for one)": len(sentence.further_graphs)
    }
    if tags:
        lost[f"further tags ({', '.join(sentence.further)}; {_HINT})"] = len(sentence.further)
    return lost


def lost_cells(sentence: Sentence) -> dict[str, int]:
    """The cells of columns that CoNLL-U does not have."""
    further = sentence.header.further if sentence.header is not None and not sentence.error else ()
    return {
        f"cells of {name}": sum(row[number] != "_" for row in sentence.rows)
        for number, name in enumerate(further, len(STANDARD))
    }
