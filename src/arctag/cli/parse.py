"""`arctag parse`: text or words in, graphs out."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from arctag.cli import signals
from arctag.cli.common import (
    bytes_bar,
    format_option,
    make_options,
    model_option,
    parse_options,
    report_losses,
    split_names,
)
from arctag.cli.outputs import force_option, output_option
from arctag.cli.parse_plan import PICTURES, Plan, make_plan
from arctag.cli.pictures import Pictures
from arctag.cli.selection import chosen, limit_option, sentence_option
from arctag.errors import InputError
from arctag.formats import COLUMNAR, READ_ONLY, WRITE_ONLY, write
from arctag.formats.files import open_bytes
from arctag.formats.packing import packing_of_name
from arctag.layers.graphs import GraphLayer
from arctag.layers.trees import TREE
from arctag.parsing.inputs import OutputChunk, Remaining, find_sources, read_chunks
from arctag.parsing.jobs import Result, Settings, Worker, make_jobs
from arctag.parsing.language_check import with_language_check
from arctag.parsing.loading import load_config
from arctag.parsing.outputs import Outputs
from arctag.parsing.rendering import Renderer
from arctag.parsing.sources import TEXT, Source
from arctag.parsing.workers import default_workers, run_jobs
from arctag.sentence import Sentence
from arctag.text.chunks import AUTO, LAYOUTS
from arctag.text.documents import Fields
from arctag.text.languages import language_of
from arctag.transforms import empty_nodes


@click.command(
    epilog="""\b
