"""Fill the hand-written pages with what the results say."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from arctag.errors import UnknownName
from harness.pages import accuracy, best, choices, cost, relation_weight, runs, scores, speed, trees, variants
from harness.pages.context import Context
from harness.pages.markdown import NOT_YET

SECTIONS: dict[str, Callable[[Context], Iterable[str]]] = {
    "best taggers": best.best_taggers,
    "encoder sources": runs.encoder_sources,
    "samples": lambda context: [f"{context.samples:,}"],
    "runs": runs.runs,
    "accuracy": accuracy.accuracy,
    "variants": variants.variants,
    "relation weight": relation_weight.relation_weight,
    "choices": choices.choices,
    "exact match": scores.exact_match,
    "without tops": scores.without_tops,
    "elas": scores.elas,
    "other files": scores.other_files,
    "tagging": scores.tagging,
    "planes": scores.planes,
    "cycles": scores.cycles,
    "relative speed": speed.relative_speed,
    "speed": speed.speed,
    "accuracy against speed": speed.accuracy_against_speed,
    "sentence length": speed.sentence_length,
    "labels": cost.labels,
    "parameters": cost.parameters,
    "training time": cost.training_time,
    "energy": cost.energy,
    "trees": trees.trees,
}
"""What can be inserted: `<!-- insert: NAME -->`."""


def fill(text: str, context: Context, source: str) -> str:
    """A page with everything inserted."""

    def insert(match: re.Match[str]) -> str:
        name = match[1]
        if name not in SECTIONS:
            raise UnknownName(f"section in {source}:", name, SECTIONS)
        return "".join(SECTIONS[name](context)) or NOT_YET

    page = re.sub(r"<!-- insert: (.*?) -->", insert, text)
    return re.sub(r"\n{3,}", "\n\n", page).rstrip() + "\n"
