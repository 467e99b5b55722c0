"""Join a treebank with a second graph of its sentences, as a column of CoNLL-U Plus: both are learned in one pass.

    python experiments/english/join.py TREEBANK.conllu propbank=GRAPHS.sdp -o JOINED.conllup

Sentences are matched by their ids. Those without a second graph, or with other words there, are left out and counted.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from arctag import Sentence, read, write
from arctag.transforms import empty_nodes


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebank", type=Path)
    parser.add_argument("graphs", metavar="LAYER=FILE")
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()
    layer, _, file = options.graphs.partition("=")
    sentences = list(read(options.treebank))
    both = list(joined(sentences, read(file), layer))
    write(both, options.output)
    print(f"{options.output}: {len(both)} of {len(sentences)} sentences have {layer}", file=sys.stderr)


def joined(sentences: Iterable[Sentence], others: Iterable[Sentence], layer: str) -> Iterator[Sentence]:
    """The sentences that both have, with their second graph; empty nodes, which that one lacks, are dropped."""
    second = {other.id: other for other in others}
    for sentence in map(empty_nodes.TREATMENTS["drop"], sentences):
        other = second.get(sentence.id)
        if other is not None and other.words == sentence.words:
            yield sentence.with_layers({layer: other.graph})


if __name__ == "__main__":
    main()
