"""`arctag encode`: graphs to labels."""

from __future__ import annotations

import json

import click

from arctag.cli.common import format_option, plane_options, progress


@click.command(
    epilog="""\b
Examples:
  arctag encode dev.conllu --encoding bits6-4
  arctag encode dev.sdp --encoding brackets-2 --crossing strict -o dev.labels
  arctag encode dev.conllu -e hierarchical --json"""
)
@click.argument("file")
@click.option("-e", "--encoding", "name", default="bits6-4", show_default=True, help="See `arctag encodings`.")
@click.option("-o", "--output", default="-", help="Where to write; '-' is standard output.")
@plane_options
@format_option()
@click.option("--json", "as_json", is_flag=True, help="One JSON object a sentence: id, words, integer rows.")
def command(file: str, name: str, output: str, crossing: str, planes: str, format: str | None, as_json: bool) -> None:
    """Turn each graph in FILE into one label per word: form, label and relations, tabs between.

    `arctag decode` reads it back. Empty nodes are left out. Arcs that the encoding does not cover
    are counted on standard error.
    """
    from arctag import empty_nodes, label_files
    from arctag.encodings import encoding
    from arctag.formats import read
    from arctag.formats.files import open_output

    chosen = encoding(name, crossing=crossing, planes=planes)
    left_out = count = 0
    with open_output(output) as out:
        for sentence in progress(read(file, format), "encoding"):
            sentence = empty_nodes.drop(sentence)
            left_out += int((~chosen.covers(sentence.graph)).sum())
            if as_json:
                rows = [list(row) for row in chosen.encode(sentence.graph)]
                record = {"id": sentence.id, "encoding": chosen.name, "words": sentence.words, "labels": rows}
                out.write(json.dumps(record, ensure_ascii=False) + "\n")
            else:
                out.write(label_files.text(sentence, chosen, first=count == 0))
            count += 1
    if left_out:
        click.echo(f"{chosen.name} does not cover {left_out} arcs; they are not in the labels", err=True)
