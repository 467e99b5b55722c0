"""`arctag encodings`: what there is, or one explained on an example or on labels of the user's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from arctag.cli.common import json_option, print_json, print_table

if TYPE_CHECKING:
    from arctag.encodings import Encoding

FIGURE = [(2, 1), (2, 3), (3, 5), (4, 5), (6, 3), (5, 6), (1, 5), (1, 4)]
"""The arcs of figure 1 of the paper, a graph of six words."""
TREE = [(2, 1), (4, 2), (4, 3), (0, 4), (7, 5), (7, 6), (2, 7), (4, 8)]
"""The tree of 'A hearing is scheduled on the issue today', for encodings of trees; 2→7 crosses others."""


@click.command(
    epilog="""\b
Examples:
  arctag encodings
  arctag encodings bits6-2
  arctag encodings bits6-2 --explain
  arctag encodings brackets-1 '<' '\\/' '>' --explain"""
)
@click.argument("name", required=False)
@click.argument("labels", nargs=-1)
@click.option(
    "--explain", is_flag=True, help="Say what each part of a label stands for, and show the decoding step by step."
)
@json_option
def command(name: str | None, labels: tuple[str, ...], explain: bool, as_json: bool) -> None:
    """List the encodings, or show what NAME makes of an example; or decode LABELS, one for each word.

    The example is figure 1 of the paper; for encodings of trees, the tree of a sentence.
    """
    from arctag.encodings import encoding

    if name is None:
        if explain:
            raise click.UsageError("--explain needs the NAME of an encoding.")
        _list(as_json)
    elif labels:
        _decode(encoding(name), labels, explain, as_json)
    else:
        _example(encoding(name), explain, as_json)


def _list(as_json: bool) -> None:
    from arctag.encodings import ENCODINGS

    rows = [
        (family, entry.paper, ", ".join(map(str, entry.ks)) or "-", (entry.make.__doc__ or "").split("\n")[0],
         entry.make.trees_only)
        for family, entry in ENCODINGS.items()
    ]  # fmt: skip
    if as_json:
        keys = ("paper", "k", "about", "trees_only")
        print_json({family: dict(zip(keys, values, strict=True)) for family, *values in rows})
        return
    print_table("Encodings", ("name", "paper", "usual K", "about"), [
        (family, paper or "-", ks, f"trees only: {about}" if trees_only else about)
        for family, paper, ks, about, trees_only in rows
    ])  # fmt: skip


def _example(encoding: Encoding, explain: bool, as_json: bool) -> None:
    """The labels of the example."""
    from arctag.cli.explained import Page, explained_json, show_graph
    from arctag.formats.files import open_output
    from arctag.graph import Graph

    arcs = TREE if encoding.trees_only else FIGURE
    graph = Graph(max(map(max, arcs)), [(head, dependent, "_") for head, dependent in arcs])
    labels = [encoding.format(row) for row in encoding.encode(graph)]
    kept = int(encoding.covers(graph).sum())
    if as_json:
        details = {"explained": explained_json(encoding, graph)} if explain else {}
        print_json({"name": encoding.name, "arcs": arcs, "labels": labels, "covered": kept} | details)
        return
    about = (type(encoding).__doc__ or "").strip()
    click.echo(f"{encoding.name}: {'trees only: ' if encoding.trees_only else ''}{about}\n")
    title = "A hearing is scheduled on the issue today" if encoding.trees_only else "Figure 1 of the paper"
    click.echo(f"{title}, arcs " + " ".join(f"{head}→{dependent}" for head, dependent in arcs))
    if explain:
        with open_output("-") as out:
            show_graph(Page(out), encoding, graph)
        return
    _print_heads(arcs, labels)
    click.echo(f"{kept} of {len(arcs)} arcs covered")


def _decode(encoding: Encoding, labels: tuple[str, ...], explain: bool, as_json: bool) -> None:
    """The graph behind labels, and how it comes about."""
    from arctag.cli.explained import Page, show_steps
    from arctag.encodings import Labels
    from arctag.formats.files import open_output
    from arctag.trace import trace
    from arctag.trace.wording import counted

    decoded = encoding.decode(Labels.from_rows([encoding.parse(label) for label in labels]))
    arcs = [(arc.head, arc.dependent) for arc in decoded.graph]
    if as_json:
        details = {"steps": trace(encoding, labels).to_json()["steps"]} if explain else {}
        print_json({"name": encoding.name, "labels": labels, "arcs": arcs, "repairs": decoded.repairs} | details)
    elif explain:
        with open_output("-") as out:
            show_steps(Page(out), trace(encoding, labels))
    else:
        _print_heads(arcs, labels)
        click.echo(f"{counted(len(arcs), 'arc')}, {counted(decoded.repairs, 'repair')}")


def _print_heads(arcs: Sequence[tuple[int, int]], labels: Sequence[str]) -> None:
    heads = [" ".join(str(head) for head, other in sorted(arcs) if other == word) for word in range(1, len(labels) + 1)]
    rows = [(f"w{word}", of or "-", label) for word, (of, label) in enumerate(zip(heads, labels, strict=True), 1)]
    print_table("", ("word", "heads", "label"), rows)
