"""Try what can be chosen after training: the threshold of the arc scorer, and the number of its candidates.

    python experiments/choices.py en en_ewt/dev.conllu

MODEL must verify the arcs that its labels propose; FILE is relative to --data, in a folder named after its treebank.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from harness.environment import environment
from harness.graph_layer import graph_layer, set_graph_layer
from harness.grid import find_file
from harness.options import add_data, command_line, run_script
from harness.store import CHOICES, FORMAT, add_result, results_file

from arctag.analysis.evaluation import evaluate
from arctag.errors import InputError
from arctag.formats import read
from arctag.parsing.loading import load
from arctag.parsing.parser import ParseOptions, Parser
from arctag.sentence import Sentence
from arctag.transforms import empty_nodes

THRESHOLDS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
CANDIDATES = ((0, 0.0), (1, 0.95), (2, 0.8), (2, 0.95), (4, 0.8), (4, 0.95), (4, 0.99), (8, 0.99))
"""The number of additional label sequences, and the probability below which a word takes its second label."""


def main() -> int:
    """The command line."""
    parser = command_line(__doc__)
    parser.add_argument("model", metavar="MODEL")
    parser.add_argument("file", metavar="FILE")
    add_data(parser)
    options = parser.parse_args()
    path = find_file(Path(options.data), options.file)
    if path is None:
        raise InputError(f"{options.file} is not in {options.data}")
    loaded = load(options.model)
    graph = graph_layer(loaded)
    if not graph.verify:
        raise InputError(f"{options.model} does not verify arcs: there is nothing to choose")
    sentences = [empty_nodes.drop(sentence) for sentence in read(path)]
    file, folder = options.file.split(".")[0], Path(options.results)
    treebank = file.split("/")[0]
    add_result(folder, {
        "format": FORMAT, "kind": CHOICES, "id": f"{CHOICES}--{Path(options.model).name}--{file.replace('/', '-')}",
        "treebank": treebank, "model": options.model, "file": options.file,
        "chosen": {key: getattr(graph, key) for key in ("threshold", "alternatives", "certain")},
        "environment": environment("cpu"), "thresholds": thresholds(loaded, sentences),
        "candidates": candidates(loaded, sentences),
    })  # fmt: skip
    print(results_file(folder, treebank))
    return 0


def thresholds(parser: Parser, sentences: list[Sentence]) -> list[dict[str, float]]:
    """Scores with each threshold."""
    return [{"threshold": t, **_scores(parser, sentences, t, "UP", "UR", "UF", "LF")} for t in THRESHOLDS]


def candidates(parser: Parser, sentences: list[Sentence]) -> list[dict[str, float]]:
    """Scores with more or fewer candidates, how many there are, and which share of the gold arcs is among them."""
    rows = []
    for count, certain in CANDIDATES:
        set_graph_layer(parser, replace(graph_layer(parser), alternatives=count, certain=certain))
        everything = list(parser.parse_sentences(sentences, ParseOptions(threshold=0.0)))
        rows.append({
            "alternatives": count, "certain": certain,
            "candidates_per_word": round(sum(len(s.graph) for s in everything) / sum(s.graph.n for s in everything), 3),
            "reachable": _scores(parser, sentences, 0.0, "UR")["UR"], **_scores(parser, sentences, None, "UF", "LF"),
        })  # fmt: skip
    return rows


def _scores(parser: Parser, sentences: list[Sentence], threshold: float | None, *names: str) -> dict[str, Any]:
    scores = evaluate(parser, sentences, ParseOptions(threshold=threshold))["sdp"]["including_tops"]
    return {name: round(100 * (scores[name] or 0.0), 2) for name in names}


if __name__ == "__main__":
    run_script(main)
