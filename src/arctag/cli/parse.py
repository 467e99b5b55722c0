"""`arctag parse`: text or words in, graphs out."""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click

from arctag.cli import signals
from arctag.cli.common import bytes_bar, format_option, make_options, model_option, parse_options, tell_losses
from arctag.cli.outputs import force_option, output_option
from arctag.cli.parse_outputs import PICTURES, Outputs, Plan, make_plan
from arctag.cli.pictures import Pictures
from arctag.cli.selection import chosen, limit_option, sentence_option
from arctag.errors import ArctagError, InputError
from arctag.formats import Writer
from arctag.formats.files import open_output
from arctag.formats.json_lines import JSON
from arctag.parsing.jobs import Done, Settings, Worker, run, usable_workers, with_probabilities
from arctag.parsing.sources import TEXT, TOKENS, Source, files_in, find_source
from arctag.sentence import Sentence
from arctag.text.chunks import LAYOUTS

_FILE_NAME = re.compile(r"\S*[/\\]\S*|\S*\.(?=[a-z0-9]*[a-z])[a-z0-9]{2,6}", re.IGNORECASE)


@click.command(
    epilog="""\b
Examples:
  arctag parse "She wants to leave."
  echo "She wants to leave." | arctag parse > parsed.conllu
  arctag parse book.txt -o book.conllu --resume
  arctag parse texts/ -o parsed/ --to json
  arctag parse sentences.conllu -m my-model -o parsed.conllu
  arctag parse "She wants to leave." -o picture.svg"""
)
@click.argument("inputs", nargs=-1)
@model_option(default="en")
@output_option("A file, or a folder for one file per input; else standard output.")
@force_option
@format_option(
    help="What the input is, unless its name or its beginning says so: running text, tokens (a sentence on each line, "
    "spaces between words), or a graph file.",
    more=[TEXT, TOKENS],
)
@click.option(
    "--layout", type=click.Choice(list(LAYOUTS)), default="paragraphs", show_default=True,
    help="What lines mean in running text: " + "; ".join(f"{name}: {what}" for name, what in LAYOUTS.items()) + ".",
)  # fmt: skip
@format_option(
    "--to",
    "What to write; else by the name of the output, else a drawing on a terminal and CoNLL-U (or the input's own "
    "format) elsewhere. json is one object on each line.",
    more=[JSON.name, *PICTURES],
)
@click.option(
    "--probabilities", is_flag=True, help="Write each arc's probability and the sentence's score (comments, in files)."
)
@click.option(
    "--tree", is_flag=True, help="Replace HEAD and DEPREL of graph files, too; where both are empty they are filled."
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    help="Processes that parse; else one for every two cores (one with torch).",
)
@sentence_option
@limit_option
@click.option("--resume", is_flag=True, help="Continue after what the same command wrote before it was interrupted.")
@parse_options
def command(
    inputs: tuple[str, ...], model: str, output: str, format: str | None, layout: str, to: str | None,
    probabilities: bool, tree: bool, workers: int | None, resume: bool, wanted: tuple[str, ...], limit: int | None,
    force: bool,
    batch_tokens: int, ensure: str | None, threshold: float | None, device: str | None,
) -> None:  # fmt: skip
    """Parse INPUTS: a text in quotation marks, files, folders, or standard input ('-', or none).

    Graph files keep every other column byte for byte. A sentence that cannot be read or parsed is
    reported on standard error and passed through unchanged; the exit code is then 1.
    """
    plan = make_plan(_sources(inputs, format, layout, output), output, to, resume, force)
    options = make_options(batch_tokens, ensure, threshold, probabilities, tree)
    settings = Settings(model, device, options, plan.to)
    trouble = Trouble()
    if plan.to in PICTURES:
        _refuse("a drawing", probabilities=probabilities, workers=workers is not None, resume=resume)
        _draw(plan, _selected(plan, Worker(settings), wanted, limit, trouble))
    elif wanted or limit:
        _refuse("chosen sentences", workers=workers is not None, resume=resume)
        if plan.folder:
            raise InputError(f"cannot write {output}: chosen sentences go into one file, not into a folder")
        _write_some(plan, _selected(plan, Worker(settings), wanted, limit, trouble), trouble)
    else:
        if output == "-":
            _refuse("standard output", resume=resume)
        _write(plan, settings, workers, resume, trouble)
    trouble.report(ensure)


def _write(plan: Plan, settings: Settings, workers: int | None, resume: bool, trouble: Trouble) -> None:
    """Parse everything into files."""
    count = workers or usable_workers(settings)
    with Outputs(plan, settings, resume, trouble) as outputs, bytes_bar(_bytes(plan)) as advance:
        try:
            for done in run(outputs.tasks(), settings, count):
                signals.check()
                outputs.write(done)
                trouble.count(done)
                advance(done.characters, done.words)
        except KeyboardInterrupt:
            if outputs.kept:
                click.echo("what is parsed is kept: the same command with --resume continues", err=True)
            raise


