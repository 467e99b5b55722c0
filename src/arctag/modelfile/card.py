"""The README of a model folder: what it was trained on, how well it does, how to use it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arctag.layers import Layer
from arctag.modelfile.config import ModelConfig


def card_text(config: ModelConfig) -> str:
    """The model card, in Markdown."""
    card = config.card
    lines = [
        "---", "library_name: arctag", "tags: [dependency-parsing, sequence-labeling]", "---", "",
        f"# {card.get('name', 'Arctag model')}", "",
        f"An Arctag model that predicts {_listed(config.names)}.", "", "| | |", "|---|---|",
        f"| encoder | {card.get('encoder', config.encoder)} |",
        *(f"| {layer.name} | {_facts(layer)} |" for layer in config.layers),
    ]  # fmt: skip
    lines.extend(
        f"| {key.replace('_', ' ')} | {_cell(value)} |"
        for key, value in card.items()
        if key not in ("name", "encoder", "scores")
    )
    if scores := card.get("scores"):
        lines += ["", "## Scores", "", "| file | figure | value | signature |", "|---|---|---|---|"]
        lines += [f"| {row['file']} | {row['figure']} | {row['value']:.2f} | `{row['signature']}` |" for row in scores]
    lines += ["", "## Use", "", "```", "arctag parse sentences.conllu -m THIS_FOLDER -o parsed.conllu", "```", ""]
    return "\n".join(lines)


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _facts(layer: Layer) -> str:
    return ", ".join(f"{key.replace('_', ' ')} {_cell(value)}" for key, value in layer.summary.items())


def _cell(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
