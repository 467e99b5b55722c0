"""Targets: what a network is to learn from a treebank, in flat arrays."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from arctag import drop, read
from arctag.backends.inputs import Tokens
from arctag.encodings import Labels
from arctag.encodings.encoded import EncodedGraphs
from arctag.encodings.label_space import UNKNOWN
from arctag.errors import InputError
from arctag.graph import Graph
from arctag.modelfile.config import NULL
from arctag.parsing.parser import Parser
from arctag.training.dataset import Dataset, read_treebank

pytestmark = pytest.mark.usefixtures("one_thread")

Parsers = Callable[[str], Parser]


def dataset(parser: Parser, sample: Path) -> Dataset:
    sentences = [drop(s) for s in read(sample)]
    return Dataset.of(parser, sentences)


def test_data_batch_targets_are_those_of_its_sentences(parsers: Parsers, sample: Path) -> None:
    parser = parsers("verified")
    data = dataset(parser, sample)
    arrays, targets = data.batch([5, 2, 9], parser.inputs)
    graphs = [data.graphs[i] for i in (5, 2, 9)]
    assert arrays["lengths"].tolist() == [graph.n for graph in graphs]
    expected = []
    first = 0
    for graph in graphs:
        for arc in graph:
            names = tuple(sorted(arc.relations))
            expected.append((arc.head + first if arc.head else 0, arc.dependent + first, names))
        first += graph.n
    found = [
        (int(h), int(d), parser.config.relations[r])
        for h, d, r in zip(targets["heads"], targets["dependents"], targets["relations"].tolist(), strict=True)
    ]
    assert found == expected
    longest = max(graph.n for graph in graphs)
    cells = {
        (s * longest + arc.dependent - 1) * (longest + 1) + arc.head for s, graph in enumerate(graphs) for arc in graph
    }
    assert set(targets["cells"].tolist()) == cells


def test_data_tags_decode_to_what_the_encoding_covers(parsers: Parsers, sample: Path) -> None:
    parser = parsers("union")
    data = dataset(parser, sample)
    for chosen, space, ids in zip(parser.encodings, parser.config.spaces, data.tags, strict=True):
        assert ids.shape == (int(data.words[-1]), 1)
        sizes = np.array([graph.n for graph in data.graphs], np.int32)
        for graph, decoded in zip(data.graphs, chosen.decode_all(space.labels(ids, sizes)), strict=True):
            covered = graph.restricted(chosen.covers(graph))
            assert decoded.graph.arc_set() == covered.arc_set()
            assert decoded.repairs == 0


def test_data_null_arcs_are_those_that_the_labels_show(parsers: Parsers, sample: Path) -> None:
    parser = parsers("plain")
    data = dataset(parser, sample)
    (chosen,) = parser.encodings
    null = parser.config.relations.index(NULL)
    assert data.arcs.null.any()
    assert ((data.arcs.relations == null) == data.arcs.null).all()
    for i, graph in enumerate(data.graphs):
        part = slice(data.arcs.starts[i], data.arcs.starts[i + 1])
        pairs = set(zip(data.arcs.heads[part].tolist(), data.arcs.dependents[part].tolist(), strict=True))
        labels = chosen.encode(graph)
        shown = chosen.decode(Labels(labels.values, labels.offsets, labels.sizes)).graph.arc_set()
        assert pairs == shown | graph.arc_set()


def test_data_verified_models_learn_no_null_arcs(parsers: Parsers, sample: Path) -> None:
    parser = parsers("null")
    assert NULL not in parser.config.relations
    assert not dataset(parser, sample).arcs.null.any()


def test_data_unknown_labels_and_relations(parsers: Parsers) -> None:
    parser = parsers("verified")
    graph = Graph(3, [(1, 2, "never"), (2, 3, "seen"), (3, 1, "before"), (1, 3, "x"), (2, 1, "y"), (0, 1, "root")])
    data = Dataset.build(parser.config, [Tokens(["a", "b", "c"])], EncodedGraphs([graph]))
    assert (data.arcs.relations == UNKNOWN).sum() == 5
    assert (data.tags[0] == UNKNOWN).any()


def test_data_shuffling_depends_on_the_seed_alone(parsers: Parsers, sample: Path) -> None:
    data = dataset(parsers("verified"), sample)
    costs = [len(tokens.words) for tokens in data.tokens]
    one = data.shuffled(40, (1, 1), costs)
    assert data.shuffled(40, (1, 1), costs) == one
    assert data.shuffled(40, (1, 2), costs) != one
    assert data.shuffled(40, (2, 1), costs) != one
    assert sorted(i for batch in one for i in batch) == list(range(len(data)))
    assert all(len(b) == 1 or max(costs[i] for i in b) * len(b) <= 40 for b in one)


def test_data_several_files_are_joined(sample: Path, sample_sdp: Path) -> None:
    assert len(read_treebank([str(sample), str(sample_sdp)], "drop")) == 34 + 18


def test_data_empty_nodes_are_treated(sample: Path) -> None:
    dropped, collapsed = (read_treebank([str(sample)], name) for name in ("drop", "collapse"))
    assert not any(s.has_empty for s in (*dropped, *collapsed))
    paths = [r for s in collapsed for arc in s.graph for r in arc.relations if ">" in r]
    assert paths


def test_data_empty_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.conllu").touch()
    with pytest.raises(InputError, match="no sentence"):
        read_treebank([str(tmp_path / "empty.conllu")], "drop")
