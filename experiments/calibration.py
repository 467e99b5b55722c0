"""What calibration brings: the scores of a model whose arc scorer decides alone, and by all evidence.

    python experiments/calibration.py MODEL --dev en_ewt/dev.conllu --test en_ewt/test.conllu en_pud/test.conllu

Both thresholds are tuned on the development file, to which the weights are fitted; nothing is chosen on the test files.
Of graphs beside a tree, the same without the arcs of the tree among the proposals. The table is in Markdown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import torch
from harness.options import add_data, command_line, run_script

from arctag.analysis.evaluation import evaluate
from arctag.columns import STANDARD
from arctag.formats import read
from arctag.layers.arcs import ArcLayer
from arctag.layers.base import Layer, LearnedLayer
from arctag.layers.graphs import MAIN, MAIN_COLUMN, GraphLayer
from arctag.layers.trees import TREE
from arctag.parsing.loading import load
from arctag.parsing.parser import Parser
from arctag.sentence import Sentence
from arctag.training.calibration import calibrate
from arctag.training.dataset import Dataset
from arctag.training.dev_scores import dev_scores
from arctag.training.distributed import Group
from arctag.training.treebanks import read_treebank

BATCH = 4_000  # words


def main() -> int:
    """The command line."""
    options_of = command_line(__doc__)
    options_of.add_argument("model", metavar="MODEL")
    options_of.add_argument("--dev", required=True, metavar="FILE", help="below the folder of treebanks")
    options_of.add_argument("--test", required=True, nargs="+", metavar="FILE", help="the same")
    options_of.add_argument("--layer", default=MAIN, help="the graph to score (default: %(default)s)")
    options_of.add_argument("--device", default="cpu", help="cpu, cuda, … (default: %(default)s)")
    add_data(options_of)
    options = options_of.parse_args()
    parser, folder = load(options.model, options.device), Path(options.data)
    dev = read_treebank([str(folder / options.dev)], "drop")
    gold = {file: list(read(folder / file)) for file in options.test}
    print("| file | arcs of the tree | decided by | LAS | LF |\n|---|---|---|---:|---:|")
    for tree, way in _ways(parser, options.layer, dev, options.device):
        for file, sentences in gold.items():
            scores = evaluate(parser, sentences, layer=options.layer)
            figures = scores.get("conll", {}).get("LAS", {}).get("f1"), 100 * scores["sdp"]["including_tops"]["LF"]
            print(f"| {file} | {tree} | {way} | {' | '.join(map(_shown, figures))} |", flush=True)
    return 0


def _ways(parser: Parser, layer: str, dev: list[Sentence], device: str) -> Iterator[tuple[str, str]]:
    """Change the config of the parser, and say how."""
    whole = parser.config
    graph = whole.layer(layer)
    assert isinstance(graph, GraphLayer)
    for tree in ("", TREE) if graph.tree else ("",):
        parser.config = whole.with_layers(_uncalibrated(one, layer, tree) for one in whole.layers)
        data = [Dataset.of(_in_file(parser, layer), dev)]
        _tune(parser, data, device)
        yield "proposed" if tree else "–", "arc scorer"
        calibrate(parser, data, BATCH)
        _tune(parser, data, device)
        yield "proposed" if tree else "–", "all evidence"


def _uncalibrated(one: Layer, layer: str, tree: str) -> Layer:
    if isinstance(one, GraphLayer) and one.name == layer:
        return replace(one, weights=(), tree=tree)
    return replace(one, weights=()) if isinstance(one, ArcLayer) else one


def _in_file(parser: Parser, layer: str) -> list[LearnedLayer]:
    """The layers that the files have: all beside the graph of UD, else the one that is the graph there."""
    if layer == MAIN:
        return [one for one in parser.config.networks if one.column in STANDARD]
    return [replace(parser.config.learned(layer), column=MAIN_COLUMN)]


def _tune(parser: Parser, data: list[Dataset], device: str) -> None:
    """Take the thresholds that are best on the development file."""
    tuned = dev_scores(parser, data, BATCH, Group(), torch.device(device)).layers
    parser.config = parser.config.with_layers(tuned.get(one.name, one) for one in parser.config.layers)


def _shown(figure: float | None) -> str:
    return "–" if figure is None else f"{float(figure):.2f}"


if __name__ == "__main__":
    run_script(main)
