"""Labels and their decoding explained in tables, for `encode --explain` and `encodings --explain`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TextIO

from arctag.encodings import Encoding
from arctag.graph import Graph
from arctag.trace import Explanation, Part, Trace, encode_explained, explain_encoding, trace
from arctag.trace.wording import arrow, counted


class Page:
    """Where explanations go: ruled tables on a terminal, tab-separated lines elsewhere."""

    def __init__(self, out: TextIO) -> None:
        self.out = out

    def line(self, text: str = "") -> None:
        """One line of text."""
        self.out.write(self._safe(text) + "\n")

    def table(self, columns: Sequence[str], rows: Iterable[Sequence[str]], grouped: int = 0) -> None:
        """A table; on a terminal the first `grouped` columns are left blank where they repeat the row above."""
        if not self.out.isatty():
            for row in (columns, *rows):
                self.out.write("\t".join(row) + "\n")
            return
        from rich import box
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        table = Table(box=box.SIMPLE_HEAD)
        for column in columns:
            table.add_column(column, overflow="fold")
        above: Sequence[str] = ()
        for row in rows:
            shown = ["" if row[:grouped] == above else cell for cell in row[:grouped]] + list(row[grouped:])
            table.add_row(*(Text(self._safe(cell)) for cell in shown))  # not markup: labels hold square brackets
            above = row[:grouped]
        Console(file=self.out).print(table)

    def _safe(self, text: str) -> str:
        """Text that is safe on a terminal; a file gets the text as it is."""
        if not self.out.isatty():
            return text
        from arctag.draw.measure import terminal_text

        return terminal_text(text, self.out.encoding or "utf-8")


def show_graph(
    page: Page, encoding: Encoding, graph: Graph, words: Sequence[str] = (), tags: Sequence[str] | None = None
) -> None:
    """The labels of a graph explained, then how they are decoded."""
    explanation = explain_encoding(encoding, graph, tags)
    show_labels(page, explanation, words)
    page.line()
    labels, nulls = [word.label for word in explanation.words], [word.null_planes for word in explanation.words]
    show_steps(page, trace(encoding, labels, nulls=nulls, tags=tags), words)


def explained_json(encoding: Encoding, graph: Graph, tags: Sequence[str] | None = None) -> dict[str, Any]:
    """The same as JSON."""
    explanation = encode_explained(graph, encoding, tags=tags)
    traced = trace(encoding, explanation["labels"], nulls=explanation["nulls"], tags=tags)
    return explanation | {"steps": traced.to_json()["steps"]}


def show_labels(page: Page, explanation: Explanation, words: Sequence[str] = ()) -> None:
    """What each part of the labels stands for, and which arcs are left out."""
    page.table(
        ("word", "label", "part", "stands for"),
        [
            (_name(word.word, words), word.label, part.text, part.meaning)
            for word in explanation.words
            for part in word.parts or [Part("-", "-")]
        ],
        grouped=2,
    )
    covered = sum(arc.plane > 0 for arc in explanation.arcs)
    page.line(f"{covered} of {len(explanation.arcs)} arcs covered")
    for arc in explanation.arcs:
        if arc.why:
            page.line(f"{arrow(arc.head, arc.dependent)} is left out: {arc.why}")


def show_steps(page: Page, traced: Trace, words: Sequence[str] = ()) -> None:
    """The decoding, step by step, with the stacks."""
    page.table(
        ("word", "reads", "what happens", "stacks"),
        [(_name(step.word, words), step.part, step.text, _stacks(step.stacks)) for step in traced.steps],
    )
    page.line(f"{counted(len(traced.arcs), 'arc')}, {counted(traced.repairs, 'repair')}")


def _name(word: int | None, words: Sequence[str]) -> str:
    if word is None:
        return "-"
    return f"{word} {words[word - 1]}" if words else str(word)


def _stacks(stacks: dict[str, list[int]]) -> str:
    return "; ".join(f"{name}: {' '.join(map(str, stack)) or '-'}" for name, stack in stacks.items()) or "-"
