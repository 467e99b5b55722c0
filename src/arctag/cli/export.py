"""`arctag export`: a trained model as one that needs no torch."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from arctag.cli.common import model_option
from arctag.errors import InputError, MissingExtra
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
    "--precision", type=click.Choice(["int8", "fp32"]), default="int8", show_default=True,
    help="int8: weights in 8 bits, a quarter of the size and several times as fast on a CPU, with scores that differ "
    "in the second decimal. fp32: the very graphs of the trained model.",
)  # fmt: skip
@click.option(
    "--test", multiple=True, metavar="FILE", help="Score the exported model on this, for its card. Repeatable."
)
@click.option("--force", is_flag=True, help="Replace a model in the folder to write.")
def command(model: str, output: str, precision: str, test: tuple[str, ...], force: bool) -> None:
    """Write a trained model as a folder that runs without torch, by ONNX Runtime alone.

    Every verb that takes a model takes that folder too. Sentences are parsed the same whatever
    stands beside them, in either precision.
    """
    try:
        from arctag.backends.torch.export import Exporter
    except ImportError as error:
        raise MissingExtra("Exporting", "train") from error
    from arctag.backends.torch.backend import TorchBackend
    from arctag.modelfile.folder import writable

    if Path(output).resolve() == place(model).resolve():
        raise InputError(f"{output} holds the model itself: write the exported one elsewhere")
    writable(output, force)  # better known before the work than after it
    parser = load(model, "cpu")
    if not isinstance(parser.backend, TorchBackend):
        raise InputError(f"{model} is exported already: export the folder that `arctag train` wrote")
    parser.config = replace(parser.config, card={**parser.config.card, "precision": precision})
    parser.backend = Exporter(parser.config, parser.backend.model, precision)  # type: ignore[assignment]
    parser.save(output, force)
    if test:
        _score(output, test)


def _score(folder: str, files: tuple[str, ...]) -> None:
    """Put the exported model's own scores on its card, in place of those of the model it was made from."""
    from arctag.training.report import score_tests

    scored, found = score_tests(load(folder), files)
    scored.save(folder, force=True)
    for file, result in found.items():
        click.echo(f"{file}: LF {100 * result['sdp']['including_tops']['LF']:.2f}")
