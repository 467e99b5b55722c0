"""Scores of a finished model on test files, and on its card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from arctag.analysis.evaluation import evaluate
from arctag.formats.packing import unpacked_name
from arctag.layers.graphs import MAIN
from arctag.parsing.parser import Parser


def layer_and_file(test: str) -> tuple[str, str]:
    """`dm=test.sdp`: the layer whose graphs a file has, and the file; by default the main graph."""
    layer, given, file = test.partition("=")
    return (layer, file) if given and not Path(test).exists() else (MAIN, test)


def score_tests(parser: Parser, files: Sequence[str]) -> tuple[Parser, dict[str, Any]]:
    """Evaluate on each file, which may have a layer before it; the parser comes back with the scores on its card."""
    results: dict[str, Any] = {}
    rows = []
    for test in files:
        layer, file = layer_and_file(test)
        results[file] = evaluate(parser, file, layer=layer)
        rows.extend(_rows(short_name(file), results[file]))
    config = replace(parser.config, card={**parser.config.card, "scores": rows})
    return Parser(config, parser.inputs, parser.backend, parser.files), results


def short_name(file: str) -> str:
    """A file as the card names it: with its folder, since many are called `test.conllu`."""
    return unpacked_name("/".join(Path(file).parts[-2:]))


def _rows(name: str, result: dict[str, Any]) -> list[dict[str, Any]]:
    rows = []
    if "sdp" in result:
        figures = result["sdp"]["including_tops"]
        for figure in ("UF", "LF"):
            value = 100 * (figures[figure] or 0.0)
            rows.append({"file": name, "figure": figure, "value": value, "signature": result["sdp"]["signature"]})
    if "conll" in result:
        signature = result["conll"]["signature"]
        figures = {figure: cell for figure, cell in result["conll"].items() if isinstance(cell, dict)}
        rows += [
            {"file": name, "figure": figure, "value": cell["f1"] or 0.0, "signature": signature}
            for figure, cell in figures.items()
        ]
    return rows


def figures_text(result: dict[str, Any]) -> str:
    """The figures of one file in a line."""
    graphs = result.get("sdp", {}).get("including_tops", {})
    shown = [f"{name} {100 * (graphs[name] or 0):.2f}" for name in ("UF", "LF") if graphs]
    table = {name: cell for name, cell in result.get("conll", {}).items() if isinstance(cell, dict)}
    return " ".join([*shown, *(f"{name} {cell['f1'] or 0:.2f}" for name, cell in table.items())])
