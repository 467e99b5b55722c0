"""`arctag parse`: words in, graphs out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import click

from arctag.cli.common import format_option, make_options, model_option, parse_options, progress, tell_losses
from arctag.sentence import Sentence
from arctag.text_input import TOKENS, read_any


@click.command(
    epilog="""\b
Examples:
  arctag parse sentences.conllu -m my-model -o parsed.conllu
  arctag parse a.conllu b.conllu -m my-model > parsed.conllu
  echo 'She wants to leave .' | arctag parse - --format tokens -m my-model"""
)
@click.argument("files", nargs=-1, required=True)
@model_option
@click.option("-o", "--output", default="-", help="Where to write; '-' is standard output.")
@format_option(
    help="Format of the input; else by its name ('.txt' is tokens: a sentence a line, spaces between words).",
    more=[TOKENS],
)
@format_option("--to", "Format of the output; else by its name, else that of the input.")
@click.option(
    "--probabilities", is_flag=True, help="Write each arc's probability and the sentence's score as comments."
)
@parse_options
def command(
    files: tuple[str, ...], model: str, output: str, format: str | None, to: str | None, probabilities: bool,
    batch_tokens: int, ensure: str | None, threshold: float | None, device: str | None,
) -> None:  # fmt: skip
    """Parse FILES ('-': standard input) and write them as one, every other column kept byte for byte.

    A sentence that cannot be read or parsed is told on standard error and passed through unchanged;
    the exit code is then 1.
    """
    from arctag.formats import write
    from arctag.parser import Parser

    parser = Parser.load(model, device)
    options = make_options(batch_tokens, ensure, threshold, probabilities)
    trouble: Counter[str] = Counter()

    def told(message: str) -> None:
        trouble["sentences"] += 1
        click.echo(f"passed through: {message}", err=True)

    def sentences() -> Iterator[Sentence]:
        for file in files:
            yield from read_any(file, format, told)

    def counted(sentence: Sentence) -> Sentence:
        trouble["changes"] += int(str(sentence.extra.get("ensured", 0)))
        return sentence

    parsed = parser.parse_sentences(sentences(), options, lambda s, why: told(f"{s.id}: {why}"))
    if ensure:
        parsed = map(counted, parsed)
    if probabilities:
        parsed = map(_with_comments, parsed)
    lost: Counter[str] = Counter()
    count = write(progress(parsed, "parsing"), output, to, lost)
    tell_losses(lost)
    if ensure:
        click.echo(f"{trouble['changes']} arcs added or removed to ensure {ensure}", err=True)
    if trouble["sentences"]:
        click.echo(f"{trouble['sentences']} of {count} sentences were passed through unparsed", err=True)
        raise click.exceptions.Exit(1)


def _with_comments(sentence: Sentence) -> Sentence:
    """Probabilities where a reader of the file can see them."""
    if "probabilities" not in sentence.extra:
        return sentence
    probable = sentence.extra["probabilities"]
    assert isinstance(probable, list)
    names = ["0", *sentence.ids]
    arcs = " ".join(
        f"{names[arc.head]}>{names[arc.dependent]}={p:.3f}" for arc, p in zip(sentence.graph, probable, strict=True)
    )
    score = sentence.extra["score"]
    at = len(sentence.comments)
    if sentence.format == "sdp" and at and not sentence.comments[-1].startswith("#SDP"):
        at -= 1  # the last comment is the sentence's id
    new = (f"# score = {score:.4f}", f"# probabilities = {arcs}")
    return replace(sentence, comments=(*sentence.comments[:at], *new, *sentence.comments[at:]))