def _selected(
    plan: Plan, worker: Worker, wanted: tuple[str, ...], limit: int | None, trouble: Trouble
) -> Iterator[Sentence]:
    """The sentences of all sources that are wanted, parsed; what comes after the last of them is not read."""
    report = trouble.passed_through

    def everything() -> Iterator[Sentence]:
        for source in plan.sources:
            try:
                yield from worker.sentences(source, source.units(trouble), report)
            except ArctagError as error:  # the file, or what is left of it, cannot be read
                if len(plan.sources) == 1 and not trouble.sentences:
                    raise
                trouble.fail(str(error))

    def counted() -> Iterator[Sentence]:
        for sentence in chosen(everything(), wanted, lambda sentence: sentence, limit):
            trouble.sentences += 1
            yield sentence

    return worker.parse(counted(), report, trouble.lost)


def _draw(plan: Plan, sentences: Iterator[Sentence]) -> None:
    pictures = Pictures(Path(plan.sources[0].path).name, plan.outputs[0], force=plan.force)
    pictures.draw(((sentence, None) for sentence in sentences), plan.to)


def _write_some(plan: Plan, sentences: Iterator[Sentence], trouble: Trouble) -> None:
    """Write chosen sentences, one by one."""
    writer = Writer(plan.to)
    with open_output(plan.outputs[0]) as file:
        file.write(writer.header)
        for sentence in sentences:
            trouble.changes += sentence.changes
            file.write(writer.text(with_probabilities(sentence)))
    trouble.lost.update(writer.lost)


def _bytes(plan: Plan) -> int | None:
    """How much there is to read; unknown where a source is packed, or no file."""
    paths = [Path(source.path) for source in plan.sources]
    if not all(path.is_file() and path.suffix != ".gz" for path in paths):
        return None
    return sum(path.stat().st_size for path in paths)


class Trouble:
    """What is reported as it happens, and at the end."""

    def __init__(self) -> None:
        self.sentences = self.passed = self.changes = self.failed = 0
        self.lost: Counter[str] = Counter()

    def passed_through(self, message: str) -> None:
        """A sentence that comes out as it went in."""
        self.passed += 1
        click.echo(f"passed through: {message}", err=True)

    def warn(self, message: str) -> None:
        """Something odd that does not keep the text from being parsed."""
        click.echo(f"warning: {message}", err=True)

    def fail(self, message: str) -> None:
        """An input that cannot be read, or not to its end."""
        self.failed += 1
        click.echo(f"not read: {message}", err=True)

    def count(self, done: Done) -> None:
        """Add up what became of a task."""
        for message in done.messages:
            self.passed_through(message)
        self.sentences += done.sentences
        self.changes += done.changes
        self.lost.update(done.lost)

    def report(self, ensure: str | None) -> None:
        """The sum of it; exit code 1 if something was not parsed."""
        tell_losses(self.lost)
        if ensure:
            click.echo(f"{self.changes} arcs added or removed to ensure {ensure}", err=True)
        if self.passed:
            click.echo(f"{self.passed} of {self.sentences} sentences were passed through unparsed", err=True)
        if self.passed or self.failed:
            raise click.exceptions.Exit(1)


def _refuse(where: str, **options: bool) -> None:
    for name, given in options.items():
        if given:
            raise InputError(f"--{name} does nothing for {where}")


def _sources(inputs: tuple[str, ...], format: str | None, layout: str, output: str) -> list[tuple[Source, Path | None]]:
    """What to parse, and the place of each file under the folder that was given, if one was."""
    if not inputs and sys.stdin.isatty():
        raise InputError('nothing to parse: give a text ("She wants to leave."), a file or a folder, or pipe one in')
    streams = [given for given in inputs if given == "-" or (_exists(Path(given)) and _is_stream(Path(given)))]
    if len(set(streams)) < len(streams):
        raise InputError("a stream can be read only once, and one is given twice: leave out the second")
    written = Path(output) if output != "-" else None
    return [found for given in inputs or ("-",) for found in _sources_at(given, format, layout, written)]


def _sources_at(
    given: str, format: str | None, layout: str, written: Path | None
) -> Iterator[tuple[Source, Path | None]]:
    """A text, a file, or the files in a folder."""
    path = Path(given or " ")  # an empty text is not the folder where we are
    if given == "-":
        yield find_source(given, format, layout), None
    elif _exists(path):
        if path.is_dir():
            files = files_in(path, written)
            yield from ((find_source(str(file), format, layout), file.relative_to(path)) for file in files)
        else:
            yield find_source(given, format, layout), None
    elif format not in (None, TEXT) or _FILE_NAME.fullmatch(given):
        raise InputError(f"no file at {given}; to parse a text, put it in quotation marks, or pipe it in")
    else:
        # the bytes that were typed are UTF-8, whatever the locale makes of them
        yield Source("text", TEXT, layout, os.fsencode(given).decode("utf-8", "surrogateescape")), None


def _is_stream(path: Path) -> bool:
    return not path.is_file() and not path.is_dir()


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a text that is too long for a name
        return False
