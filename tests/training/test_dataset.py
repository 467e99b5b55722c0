"""Targets: what a network is to learn from a treebank, in flat arrays."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from arctag import drop, read
from arctag.encodings import Labels
from arctag.encodings.label_space import UNKNOWN
from arctag.errors import InputError
from arctag.graph import Graph
from arctag.layers.arc_targets import GraphTargets
from arctag.layers.predicted import NULL
from arctag.parsing.parser import Parser
from arctag.sentence import Sentence
from arctag.training.dataset import Dataset
from arctag.training.treebanks import read_treebank
from tests.networks import graph_layer

pytestmark = pytest.mark.usefixtures("one_thread")

Parsers = Callable[[str], Parser]


def dataset(parser: Parser, sample: Path) -> Dataset:
    sentences = [drop(s) for s in read(sample)]
    return Dataset.of([graph_layer(parser)], sentences)


def targets(data: Dataset) -> GraphTargets:
    found = data.targets["graph"]
    assert isinstance(found, GraphTargets)
    return found


def graphs(data: Dataset) -> list[Graph]:
    found = targets(data).graphs
    return [found.graph(i) for i in range(len(data))]


def test_data_batch_targets_are_those_of_its_sentences(parsers: Parsers, sample: Path) -> None:
    parser = parsers("verified")
    data = dataset(parser, sample)
    arrays, batch = data.batch([5, 2, 9], parser.inputs)
    layer = graph_layer(parser)
    forms = [word.lower() for tokens in data.tokens for word in tokens.words]
    learned = layer.rules.stripped(targets(data).graphs, forms)  # words in relations are not learned, but copied
    chosen, wanted = [learned.graph(i) for i in (5, 2, 9)], batch["graph"]
    assert arrays["lengths"].tolist() == [graph.n for graph in chosen]
    expected = []
    first = 0
    for graph in chosen:
        for arc in graph:
            names = tuple(sorted(arc.relations))
            expected.append((arc.head + first if arc.head else 0, arc.dependent + first, names))
        first += graph.n
    found = [
        (int(h), int(d), layer.relations[r])
        for h, d, r in zip(wanted["heads"], wanted["dependents"], wanted["relations"].tolist(), strict=True)
    ]
    assert found == expected
    longest = max(graph.n for graph in chosen)
    cells = {
        (s * longest + arc.dependent - 1) * (longest + 1) + arc.head for s, graph in enumerate(chosen) for arc in graph
    }
    assert set(wanted["cells"].tolist()) == cells


def test_data_tags_decode_to_what_the_encoding_covers(parsers: Parsers, sample: Path) -> None:
    parser = parsers("union")
    data, layer = dataset(parser, sample), graph_layer(parser)
    for chosen, space, ids in zip(layer.decoders, layer.spaces, targets(data).tags, strict=True):
        assert ids.shape == (int(data.words[-1]), 1)
        sizes = np.array([graph.n for graph in graphs(data)], np.int32)
        for graph, decoded in zip(graphs(data), chosen.decode_all(space.labels(ids, sizes)), strict=True):
            covered = graph.restricted(chosen.covers(graph))
            assert decoded.graph.arc_set() == covered.arc_set()
            assert decoded.repairs == 0


def test_data_null_arcs_are_those_that_the_labels_show(parsers: Parsers, sample: Path) -> None:
    parser = parsers("plain")
    data = dataset(parser, sample)
    (chosen,) = graph_layer(parser).decoders
    null, arcs = graph_layer(parser).relations.index(NULL), targets(data).arcs
    assert arcs.null.any()
    assert ((arcs.relations == null) == arcs.null).all()
    for i, graph in enumerate(graphs(data)):
        part = slice(arcs.starts[i], arcs.starts[i + 1])
        pairs = set(zip(arcs.heads[part].tolist(), arcs.dependents[part].tolist(), strict=True))
        labels = chosen.encode(graph)
        shown = chosen.decode(Labels(labels.values, labels.offsets, labels.sizes)).graph.arc_set()
        assert pairs == shown | graph.arc_set()


def test_data_verified_models_learn_no_null_arcs(parsers: Parsers, sample: Path) -> None:
    parser = parsers("null")
    assert NULL not in graph_layer(parser).relations
    assert not targets(dataset(parser, sample)).arcs.null.any()


def test_data_unknown_labels_and_relations(parsers: Parsers) -> None:
    parser = parsers("verified")
    graph = Graph(3, [(1, 2, "never"), (2, 3, "seen"), (3, 1, "before"), (1, 3, "x"), (2, 1, "y"), (0, 1, "root")])
    found = graph_layer(parser).targets([Sentence.from_words(["a", "b", "c"]).with_graph(graph)])
    assert (found.arcs.relations == UNKNOWN).sum() == 5
    assert (found.tags[0] == UNKNOWN).any()


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
