"""Score trees: of the labels alone, of the arcs that they propose when verified, and of all pairs of words.

    python experiments/trees.py MODELS/hexatag-0 MODELS/biaffine-0

Each model was trained with experiments/trees.toml; its folder is named after its encoding and its seed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from harness.environment import environment
from harness.options import add_data, command_line, run_script
from harness.store import FORMAT, TREES, add_result

from arctag.analysis.evaluation import evaluate
from arctag.blocks.arcs import BlockArcs
from arctag.errors import InputError
from arctag.formats import read
from arctag.layers.graphs import MAIN
from arctag.layers.settings import BIAFFINE
from arctag.layers.trees import TREE, TreeLayer
from arctag.parsing.loading import load
from arctag.parsing.parser import ParseOptions, Parser
from arctag.sentence import Sentence
from arctag.transforms import empty_nodes

TREEBANK = "en_ewt"
FILES = ("en_ewt/test.conllu", "en_pud/test.conllu")


def main() -> int:
    """The command line."""
    parser = command_line(__doc__)
    parser.add_argument("models", nargs="+", metavar="MODEL")
    add_data(parser)
    options = parser.parse_args()
    gold = {file: [empty_nodes.drop(s) for s in read(Path(options.data) / file)] for file in FILES}
    for folder in map(Path, options.models):
        name, _, seed = folder.name.rpartition("-")
        if not name or not seed.isdecimal():
            raise InputError(f"{folder}: the folder of a model is named after its encoding and its seed, as hexatag-0")
        loaded = load(folder, "cpu")
        add_result(Path(options.results), {
            "format": FORMAT, "kind": TREES, "id": f"{TREES}--{folder.name}", "treebank": TREEBANK,
            "encoding": name, "seed": int(seed), "environment": environment("cpu"),
            "files": {file: scores(loaded, sentences) for file, sentences in gold.items()},
        })  # fmt: skip
        print(folder.name)
    return 0


def scores(parser: Parser, sentences: list[Sentence]) -> dict[str, Any]:
    """Trees by each way to find them, and graphs if there are any."""
    whole, found = parser.config, dict[str, Any]()
    for way, config in _ways(parser):
        parser.config = config
        found[way] = tree_scores(parser, sentences)
        if config != whole:
            del found[way]["right"]  # only what the model itself does is compared
    parser.config = whole
    if MAIN in whole.names:
        found["elas"] = float(evaluate(parser, sentences)["conll"]["ELAS"]["f1"])
    return found


def _ways(parser: Parser) -> Iterator[tuple[str, Any]]:
    config, layer = parser.config, parser.config.layer(TREE)
    if not isinstance(layer, TreeLayer):
        yield "from the graph", config
        return
    if layer.biaffine:
        yield "all pairs", config
        return
    ways = {
        "labels alone": replace(layer, verify=False),
        "verified": layer,
        "all pairs": replace(layer, encoding=BIAFFINE, spaces=(), verify=False),
    }
    for way, other in ways.items():
        yield way, config.with_layers(other if old.name == TREE else old for old in config.layers)


def tree_scores(parser: Parser, sentences: list[Sentence]) -> dict[str, Any]:
    """UAS and LAS, and for each sentence how many words have the right head and relation (without its subtype)."""
    parsed = list(parser.parse_sentences(sentences, ParseOptions(layers=(TREE,), tree=True)))
    gold, system = (TreeLayer.graphs_in(some, TREE) for some in (sentences, parsed))
    heads = gold.arcs.heads == system.arcs.heads
    right = heads & (_relations(gold) == _relations(system))
    owner = np.repeat(np.arange(len(sentences)), gold.arcs.sizes)
    return {
        "UAS": round(100 * float(heads.mean()), 3), "LAS": round(100 * float(right.mean()), 3), "words": len(heads),
        "right": np.bincount(owner, weights=right, minlength=len(sentences)).astype(int).tolist(),
    }  # fmt: skip


def _relations(trees: BlockArcs) -> Any:
    return np.array([names[0].split(":")[0] for names in trees.names])[trees.numbers]


if __name__ == "__main__":
    run_script(main)