Examples:
  arctag parse "She wants to leave."
  echo "She wants to leave." | arctag parse > parsed.conllu
  arctag parse book.txt -o book.conllu --resume
  arctag parse texts/ -o parsed/ --to json
  arctag parse texts.jsonl --text-field body --id-field id -o parsed.parquet
  arctag parse sentences.conllu -m my-model -o parsed.conllu
  arctag parse sentences.conllu -m my-model --layers upos,lemma,graph -o parsed.conllu
  arctag parse "She wants to leave." -o picture.svg"""
)
@click.argument("inputs", nargs=-1)
@model_option(default="en")
@output_option("A file, or a folder for one file per input (default: standard output).")
@force_option
@format_option(
    help="Format of the input: running text, tokens (a sentence per line, spaces between words), JSON lines with a "
    "text in each, a table, or a graph file (default: by its name or beginning).",
    more=[TEXT, *READ_ONLY, *WRITE_ONLY],
)
@click.option(
    "--text-field",
    metavar="NAME",
    help="Field of JSON lines, or column of a table, with a text (default: text, unless the table has sentences).",
)
@click.option("--words-field", metavar="NAME", help="The same for lists of words, or of sentences that are such lists.")
@click.option(
    "--id-field", metavar="NAME", help="The same for ids of documents (default: made of file and line or row)."
)
@click.option(
    "--layout", type=click.Choice(list(LAYOUTS)), default=AUTO, show_default=True,
    help="What lines mean in running text: " + "; ".join(f"{name}: {what}" for name, what in LAYOUTS.items()) + ".",
)  # fmt: skip
@format_option(
    "--to",
    "Format of the output (default: by its name; else a drawing on a terminal, and CoNLL-U or the input's own format "
    "elsewhere). json writes an object per line.",
    more=[*WRITE_ONLY, *PICTURES],
)
@click.option(
    "--probabilities",
    is_flag=True,
    help="Write the probability of each arc and the score of each sentence, as comments or JSON fields.",
)
@click.option(
    "--layers",
    metavar="NAMES",
    help="Comma-separated layers to predict, of those that `arctag models info` shows: upos,lemma,graph (default: all "
    "of them for words and text, the graph for graph files).",
)
@click.option("--layer", metavar="NAME", help="Write or draw this graph, or the tree, in place of the main graph.")
@click.option(
    "--tree",
    is_flag=True,
    help="Replace HEAD and DEPREL in graph files, too; where both are empty they are always filled.",
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    help="Number of processes (default: one for every two cores; one with torch).",
)
@sentence_option
@limit_option
@click.option("--resume", is_flag=True, help="Resume an interrupted run of the same command.")
@parse_options
def command(
    inputs: tuple[str, ...], model: str, output: str, format: str | None, text_field: str | None,
    words_field: str | None, id_field: str | None, layout: str, to: str | None,
    probabilities: bool, layers: str | None, layer: str | None, tree: bool, workers: int | None, resume: bool,
    wanted: tuple[str, ...], limit: int | None, force: bool,
    batch_tokens: int, ensure: str | None, threshold: float | None, device: str | None,
) -> None:  # fmt: skip
    """Parse INPUTS: a text in quotation marks, files, folders, or standard input ('-', or none).

    Graph files keep every other column byte for byte. A sentence that cannot be read or parsed is
    reported on standard error and passed through unchanged; the exit code is then 1.
    """
    if not inputs and sys.stdin.isatty():
        raise InputError('nothing to parse: give a text ("She wants to leave."), a file or a folder, or pipe one in')
    asked = _asked(model, layers, layer, tree)
    also = () if layer is None else (layer,)
    options = make_options(
        batch_tokens, ensure, threshold, probabilities=probabilities, tree=tree, layers=asked, also=also
    )
    reporter = Reporter()
    written = None if output == "-" else Path(output)
    fields = Fields(text_field, words_field, id_field)
    with find_sources(inputs or ("-",), format, layout, written, fields) as sources:
        _check_fields(fields, sources)
        plan = make_plan(sources, output, to, resume, force)
        settings = Settings(model, device, options, plan.to, layer or "")
        if plan.to in PICTURES:
            _refuse("a drawing", probabilities=probabilities, workers=workers is not None, resume=resume)
            _draw(plan, _selected(plan, settings, wanted, limit, reporter), force)
        elif wanted or limit:
            _refuse("chosen sentences", workers=workers is not None, resume=resume)
            if plan.folder:
                raise InputError(f"cannot write {output}: chosen sentences go into one file, not into a folder")
            _write_selected(plan, _selected(plan, settings, wanted, limit, reporter), reporter)
        else:
            if output == "-":
                _refuse("standard output", resume=resume)
            outputs = Outputs(plan.targets, settings, folder=plan.folder, resume=resume, force=force)
            _write_all(plan, outputs, settings, workers, reporter)
    reporter.summarise(",".join(options.ensure or ()))


def _check_fields(fields: Fields, sources: list[Source]) -> None:
    """Refuse fields where no input has any."""
    if fields != Fields() and not any(source.has_fields for source in sources):
        raise InputError("--text-field, --words-field and --id-field are for JSON lines and tables; no input is one")


def _asked(model: str, layers: str | None, layer: str | None, tree: bool) -> tuple[str, ...] | None:
    """The layers that were named; checked before anything is written."""
    names = split_names(layers)
    if layer is not None:
        chosen = load_config(model).layer(layer)
        if not isinstance(chosen, GraphLayer) and layer != TREE:
            raise InputError(f"--layer {layer}: this layer is neither a graph nor the tree")
        if names is not None and layer not in names:
            raise InputError(f"--layer {layer}: it is not among --layers")
    if names is None:
        if layers is not None:
            raise InputError("--layers names no layer; leave it out for all that the output has room for")
        return None
    if tree:
        raise InputError("--tree does nothing beside --layers: name tree there")
    config = load_config(model)
    for name in names:
        config.layer(name)
    return tuple(names)


def _write_all(plan: Plan, outputs: Outputs, settings: Settings, workers: int | None, reporter: Reporter) -> None:
    """Parse everything: sources are cut into chunks, chunks are joined into jobs, results are written in order."""
    with outputs, bytes_bar(_bytes(plan)) as advance:
        chunks = _read(outputs.remaining(), settings, plan, reporter)
        try:
            for result in run_jobs(make_jobs(chunks), settings, workers or default_workers(settings)):
                signals.check()
                outputs.write(result)
                reporter.count(result)
                advance(result.bytes, result.words)
        except KeyboardInterrupt:
            if outputs.resumable:
                click.echo("what is parsed is kept: the same command with --resume continues", err=True)
            raise


def _read(remaining: Iterable[Remaining], settings: Settings, plan: Plan, reporter: Reporter) -> Iterator[OutputChunk]:
    chunks = read_chunks(remaining, reporter, strict=len(plan.sources) == 1)
    return with_language_check(chunks, language_of(Path(settings.model).name), reporter.warn)


def _selected(
    plan: Plan, settings: Settings, wanted: tuple[str, ...], limit: int | None, reporter: Reporter
) -> Iterator[Sentence]:
    """The sentences that were chosen, parsed; what comes after the last of them is not read."""
    worker = Worker(settings)
    everything = Remaining(0, plan.output, plan.sources)
    chunks = _read([everything], settings, plan, reporter)
    sentences = (s for chunk in chunks for s in worker.sentences(chunk.origin, [chunk.chunk], reporter.passed_through))
    selected = reporter.counted(chosen(sentences, wanted, lambda sentence: sentence, limit))
    return map(worker.chosen, worker.parse(reporter.without_empty(selected), reporter.passed_through))


def _draw(plan: Plan, sentences: Iterator[Sentence], force: bool) -> None:
    pictures = Pictures(Path(plan.sources[0].path).name, plan.output, force=force)
    pictures.draw(((sentence, None) for sentence in sentences), plan.to)


def _write_selected(plan: Plan, sentences: Iterator[Sentence], reporter: Reporter) -> None:
    """Write chosen sentences, one by one."""
    if plan.to in COLUMNAR:
        write(reporter.with_changes(sentences), plan.output, plan.to, reporter.lost)
        return
    renderer = Renderer(plan.to)
    with open_bytes(plan.output) as file:
        parts = renderer.data(reporter.with_changes(sentences))
        first = next(parts, b"")  # on which the header may depend
        file.write(renderer.header.encode() + first)
        for data in parts:
            file.write(data)
    reporter.lost.update(renderer.lost)


def _bytes(plan: Plan) -> int | None:
    """How much there is to read; unknown where a source is packed, or no file."""
    paths = [Path(source.path) for source in plan.sources]
    if not all(path.is_file() and not packing_of_name(path) for path in paths):
        return None
    return sum(path.stat().st_size for path in paths)


class Reporter:
    """Prints problems as they happen, and sums them up at the end."""

    def __init__(self) -> None:
        self.sentences = self.passed = self.changes = self.failed = 0
        self.lost: Counter[str] = Counter()

    def passed_through(self, message: str) -> None:
        """A sentence that is written as it was read."""
        self.passed += 1
        click.echo(f"passed through: {message}", err=True)

    def warn(self, message: str) -> None:
        """Something odd that does not keep an input from being parsed."""
        click.echo(f"warning: {message}", err=True)

    def fail(self, message: str) -> None:
        """An input that cannot be read, or not to its end."""
        self.failed += 1
        click.echo(f"not read: {message}", err=True)

    def counted(self, sentences: Iterator[Sentence]) -> Iterator[Sentence]:
        """The same sentences, counted."""
        for sentence in sentences:
            self.sentences += 1
            yield sentence

    def without_empty(self, sentences: Iterator[Sentence]) -> Iterator[Sentence]:
        """The same sentences; the empty nodes, which a parse does not have, are counted as lost."""
        for sentence in sentences:
            if lost := empty_nodes.count(sentence):
                self.lost["empty nodes"] += lost
            yield sentence

    def with_changes(self, sentences: Iterator[Sentence]) -> Iterator[Sentence]:
        """The same sentences; what guarantees changed in them is counted."""
        for sentence in sentences:
            self.changes += sentence.changes
            yield sentence

    def count(self, result: Result) -> None:
        """Add up the result of a job."""
        for message in result.messages:
            self.passed_through(message)
        self.sentences += result.sentences
        self.changes += result.changes
        self.lost.update(result.lost)

    def summarise(self, ensure: str) -> None:
        """Print the sums; exit code 1 if something was not parsed."""
        report_losses(self.lost)
        if ensure and ensure != "none":
            click.echo(f"{self.changes} arcs added or removed to ensure {ensure}", err=True)
        if self.passed:
            click.echo(f"{self.passed} of {self.sentences} sentences were passed through unparsed", err=True)
        if self.passed or self.failed:
            raise click.exceptions.Exit(1)


def _refuse(where: str, **options: bool) -> None:
    for name, used in options.items():
        if used:
            raise InputError(f"--{name} does nothing for {where}")
