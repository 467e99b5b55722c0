"""`arctag models`: list the models of the package, show what is in a model folder."""

from __future__ import annotations

import click

from arctag.cli.common import json_option, print_json, print_table
from arctag.text import tokenizer


@click.group(
    epilog="""\b
Example:
  arctag models info my-model"""
)
def command() -> None:
    """Show model folders."""


@command.command(
    "list",
    epilog="""\b
Example:
  arctag models list""",
)
@json_option
def list_models(as_json: bool) -> None:
    """List the models that come with Arctag."""
    from arctag.modelfile.bundled import names, place
    from arctag.modelfile.config import ModelConfig

    cards = {name: ModelConfig.load(place(name)) for name in names()}
    rows = [{"name": name, "layers": list(config.names), "notes": config.card.get("notes", "")}
             for name, config in cards.items()]  # fmt: skip
    if as_json:
        print_json(rows)
        return
    print_table("Models", tuple(rows[0]), [(row["name"], ", ".join(row["layers"]), row["notes"]) for row in rows])


@command.command(
    epilog="""\b
Example:
  arctag models info my-model --json
  arctag models info en"""
)
@click.argument("folder")
@json_option
def info(folder: str, as_json: bool) -> None:
    """Show the model in FOLDER, or of that name: layers, encoder, data, scores."""
    from arctag.modelfile.bundled import is_exported, place
    from arctag.modelfile.config import FORMAT_VERSION, ModelConfig

    path = place(folder)
    config = ModelConfig.load(path)
    size = sum(item.stat().st_size for item in path.rglob("*") if item.is_file())
    about = {
        "format_version": FORMAT_VERSION,
        "encoder": config.encoder,
        "layers": {layer.name: layer.summary for layer in config.layers},
        "bytes": size,
        "needs_torch": not is_exported(folder),
        "raw_text": (path / tokenizer.FILE).is_file(),
        **{key: value for key, value in config.card.items() if key != "encoder"},
    }
    if as_json:
        print_json(about)
        return
    scores = about.pop("scores", [])
    layers = about.pop("layers")
    rows = [(f"layer {name}", ", ".join(f"{k} {v}" for k, v in facts.items())) for name, facts in layers.items()]
    rows += [(key.replace("_", " "), value) for key, value in about.items()]
    print_table(f"Model {folder}", ("key", "value"), rows)
    for row in scores:
        click.echo(f"{row['file']}: {row['figure']} {row['value']:.2f} ({row['signature']})")
