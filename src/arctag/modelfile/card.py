"""The README of a model folder: what it was trained on, how well it does, how to use it."""

from __future__ import annotations

from typing import Any

from arctag.modelfile.config import ModelConfig


def card_text(config: ModelConfig) -> str:
    """The model card, in Markdown."""
    card = config.card
    lines = [
        "---", "library_name: arctag", "tags: [dependency-parsing, sequence-labeling]", "---", "",
        f"# {card.get('name', 'Arctag model')}", "",
        f"An Arctag model that turns words into dependency graphs with {_how(config)}.",
        "", "| | |", "|---|---|",
        f"| encoding | {config.encoding} |",
        f"| encoder | {card.get('encoder', config.encoder)} |",
        f"| labels | {', '.join(str(sum(space.sizes)) for space in config.spaces) or '–'} |",
        f"| relations | {len(config.relations)} |",
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


def _how(config: ModelConfig) -> str:
    if config.biaffine:
        return "a biaffine arc scorer"
    how = "one label per word"
    return f"{how}, and checks each proposed arc with an arc scorer" if config.verify else how


def _cell(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
