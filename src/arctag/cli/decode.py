"""`arctag decode`: labels to graphs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import click

from arctag.cli.common import format_option, progress, tell_losses


@click.command(
    epilog="""\b
Examples:
  arctag encode dev.conllu -e bits6-4 | arctag decode -
  arctag decode dev.labels -o dev.out.conllu --like dev.conllu"""
)
@click.argument("file")
@click.option("-e", "--encoding", "name", help="Else taken from the line '# encoding = NAME'.")
@click.option("-o", "--output", default="-", help="Where to write; '-' is standard output.")
@format_option("--to", "Format of the output; else taken from its name, else CoNLL-U.")
@click.option("--like", metavar="TREEBANK", help="Put the graphs into these sentences, keeping their other columns.")
def command(file: str, name: str | None, output: str, to: str | None, like: str | None) -> None:
    """Turn the labels in FILE ('-': standard input) into graphs.

    Ill-formed labels never stop the decoding; how many repairs they took is said on standard error.
    """
    from arctag import empty_nodes, label_files
    from arctag.errors import AlignmentError
    from arctag.formats import read, write
    from arctag.sentence import Sentence

    repairs = 0

    def sentences() -> Iterator[Sentence]:
        nonlocal repairs
        others = map(empty_nodes.drop, read(like)) if like else None
        for sentence, count in progress(label_files.read(file, name), "decoding"):
            repairs += count
            if others is None:
                yield sentence
                continue
            other = next(others, None)
            if other is None or other.words != sentence.words:
                raise AlignmentError(f"{file} and {like} differ from sentence {sentence.id} on")
            yield other.with_graph(sentence.graph)
        if others is not None and (rest := next(others, None)) is not None:
            raise AlignmentError(f"{like} has sentences that {file} lacks, from {rest.id} on")

    lost: Counter[str] = Counter()
    write(sentences(), output, to, lost)
    tell_losses(lost)
    if repairs:
        click.echo(f"{repairs} repairs to ill-formed labels", err=True)
