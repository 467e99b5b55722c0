"""`arctag encodings`: what there is, or one explained on an example."""

from __future__ import annotations

import click

from arctag.cli.common import json_option, print_json, print_table


@click.command(
    epilog="""\b
Examples:
  arctag encodings
  arctag encodings bits6-2"""
)
@click.argument("name", required=False)
@json_option
def command(name: str | None, as_json: bool) -> None:
    """List the encodings, or show what NAME makes of the paper's example graph."""
    from arctag.encodings import ENCODINGS, encoding
    from arctag.graph import Graph

    if name is None:
        rows = [(family, entry.paper, ", ".join(map(str, entry.ks)) or "-", (entry.make.__doc__ or "").split("\n")[0])
                for family, entry in ENCODINGS.items()]  # fmt: skip
        if as_json:
            print_json({row[0]: {"paper": row[1], "k": row[2], "about": row[3]} for row in rows})
        else:
            print_table("Encodings", ("name", "paper", "usual K", "about"), rows)
        return
    chosen = encoding(name)
    arcs = [(2, 1), (2, 3), (3, 5), (4, 5), (6, 3), (5, 6), (1, 5), (1, 4)]  # figure 1 of the paper
    graph = Graph(6, [(h, d, "_") for h, d in arcs])
    labels = [chosen.format(row) for row in chosen.encode(graph)]
    kept = int(chosen.covers(graph).sum())
    if as_json:
        print_json({"name": chosen.name, "arcs": arcs, "labels": labels, "covered": kept})
        return
    click.echo(f"{chosen.name}: {(type(chosen).__doc__ or '').strip()}\n")
    click.echo("Figure 1 of the paper, arcs " + " ".join(f"{h}→{d}" for h, d in arcs))
    print_table("", ("word", "heads", "label"), [
        (f"w{i}", " ".join(str(h) for h, d in sorted(arcs) if d == i) or "-", label)
        for i, label in enumerate(labels, 1)
    ])  # fmt: skip
    click.echo(f"{kept} of {len(arcs)} arcs covered")
