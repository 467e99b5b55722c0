"""`arctag decode`: labels to graphs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
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
@click.option(
    "--tree/--no-tree",
    default=None,
    help="Put the graphs into HEAD and DEPREL, as trees (default: those of encodings that are for trees only).",
)
@sentence_option
@click.option("--explain", is_flag=True, help="Show the decoding step by step, with every repair, instead of graphs.")
def command(
    file: str, name: str | None, output: str, to: str | None, like: str | None, tree: bool | None,
    wanted: tuple[str, ...], explain: bool, force: bool,
) -> None:  # fmt: skip
    """Turn the labels in FILE ('-': standard input) into graphs.

    Ill-formed labels never stop the decoding; how many repairs they needed is reported on standard error.
    """
    from arctag.formats import label_files, write

    if like and (wanted or explain):
        raise click.UsageError("--like goes with all sentences and their graphs, not with --sentence or --explain")
    if explain and (to or tree):
        raise click.UsageError("--explain writes no graphs: leave out --to and --tree")
    if graph_format(output, to) == "sdp":
        if tree:
            raise click.UsageError("SDP files have no HEAD and DEPREL: leave out --tree")
        tree = False
    protect_inputs([output], [file, *([like] if like else [])], force)
    labelled = chosen(label_files.read(file, name), wanted, lambda one: one.sentence)
    if explain:
        _explain(labelled, output)
        return
    lost: Counter[str] = Counter()
    decoding = _Decoding(file, like, tree, lost)
    write(decoding.sentences(progress(labelled, "decoding")), output, graph_format(output, to), lost)
    report_losses(lost)
    if decoding.repairs:
        click.echo(f"{decoding.repairs} repairs to ill-formed labels", err=True)


@dataclass
class _Decoding:
    """Decoded sentences with their graphs, or trees, in place; counts repairs and what is lost."""

    file: str
    like: str | None
    tree: bool | None
    lost: Counter[str]
    repairs: int = 0

    def sentences(self, labelled: Iterable[Labelled]) -> Iterator[Sentence]:
        """Each sentence of a label file, or the same one of a treebank."""
        from arctag.graph import Graph

        pairs = self._alike(labelled) if self.like else ((one, None) for one in labelled)
        for one, other in pairs:
            decoded, repairs = one.decoded()
            self.repairs += repairs
            is_tree = one.encoding.trees_only if self.tree is None else self.tree
            base = other or decoded.with_graph(Graph(decoded.graph.n))
            yield self._with_tree(base, decoded.graph) if is_tree else self._with_graph(base, decoded.graph)

    def _alike(self, labelled: Iterable[Labelled]) -> Iterator[tuple[Labelled, Sentence]]:
        """With the sentences of the treebank, which must have the same words."""
        from arctag.errors import AlignmentError
        from arctag.formats import read
        from arctag.transforms import empty_nodes

        assert self.like is not None
        others = iter(read(self.like))
        for one in labelled:
            other = next(others, None)
            if other is None or empty_nodes.drop(other).words != one.sentence.words:
                raise AlignmentError(f"{self.file} and {self.like} differ from sentence {one.sentence.id} on")
            yield one, other
        if (rest := next(others, None)) is not None:
            raise AlignmentError(f"{self.like} has sentences that {self.file} lacks, from {rest.id} on")

    def _with_tree(self, sentence: Sentence, graph: Graph) -> Sentence:
        from arctag.transforms.main_graph import with_basic

        filled, repairs = with_basic(sentence, graph)
        self.repairs += repairs
        return filled

    def _with_graph(self, sentence: Sentence, graph: Graph) -> Sentence:
        from arctag.transforms import empty_nodes

        if sentence.has_empty:
            self.lost["empty nodes"] += sum(sentence.empty)
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
