"""A model against gold: the official scores, tagging, and sentences that labels know nothing of."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from arctag import drop, read, write
from arctag.analysis.evaluation import evaluate
from arctag.backends.inputs import Tokens
from arctag.encodings import Arcs
from arctag.errors import InputError
from arctag.metrics import score
from arctag.metrics.elas import SEGMENTATION
from arctag.parsing.parser import ParseOptions, Parser
from tests.networks import fit, small

Parsers = Callable[[str], Parser]


@pytest.mark.parametrize("kind", ["verified", "collapsed", "baseline", "sdp"])
def test_evaluation_scores_are_those_of_the_parsed_file(
    parsers: Parsers, tmp_path: Path, sample: Path, sample_sdp: Path, kind: str
) -> None:
    gold = sample_sdp if kind == "sdp" else sample
    parser = parsers(kind)
    found = evaluate(parser, gold)
    parsed = tmp_path / f"parsed{gold.suffix}"
    write(parser.parse(gold, ParseOptions(tree=True)), parsed)
    for metric in ("sdp", "elas") if kind != "sdp" else ("sdp",):
        result = score(list(read(gold)), list(read(parsed)), metric)
        figures = {name: cell for name, cell in result.figures.items() if name not in SEGMENTATION}
        assert found[metric] == {**figures, "metric": metric, "signature": result.signature}
    assert ("elas" in found) == (kind != "sdp")
    assert found["sentences"] == len(list(read(gold)))
    json.dumps(found)


def test_evaluation_scores_the_predicted_tree_or_none(parsers: Parsers, sample: Path) -> None:
    parser = parsers("verified")
    assert parser.config.basic_relations
    assert evaluate(parser, sample)["elas"]["UAS"]["f1"] < 100  # the file's own would be right everywhere
    treeless = Parser(replace(parser.config, basic_relations=()), parser.inputs, parser.backend)
    assert set(evaluate(treeless, sample)["elas"]) == {"ELAS", "EULAS", "metric", "signature"}


@pytest.mark.parametrize("kind", ["verified", "union", "factored"])
def test_evaluation_tag_accuracy_counts_right_labels(parsers: Parsers, sample: Path, kind: str) -> None:
    parser = parsers(kind)
    found = evaluate(parser, sample, ParseOptions(batch_tokens=40))
    for i, (chosen, space) in enumerate(zip(parser.encodings, parser.config.spaces, strict=True)):
        right = words = well_formed = 0
        for sentence in map(drop, read(sample)):
            predicted = parser.predict([Tokens(sentence.words)])
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
    space = parser.config.spaces[0]
    gold = space.ids(parser.encodings[0].encode_all(Arcs.of(drop(s).graph for s in sentences[4:])))
    assert (gold < 0).any()
    found = evaluate(parser, tmp_path / "rest.conllu")
    assert found["tag_accuracy"]["absolute"] <= round(100 * float((gold >= 0).mean()), 2)


def test_evaluation_ensure_is_passed_on(parsers: Parsers, sample: Path) -> None:
    found = evaluate(parsers("verified"), sample, ParseOptions(ensure=("top",), threshold=0.9))
    assert found["options"]["ensure"] == ("top",)
    assert found["sdp"] != evaluate(parsers("verified"), sample, ParseOptions(threshold=0.9))["sdp"]


def test_evaluation_of_nothing_is_refused(parsers: Parsers) -> None:
    with pytest.raises(InputError, match="no sentence to evaluate on"):
        evaluate(parsers("verified"), [])
