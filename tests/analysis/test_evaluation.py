"""A model against gold: the official scores, tagging, and sentences that labels know nothing of."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from arctag import drop, read, write
from arctag.analysis.evaluation import evaluate, predicted_figures
from arctag.backends.inputs import Tokens
from arctag.encodings import Arcs
from arctag.errors import InputError
from arctag.layers.predicted import Predicted
from arctag.metrics import score
from arctag.metrics.tree_scores import TREES
from arctag.metrics.word_scores import TAGS
from arctag.parsing.parser import ParseOptions, Parser
from tests.networks import fit, graph_layer, small

Parsers = Callable[[str], Parser]


PREDICTED = ("UAS", "LAS", "CLAS", "ELAS", "EULAS")  # by a model of graphs and trees


@pytest.mark.parametrize("kind", ["verified", "collapsed", "baseline", "sdp"])
def test_evaluation_scores_are_those_of_the_parsed_file(
    parsers: Parsers, tmp_path: Path, sample: Path, sample_sdp: Path, kind: str
) -> None:
    gold = sample_sdp if kind == "sdp" else sample
    parser = parsers(kind)
    found = evaluate(parser, gold)
    parsed = tmp_path / f"parsed{gold.suffix}"
    write(parser.parse(gold, ParseOptions(tree=True)), parsed)
    for metric in ("sdp", "conll") if kind != "sdp" else ("sdp",):
        result = score(list(read(gold)), list(read(parsed)), metric)
        figures = {name: result.figures[name] for name in (PREDICTED if metric == "conll" else result.figures)}
        assert found[metric] == {**figures, "metric": metric, "signature": result.signature}
    assert ("conll" in found) == (kind != "sdp")
    assert found["sentences"] == len(list(read(gold)))
    json.dumps(found)


def test_evaluation_scores_the_predicted_tree_or_none(parsers: Parsers, sample: Path) -> None:
    parser = parsers("verified")
    assert "tree" in parser.config.names
    assert evaluate(parser, sample)["conll"]["UAS"]["f1"] < 100  # the file's own would be right everywhere
    treeless = Parser(parser.config.with_layers([graph_layer(parser)]), parser.inputs, parser.backend)
    assert set(evaluate(treeless, sample)["conll"]) == {"ELAS", "EULAS", "metric", "signature"}


def test_evaluation_scores_every_layer_as_predicted(parsers: Parsers, tmp_path: Path, sample: Path) -> None:
    parser = parsers("full")
    found = evaluate(parser, sample)["conll"]
    write(parser.parse(sample, ParseOptions(layers=parser.config.names)), tmp_path / "parsed.conllu")
    figures = score(list(read(sample)), list(read(tmp_path / "parsed.conllu")), "conll").figures
    assert set(found) == {*PREDICTED, *TAGS, *TREES, "metric", "signature"}
    assert all(found[name] == figures[name] for name in (*PREDICTED, *TAGS, *TREES))
    assert all(found[name]["f1"] < 100 for name in ("UPOS", "Lemmas", "LAS", "ELAS"))  # not the file's own


def test_evaluation_of_a_model_without_a_graph(parsers: Parsers, sample: Path, sample_sdp: Path) -> None:
    found = evaluate(parsers("tags"), sample)
    assert set(found["conll"]) == {"UPOS", "Lemmas", "metric", "signature"}
    assert not {"sdp", "tag_accuracy", "by_planes"} & set(found)
    with pytest.raises(InputError, match="the model predicts upos, lemma, which this file does not hold"):
        evaluate(parsers("tags"), sample_sdp)


@pytest.mark.parametrize(
    ("layers", "wanted"),
    [
        ((), ()),
        (("graph", "dm"), ("ELAS", "EULAS")),
        (("upos", "feats"), ("UPOS", "UFeats")),
        (("upos", "xpos", "feats"), ("UPOS", "XPOS", "UFeats", "AllTags")),
        (("lemma", "tree"), ("Lemmas", "UAS", "LAS", "CLAS", "BLEX")),
        (("tree", "upos", "feats"), ("UPOS", "UFeats", "UAS", "LAS", "CLAS", "MLAS")),
        (("upos", "xpos", "feats", "lemma", "tree", "graph"), (*TAGS, *TREES, "ELAS", "EULAS")),
    ],
)
def test_evaluation_figures_are_those_of_predicted_layers(layers: tuple[str, ...], wanted: tuple[str, ...]) -> None:
    assert predicted_figures(layers) == wanted


@pytest.mark.parametrize("kind", ["verified", "union", "factored"])
def test_evaluation_tag_accuracy_counts_right_labels(parsers: Parsers, sample: Path, kind: str) -> None:
    parser = parsers(kind)
    found = evaluate(parser, sample, ParseOptions(batch_tokens=40))
    layer = graph_layer(parser)
    for i, (chosen, space) in enumerate(zip(layer.decoders, layer.spaces, strict=True)):
        right = words = well_formed = 0
        for sentence in map(drop, read(sample)):
            predicted: Predicted = parser.predict([Tokens(sentence.words)])["graph"]
            gold = space.ids(chosen.encode_all(Arcs.of([sentence.graph])))
            right += int((gold == predicted.tag_ids[i]).all(-1).sum())
            words += sentence.graph.n
            well_formed += int(predicted.repairs[0] == 0)
        assert found["tag_accuracy"][chosen.name] == round(100 * right / words, 2)
        assert found["well_formed_percent"] == round(100 * well_formed / found["sentences"], 2)


def test_evaluation_breakdowns_add_up(parsers: Parsers, sample: Path) -> None:
    found = evaluate(parsers("verified"), sample)
    for group in ("by_planes", "by_cyclic"):
        assert len(found[group]) > 1
        assert sum(c["sentences"] for c in found[group].values()) == found["sentences"]
        for name in ("UM", "LM"):
            exact = sum(c[name] * c["sentences"] for c in found[group].values()) / found["sentences"]
            assert exact == pytest.approx(found["sdp"]["including_tops"][name], abs=1e-5)


def test_evaluation_groups_are_scored_as_files_of_their_own(parsers: Parsers, sample: Path) -> None:
    parser = parsers("verified")
    cyclic = [sentence for sentence in read(sample) if drop(sentence).graph.cyclic]
    alone = evaluate(parser, cyclic)["sdp"]["including_tops"]
    found = evaluate(parser, sample)["by_cyclic"]["cyclic"]
    assert found == {"sentences": len(cyclic), **{name: alone[name] for name in ("UF", "LF", "UM", "LM")}}


def test_evaluation_baseline_has_no_labels(parsers: Parsers, sample: Path) -> None:
    found = evaluate(parsers("baseline"), sample)
    assert "tag_accuracy" not in found
    assert "well_formed_percent" not in found


@pytest.mark.usefixtures("one_thread")
def test_evaluation_labels_never_seen_count_as_wrong(tmp_path: Path, sample: Path) -> None:
    sentences = list(read(sample))
    write(sentences[:4], tmp_path / "few.conllu")
    write(sentences[4:], tmp_path / "rest.conllu")
    files = {"train": (str(tmp_path / "few.conllu"),), "dev": (str(tmp_path / "rest.conllu"),)}
    parser = fit(small(tmp_path / "m", epochs=2, encoding="absolute", **files))
    layer = graph_layer(parser)
    gold = layer.spaces[0].ids(layer.decoders[0].encode_all(Arcs.of(drop(s).graph for s in sentences[4:])))
    assert (gold < 0).any()
    found = evaluate(parser, tmp_path / "rest.conllu")
    assert found["tag_accuracy"]["absolute"] <= round(100 * float((gold >= 0).mean()), 2)


def test_evaluation_ensure_is_passed_on(parsers: Parsers, sample: Path) -> None:
    found = evaluate(parsers("verified"), sample, ParseOptions(ensure=("top",), threshold=0.9))
    assert found["options"]["ensure"] == ("top",)
    assert found["sdp"] != evaluate(parsers("verified"), sample, ParseOptions(ensure=(), threshold=0.9))["sdp"]


def test_evaluation_of_nothing_is_refused(parsers: Parsers) -> None:
    with pytest.raises(InputError, match="no sentence to evaluate on"):
        evaluate(parsers("verified"), [])
