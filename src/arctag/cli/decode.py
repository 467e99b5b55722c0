"""`arctag decode`: labels to graphs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click

from arctag.cli.common import format_option, progress, report_losses
from arctag.cli.outputs import force_option, graph_format, output_option, spare_inputs
from arctag.cli.selection import chosen, sentence_option

if TYPE_CHECKING:
    from arctag.formats.label_files import Labelled


@click.command(
    epilog="""\b
Examples:
  arctag encode dev.conllu -e bits6-4 | arctag decode -
  arctag decode dev.labels -o dev.out.conllu --like dev.conllu
  arctag decode dev.labels --sentence weblog-0001 --explain"""
)
@click.argument("file")
@click.option("-e", "--encoding", "name", help="Else taken from the line '# encoding = NAME'.")
@output_option()
@force_option
@format_option("--to", "Format of the output; else taken from its name, else CoNLL-U.")
@click.option("--like", metavar="TREEBANK", help="Put the graphs into these sentences, keeping their other columns.")
@sentence_option
@click.option("--explain", is_flag=True, help="Show the decoding step by step, with every repair, in place of graphs.")
def command(
    file: str, name: str | None, output: str, to: str | None, like: str | None, wanted: tuple[str, ...], explain: bool,
    force: bool,
) -> None:  # fmt: skip
    """Turn the labels in FILE ('-': standard input) into graphs.

    Ill-formed labels never stop the decoding; how many repairs they took is said on standard error.
    """
    from arctag.errors import AlignmentError
    from arctag.formats import label_files, read, write
    from arctag.sentence import Sentence
    from arctag.transforms import empty_nodes

    if like and (wanted or explain):
        raise click.UsageError("--like goes with all sentences and their graphs, not with --sentence or --explain")
    if to and explain:
        raise click.UsageError("--explain writes no graphs: leave out --to")
    spare_inputs([output], [file, *([like] if like else [])], force)
    found = chosen(label_files.read(file, name), wanted, lambda labelled: labelled.sentence)
    if explain:
        _explain(found, output)
        return
    repairs = 0

    def sentences() -> Iterator[Sentence]:
        nonlocal repairs
        others = map(empty_nodes.drop, read(like)) if like else None
        for labelled in progress(found, "decoding"):
            sentence = labelled.sentence
            repairs += labelled.repairs
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
    write(sentences(), output, graph_format(output, to), lost)
    report_losses(lost)
    if repairs:
        click.echo(f"{repairs} repairs to ill-formed labels", err=True)


def _explain(found: Iterable[Labelled], output: str) -> None:
    from arctag.cli.explained import Page, show_steps
    from arctag.formats.files import open_output
    from arctag.trace import trace

    with open_output(output) as out:
        page = Page(out)
        for sentence, _, encoding, labels, nulls in found:
            page.line(f"# {sentence.id}")
            show_steps(page, trace(encoding, labels, nulls=nulls if any(nulls) else None), sentence.words)
            page.line()
