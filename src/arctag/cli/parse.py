"""`arctag parse`: text or words in, graphs out."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click

from arctag.cli import ctrl_c
from arctag.cli.common import bytes_bar, format_option, make_options, model_option, parse_options, tell_losses
from arctag.cli.parse_outputs import PICTURES, Outputs, Plan, draw_pictures, make_plan
from arctag.errors import InputError
from arctag.parse_tasks import JSON, Done, Settings, run, usable_workers
from arctag.sources import TEXT, TOKENS, Source, files_in, find_source
from arctag.text_pieces import LAYOUTS

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
@click.option("-o", "--output", default="-", help="A file, or a folder for one file per input; else standard output.")
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
    more=[JSON, *PICTURES],
)
@click.option(
    "--probabilities", is_flag=True, help="Write each arc's probability and the sentence's score (comments, in files)."
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    help="Processes that parse; else one for every two cores (one with torch).",
)
@click.option("--resume", is_flag=True, help="Go on with what the same command had written before it was interrupted.")
@parse_options
def command(
    inputs: tuple[str, ...], model: str, output: str, format: str | None, layout: str, to: str | None,
    probabilities: bool, workers: int | None, resume: bool,
    batch_tokens: int, ensure: str | None, threshold: float | None, device: str | None,
) -> None:  # fmt: skip
    """Parse INPUTS: a text in quotation marks, files, folders, or standard input ('-', or none).

    Graph files keep every other column byte for byte. A sentence that cannot be read or parsed is
    told on standard error and passed through unchanged; the exit code is then 1.
    """
    plan = make_plan(_sources(inputs, format, layout), output, to)
    options = make_options(batch_tokens, ensure, threshold, probabilities)
    trouble = Trouble()
    if plan.to in PICTURES:
        _refuse("a drawing", probabilities=probabilities, workers=workers is not None, resume=resume)
        draw_pictures(plan, Settings(model, device, options, "conllu"), trouble)
    else:
        if output == "-":
            _refuse("standard output", resume=resume)
        _write(plan, Settings(model, device, options, plan.to), workers, resume, trouble)
    trouble.tell(ensure)


def _write(plan: Plan, settings: Settings, workers: int | None, resume: bool, trouble: Trouble) -> None:
    """Parse everything into files."""
    count = workers or usable_workers(settings)
    with Outputs(plan, settings, resume, trouble) as outputs, bytes_bar(_bytes(plan)) as advance:
        for done in run(outputs.tasks(), settings, count):
            ctrl_c.check()
            outputs.write(done)
            trouble.count(done)
            advance(done.characters, done.words)


def _bytes(plan: Plan) -> int | None:
    """How much there is to read; unknown where a source is packed, or no file."""
    paths = [Path(source.path) for source in plan.sources]
    if not all(path.is_file() and path.suffix != ".gz" for path in paths):
        return None
    return sum(path.stat().st_size for path in paths)


class Trouble:
    """What is told at the end, and as it happens."""

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
        """A file of several that cannot be parsed."""
        self.failed += 1
        click.echo(f"left out: {message}", err=True)

    def count(self, done: Done) -> None:
        """Add up what became of a task."""
        for message in done.messages:
            self.passed_through(message)
        self.sentences += done.sentences
        self.changes += done.changes
        self.lost.update(done.lost)

    def tell(self, ensure: str | None) -> None:
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


def _sources(inputs: tuple[str, ...], format: str | None, layout: str) -> list[tuple[Source, Path | None]]:
    """What to parse, and the place of each file under the folder that was given, if one was."""
    if not inputs and sys.stdin.isatty():
        raise InputError('nothing to parse: give a text ("She wants to leave."), a file or a folder, or pipe one in')
    return [found for given in inputs or ("-",) for found in _sources_at(given, format, layout)]


def _sources_at(given: str, format: str | None, layout: str) -> Iterator[tuple[Source, Path | None]]:
    path = Path(given or " ")  # an empty text is not the folder where we are
    if given == "-":
        yield find_source(given, format, layout), None
    elif _exists(path):
        if path.is_dir():
            yield from ((find_source(str(file), format, layout), file.relative_to(path)) for file in files_in(path))
        else:
            yield find_source(given, format, layout), None
    elif format not in (None, TEXT) or _FILE_NAME.fullmatch(given):
        raise InputError(f"no file at {given}; to parse a text, put it in quotation marks, or pipe it in")
    else:
        yield Source("text", TEXT, layout, given), None


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a text that is too long for a name
        return False
