"""`arctag encode`: graphs to labels."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TextIO

import click

from arctag.cli.common import format_option, plane_options, progress
from arctag.cli.outputs import force_option, output_option, protect_inputs
from arctag.cli.selection import chosen, layer_option, sentence_option
from arctag.errors import ArctagError, InputError

if TYPE_CHECKING:
    from arctag.formats.label_files import EncodedBatch
    from arctag.sentence import Sentence


@click.command(
    epilog="""\b
Examples:
  arctag encode dev.conllu --encoding bits6-4
  arctag encode dev.sdp --encoding brackets-2 --crossing strict -o dev.labels
  arctag encode dev.conllu -e hierarchical --json
  arctag encode dev.conllu -e hexatag --layer tree
  arctag encode dev.conllu -e bits4-2 --sentence weblog-0001 --explain"""
)
@click.argument("file")
@click.option(
    "-e",
    "--encoding",
    "name",
    default="bits6-4",
    show_default=True,
    help="Name of the encoding: see `arctag encodings`.",
)
@output_option()
@force_option
@plane_options
@format_option()
@sentence_option
@layer_option
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Write a JSON object per sentence: id, words and integer rows; with --explain texts, parts and steps.",
)
@click.option("--explain", is_flag=True, help="Explain each part of a label, and show the decoding step by step.")
def command(
    file: str, name: str, output: str, crossing: str, planes: str, format: str | None, wanted: tuple[str, ...],
    layer: str | None, as_json: bool, explain: bool, force: bool,
) -> None:  # fmt: skip
    """Turn each graph in FILE into one label per word: tab-separated lines of form, label and relations.

    `arctag decode` reads them back. Empty nodes are left out. Arcs that the encoding does not cover
    are counted on standard error.
    """
    from arctag.encodings import encoding
    from arctag.encodings.trees.base import NotATree
    from arctag.formats import read
    from arctag.formats.files import open_output
    from arctag.formats.label_files import encoded, header
    from arctag.transforms import empty_nodes
    from arctag.transforms.main_graph import choosing

    protect_inputs([output], [file], force)
    chosen_encoding = encoding(name, crossing=crossing, planes=planes)
    sentences = chosen(map(choosing(layer), read(file, format)), wanted, lambda sentence: sentence)
    if not (explain and output == "-"):
        sentences = progress(sentences, "encoding")
    left_out = 0
    with (
        open_output(output) as out,
        _hint(NotATree, "" if layer else "`--layer tree` takes HEAD and DEPREL of CoNLL-U"),
    ):
        for number, batch in enumerate(encoded(map(empty_nodes.drop, sentences), chosen_encoding)):
            left_out += batch.left_out
            if as_json:
                out.writelines(f"{json.dumps(record, ensure_ascii=False)}\n" for record in _records(batch, explain))
            elif explain:
                _explain(batch, out)
            else:
                out.writelines([header(chosen_encoding) if number == 0 else "", *batch.texts()])
    if left_out:
        what = (
            "in the labels their words have other heads" if chosen_encoding.trees_only else "they are not in the labels"
        )
        click.echo(f"{chosen_encoding.name} does not cover {left_out} arcs; {what}", err=True)


@contextmanager
def _hint(kind: type[ArctagError], text: str) -> Iterator[None]:
    """Say what to do after an error of this kind."""
    try:
        yield
    except kind as error:
        raise InputError(f"{error}; {text}" if text else str(error)) from error


def _records(batch: EncodedBatch, explain: bool) -> Iterator[dict[str, Any]]:
    for sentence, rows in zip(batch.sentences, batch.rows(), strict=True):
        record: dict[str, Any] = {"id": sentence.id, "encoding": batch.encoding.name, "words": sentence.words}
        if (tags := _tags(batch, sentence)) is not None:
            record["tags"] = tags
        if explain:
            from arctag.cli.explained import explained_json

            yield record | explained_json(batch.encoding, sentence.graph, tags)
        else:
            yield record | {"labels": rows}


def _explain(batch: EncodedBatch, out: TextIO) -> None:
    from arctag.cli.explained import Page, show_graph

    page = Page(out)
    for sentence in batch.sentences:
        page.line(f"# {sentence.id}")
        show_graph(page, batch.encoding, sentence.graph, sentence.words, _tags(batch, sentence))
        page.line()


def _tags(batch: EncodedBatch, sentence: Sentence) -> list[str] | None:
    """The tags of a sentence, if the encoding needs them, as it knows them."""
    from arctag.encodings import UPOS, tag_numbers

    return [UPOS[number] for number in tag_numbers(sentence.tags)] if batch.encoding.needs_tags else None
