"""The whole network: which parts there are, and losses where there is little to learn from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from arctag.backends.inputs import Tokens
from arctag.backends.torch.backend import TorchBackend, to_device
from arctag.backends.torch.heads import RELATION_HEADS
from arctag.backends.torch.heads import relations as relation_heads
from arctag.backends.torch.heads.graphs import GraphHead
from arctag.backends.torch.tagger import Tagger
from arctag.encodings.label_space import UNKNOWN
from arctag.graph import Graph
from arctag.layers.predicted import NULL
from arctag.parsing.loading import load
from arctag.parsing.parser import ParseOptions, Parser
from arctag.sentence import Sentence
from arctag.training.dataset import Dataset
from tests.exported import predicted
from tests.networks import fit, graph_layer, graphs, small

pytestmark = pytest.mark.usefixtures("one_thread")

Parsers = Callable[[str], Parser]


def network(parser: Parser) -> Tagger:
    assert isinstance(parser.backend, TorchBackend)
    return parser.backend.model


def head(parser: Parser) -> GraphHead:
    found = network(parser).head("graph")
    assert isinstance(found, GraphHead)
    return found


def sentence(words: list[str], graph: Graph) -> Sentence:
    return Sentence.from_words(words).with_graph(graph)


def losses(parser: Parser, words: list[str], graph: Graph) -> dict[str, float]:
    data = Dataset.of([graph_layer(parser)], [sentence(words, graph)])
    arrays, targets = data.batch([0], parser.inputs)
    cpu = torch.device("cpu")
    wanted = {name: to_device(batch, cpu) for name, batch in targets.items()}
    found = network(parser).losses(to_device(arrays, cpu), wanted)["graph"]
    return {name: float(loss.detach()) for name, loss in found.items()}


def test_tagger_plain_model_has_no_arc_scorer(parsers: Parsers) -> None:
    assert head(parsers("plain")).arcs is None
    assert head(parsers("verified")).arcs is not None
    assert not any("arcs." in name for name in network(parsers("plain")).state_dict())
    assert any("arcs." in name for name in network(parsers("verified")).state_dict())


def test_tagger_baseline_has_no_tag_heads(parsers: Parsers) -> None:
    found = head(parsers("baseline"))
    assert not len(found.tags)
    assert found.arcs is not None


def test_tagger_arc_loss_without_verify_trains_a_scorer_that_is_not_asked(
    tmp_path: Path, sample: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parser = fit(small(tmp_path / "m", verify=False, arc_scorer=True, epochs=1))
    assert head(parser).arcs is not None
    assert graphs(parser, sample) == graphs(load(tmp_path / "m", "cpu"), sample)
    monkeypatch.delattr(type(parser.backend), "verify")
    assert len(parser.predict([Tokens(["She", "sings"])])["graph"].heads) > 0


@pytest.mark.parametrize("kind", ["verified", "plain", "factored", "baseline"])
def test_tagger_losses_of_a_sentence_without_arcs_are_finite(parsers: Parsers, kind: str) -> None:
    found = losses(parsers(kind), ["She", "sings"], Graph(2))
    assert np.isfinite(list(found.values())).all()


def test_tagger_labels_and_relations_never_seen_give_no_loss(parsers: Parsers) -> None:
    parser = parsers("verified")
    graph = Graph(2, [(2, 1, "never-seen"), (1, 2, "never-seen")])
    targets = graph_layer(parser).targets([sentence(["a", "b"], graph)])
    assert (targets.arcs.relations == UNKNOWN).all()
    found = losses(parser, ["a", "b"], graph)
    assert found["relations"] == 0.0
    assert found["arcs"] > 0.0


def test_tagger_factored_can_give_labels_never_seen(parsers: Parsers) -> None:
    parser = parsers("factored")
    (space,), (chosen_encoding,) = graph_layer(parser).spaces, graph_layer(parser).decoders
    assert space.factors == chosen_encoding.factors
    chosen = np.array([[size - 1 for size in space.sizes]])
    bias = head(parser).tags[0].out.bias  # type: ignore[union-attr]
    with torch.no_grad():
        starts = np.cumsum([0, *space.sizes[:-1]])
        bias[torch.from_numpy(starts + chosen[0])] += 1000.0  # type: ignore[index,operator]
    found = predicted(parser, [["She", "sings"]])
    assert np.array_equal(found.tag_ids[0], np.repeat(chosen, 2, axis=0))


def test_tagger_names_many_arcs_some_at_a_time(parsers: Parsers, sample: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parser = parsers("baseline")
    wanted = graphs(parser, sample)
    named: list[int] = []
    head(parser).relations.register_forward_hook(lambda _, given, __: named.append(len(given[1])))
    monkeypatch.setattr(relation_heads, "_ARCS_AT_A_TIME", 7)
    assert graphs(parser, sample) == wanted
    assert max(named) == 7
    assert len(named) > 3


@pytest.mark.parametrize("relations", RELATION_HEADS)
@pytest.mark.parametrize(
    "options", [{"verify": False, "encoding": "bits4-2"}, {"encoding": "bits4-2"}], ids=["plain", "verified"]
)
def test_tagger_relation_heads_never_show_null_arcs(
    tmp_path: Path, sample: Path, relations: str, options: dict[str, Any]
) -> None:
    parser = fit(small(tmp_path / "m", relation_head=relations, epochs=4, **options))
    assert (NULL in graph_layer(parser).relations) == (options.get("verify", True) is False)
    sentences = list(parser.parse(sample))
    assert any(len(s.graph) for s in sentences)
    assert all(arc.relations for s in sentences for arc in s.graph)
    assert graphs(load(tmp_path / "m", "cpu"), sample) == [list(s.graph.triples()) for s in sentences]


def test_tagger_plain_bits4_learns_null_arcs_and_drops_them(parsers: Parsers, sample: Path) -> None:
    parser = parsers("plain")
    null = graph_layer(parser).relations.index(NULL)
    with torch.no_grad():
        head(parser).relations.after[-1].bias[null] = 1000.0  # type: ignore[union-attr,index]
    assert not any(len(s.graph) for s in parser.parse(sample, ParseOptions(ensure=())))
