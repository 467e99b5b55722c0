"""`arctag export`: a trained model as one that needs no torch."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

import click

from arctag.backends.torch.precisions import PRECISIONS
from arctag.cli.common import model_option
from arctag.errors import InputError, MissingExtra
from arctag.formats.files import cannot_write
from arctag.modelfile.bundled import place
from arctag.parsing.loading import load


@click.command(
    epilog="""\b
Examples:
  arctag export -m my-model -o my-small-model
  arctag export -m my-model -o my-exact-model --precision fp32
  arctag parse sentences.conllu -m my-small-model -o parsed.conllu"""
)
@model_option()
@click.option("-o", "--output", required=True, metavar="DIR", help="The model folder to write.")
@click.option(
    "--precision", type=click.Choice(tuple(PRECISIONS)), default="int8", show_default=True,
    help="int8: weights in 8 bits, a quarter of the size and several times as fast on a CPU, with scores that differ "
    "in the second decimal. fp32: the same graphs as the trained model.",
)  # fmt: skip
@click.option(
    "--test",
    multiple=True,
    metavar="[LAYER=]FILE",
    help="Score the exported model on this, for its card: its graph, or the layer that is named. Repeatable.",
)
@click.option("--force", is_flag=True, help="Replace a model in the folder to write.")
def command(model: str, output: str, precision: str, test: tuple[str, ...], force: bool) -> None:
    """Write a trained model as a folder that runs without torch, by ONNX Runtime alone.

    Every command that takes a model takes that folder too. In either precision a sentence gets the same graph whatever
    the rest of its batch.
    """
    try:
        from arctag.backends.torch.export.exporter import export
    except ImportError as error:
        raise MissingExtra("Exporting", "train") from error
    from arctag.backends.torch.backend import TorchBackend
    from arctag.modelfile.folder import writable

    if Path(output).resolve() == place(model).resolve():
        raise InputError(f"{output} holds the model itself: write the exported one elsewhere")
    writable(output, force)  # an error now, not after the work
    parser = load(model, "cpu")
    if not isinstance(parser.backend, TorchBackend):
        raise InputError(f"{model} is exported already: export the folder that `arctag train` wrote")
    parser.config = replace(parser.config, card={**parser.config.card, "precision": precision})
    with tempfile.TemporaryDirectory(prefix="arctag-") as folder:
        try:
            parser.backend = export(parser.config, parser.backend.model, precision, Path(folder))
        except OSError as error:
            raise cannot_write(output, error) from error
        parser.save(output, force)
    if test:
        _score(output, test)


def _score(folder: str, files: tuple[str, ...]) -> None:
    """Put the exported model's own scores on its card, in place of those of the trained one."""
    from arctag.training.final_scores import figures_text, score_tests

    scored, scores = score_tests(load(folder), files)
    scored.save(folder, force=True)
    for file, result in scores.items():
        click.echo(f"{file}: {figures_text(result)}")
