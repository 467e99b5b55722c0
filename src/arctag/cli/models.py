"""`arctag models`: what is in a model folder."""

from __future__ import annotations

from pathlib import Path

import click

from arctag.cli.common import json_option, print_json, print_table


@click.group(
    epilog="""\b
Example:
  arctag models info my-model"""
)
def command() -> None:
    """Look at model folders."""


@command.command(
    epilog="""\b
Example:
  arctag models info my-model --json"""
)
@click.argument("folder")
@json_option
def info(folder: str, as_json: bool) -> None:
    """Say what the model in FOLDER is: encoding, encoder, labels, data, scores."""
    from arctag.model_config import FORMAT_VERSION, ModelConfig

    config = ModelConfig.load(Path(folder))
    size = sum(item.stat().st_size for item in Path(folder).rglob("*") if item.is_file())
    found = {
        "format_version": FORMAT_VERSION,
        "encoding": config.name,
        "encoder": config.encoder,
        "labels": [sum(space.sizes) for space in config.spaces],
        "relations": len(config.relations),
        "relation_head": config.relation_head,
        "verify": config.verify,
        "threshold": config.threshold,
        "empty_nodes": config.empty,
        "bytes": size,
        **{key: value for key, value in config.card.items() if key != "encoder"},
    }
    if as_json:
        print_json(found)
        return
    scores = found.pop("scores", [])
    print_table(f"Model {folder}", ("key", "value"), [(k.replace("_", " "), v) for k, v in found.items()])
    for row in scores:
        click.echo(f"{row['file']}: {row['figure']} {row['value']:.2f} ({row['signature']})")
