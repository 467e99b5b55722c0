"""`arctag decode`: labels to graphs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

import click

from arctag.cli.common import format_option, progress, report_losses
from arctag.cli.outputs import force_option, graph_format, output_option, protect_inputs
from arctag.cli.selection import chosen, sentence_option

if TYPE_CHECKING:
    from arctag.formats.label_files import Labelled
    from arctag.graph import Graph
    from arctag.sentence import Sentence


@click.command(
    epilog="""\b
Examples:
  arctag encode dev.conllu -e bits6-4 | arctag decode -
  arctag decode dev.labels -o dev.out.conllu --like dev.conllu
  arctag encode dev.conllu -e hexatag --layer tree | arctag decode - --tree --like dev.conllu
  arctag decode dev.labels --sentence weblog-0001 --explain"""
)
@click.argument("file")
@click.option("-e", "--encoding", "name", help="Name of the encoding (default: from the line '# encoding = NAME').")
@output_option()
@force_option
@format_option("--to", "Format of the output (default: by its name, else CoNLL-U).")
@click.option(
    "--like", metavar="TREEBANK", help="Put the graphs into the sentences of this treebank, and keep its other columns."
)
@click.option("--tree", is_flag=True, help="Put the graphs, which must be trees, into HEAD and DEPREL.")
@sentence_option
@click.option("--explain", is_flag=True, help="Show the decoding step by step, with every repair, instead of graphs.")
def command(
    file: str, name: str | None, output: str, to: str | None, like: str | None, tree: bool, wanted: tuple[str, ...],
    explain: bool, force: bool,
) -> None:  # fmt: skip
    """Turn the labels in FILE ('-': standard input) into graphs.

    Ill-formed labels never stop the decoding; how many repairs they needed is reported on standard error.
    """
    from arctag.formats import label_files, write
    from arctag.graph import Graph
    from arctag.transforms.main_graph import with_basic

    if like and (wanted or explain):
        raise click.UsageError("--like goes with all sentences and their graphs, not with --sentence or --explain")
    if explain and (to or tree):
        raise click.UsageError("--explain writes no graphs: leave out --to and --tree")
    protect_inputs([output], [file, *([like] if like else [])], force)
    labelled = chosen(label_files.read(file, name), wanted, lambda one: one.sentence)
    if explain:
        _explain(labelled, output)
        return
    repairs = 0

    def sentences() -> Iterator[Sentence]:
        nonlocal repairs
        for sentence, count in label_files.decoded(progress(labelled, "decoding")):
            repairs += count
            yield sentence

    lost: Counter[str] = Counter()
    if tree and graph_format(output, to) == "sdp":
        raise click.UsageError("SDP files have no HEAD and DEPREL: leave out --tree")
    put = with_basic if tree else _with_graph
    graphs = _with_columns(sentences(), file, like, put) if like else sentences()
    if tree and not like:
        graphs = (put(sentence.with_graph(Graph(sentence.graph.n)), sentence.graph) for sentence in graphs)
    write(graphs, output, graph_format(output, to), lost)
    report_losses(lost)
    if repairs:
        click.echo(f"{repairs} repairs to ill-formed labels", err=True)


def _with_columns(
    sentences: Iterator[Sentence], file: str, like: str, put: Callable[[Sentence, Graph], Sentence]
) -> Iterator[Sentence]:
    """The sentences of a treebank, with the graphs of the same sentences in another file."""
    from arctag.errors import AlignmentError
    from arctag.formats import read
    from arctag.transforms import empty_nodes

    others = iter(read(like))
    for sentence in sentences:
        other = next(others, None)
        if other is None or empty_nodes.drop(other).words != sentence.words:
            raise AlignmentError(f"{file} and {like} differ from sentence {sentence.id} on")
        yield put(other, sentence.graph)
    if (rest := next(others, None)) is not None:
        raise AlignmentError(f"{like} has sentences that {file} lacks, from {rest.id} on")


def _with_graph(sentence: Sentence, graph: Graph) -> Sentence:
    """Graphs of labels have no empty nodes."""
    from arctag.transforms import empty_nodes

    return empty_nodes.drop(sentence).with_graph(graph)


def _explain(labelled: Iterable[Labelled], output: str) -> None:
    from arctag.cli.explained import Page, show_steps
    from arctag.formats.files import open_output
    from arctag.trace import trace

    with open_output(output) as out:
        page = Page(out)
        for one in labelled:
            page.line(f"# {one.sentence.id}")
            nulls = one.nulls if any(one.nulls) else None
            show_steps(page, trace(one.encoding, one.texts, nulls=nulls, tags=one.tags), one.sentence.words)
            page.line()
