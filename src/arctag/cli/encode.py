"""`arctag encode`: graphs to labels."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TextIO

import click

from arctag.cli.common import format_option, plane_options, progress
from arctag.cli.outputs import force_option, output_option, spare_inputs
from arctag.cli.selection import chosen, sentence_option

if TYPE_CHECKING:
    from arctag.encodings import Encoding
    from arctag.sentence import Sentence


@click.command(
    epilog="""\b
Examples:
  arctag encode dev.conllu --encoding bits6-4
  arctag encode dev.sdp --encoding brackets-2 --crossing strict -o dev.labels
  arctag encode dev.conllu -e hierarchical --json
  arctag encode dev.conllu -e bits4-2 --sentence weblog-0001 --explain"""
)
@click.argument("file")
@click.option("-e", "--encoding", "name", default="bits6-4", show_default=True, help="See `arctag encodings`.")
@output_option()
@force_option
@plane_options
@format_option()
@sentence_option
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="One JSON object a sentence: id, words, integer rows; explained: texts, parts, steps.",
)
@click.option(
    "--explain", is_flag=True, help="Say what each part of a label stands for, and show the decoding step by step."
)
def command(
    file: str, name: str, output: str, crossing: str, planes: str, format: str | None, wanted: tuple[str, ...],
    as_json: bool, explain: bool, force: bool,
) -> None:  # fmt: skip
    """Turn each graph in FILE into one label per word: form, label and relations, tabs between.

    `arctag decode` reads it back. Empty nodes are left out. Arcs that the encoding does not cover
    are counted on standard error.
    """
    from arctag.encodings import encoding
    from arctag.formats import label_files, read
    from arctag.formats.files import open_output
    from arctag.transforms import empty_nodes

    spare_inputs([output], [file], force)
    made = encoding(name, crossing=crossing, planes=planes)
    left_out = count = 0
    with open_output(output) as out:
        sentences = chosen(read(file, format), wanted, lambda sentence: sentence)
        for sentence in sentences if explain and output == "-" else progress(sentences, "encoding"):
            sentence = empty_nodes.drop(sentence)
            left_out += int((~made.covers(sentence.graph)).sum())
            if as_json:
                out.write(json.dumps(_record(sentence, made, explain), ensure_ascii=False) + "\n")
            elif explain:
                _explain(sentence, made, out)
            else:
                out.write(label_files.text(sentence, made, first=count == 0))
            count += 1
    if left_out:
        click.echo(f"{made.name} does not cover {left_out} arcs; they are not in the labels", err=True)


def _record(sentence: Sentence, made: Encoding, explain: bool) -> dict[str, Any]:
    record = {"id": sentence.id, "encoding": made.name, "words": sentence.words}
    if not explain:
        return record | {"labels": [list(row) for row in made.encode(sentence.graph)]}
    from arctag.cli.explained import explained_json

    return record | explained_json(made, sentence.graph)


def _explain(sentence: Sentence, made: Encoding, out: TextIO) -> None:
    from arctag.cli.explained import Page, show_graph

    page = Page(out)
    page.line(f"# {sentence.id}")
    show_graph(page, made, sentence.graph, sentence.words)
    page.line()
