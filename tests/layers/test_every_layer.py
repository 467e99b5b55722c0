"""Every kind of layer from one model: learned, predicted, written, saved, exported."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="the networks are made by torch: pip install 'arctag[train]'")

from arctag import read, write
from arctag.backends.onnx.backend import OnnxBackend
from arctag.errors import UnknownName
from arctag.modelfile.config import ModelConfig
from arctag.parsing.loading import load
from arctag.parsing.parser import ParseOptions, Parser
from arctag.sentence import Sentence
from arctag.transforms import drop
from tests.exported import SENTENCES, assert_alike, export, fresh, sample_words, tokens
from tests.layers.conftest import SPACES, UNIVERSAL, many
from tests.networks import fit, graphs
from tests.places import SAMPLES

NAMES = (*UNIVERSAL, "spaces", "dm")
COLUMNS = {"lemma": (2,), "upos": (3,), "xpos": (4,), "feats": (5,), "tree": (6, 7), "graph": (8,)}
"""Layer → the columns of CoNLL-U that it fills."""


def table(sentences: Sequence[Sentence]) -> list[Any]:
    """All that is known of sentences, layer by layer."""
    return [
        (
            sentence.rows,
            list(sentence.graph.triples()),
            list(sentence.graphs["dm"].triples()),
            sentence.cells("SpaceAfter"),
        )
        for sentence in sentences
    ]


def assert_one_tree(sentence: Sentence) -> None:
    """HEAD is a tree with one root, and DEPREL says `root` there alone."""
    heads = [0, *map(int, sentence.column(6))]
    assert heads[1:].count(0) == 1
    assert [head == 0 for head in heads[1:]] == [relation == "root" for relation in sentence.column(7)]
    for word in range(1, len(heads)):
        seen = set()
        while word and word not in seen:
            seen.add(word)
            word = heads[word]
        assert word == 0


def test_every_layer_is_learned(layered: Path, parser: Parser) -> None:
    assert parser.config.names == NAMES
    assert [layer.kind for layer in parser.config.layers] == [
        "tags", "tags", "tags", "lemma", "tree", "graph", "tags", "graph",
    ]  # fmt: skip
    rows = [json.loads(line) for line in (layered / "train.jsonl").read_text(encoding="utf-8").splitlines()]
    best = max(rows, key=lambda row: (row["score"], -row["epoch"]))
    main = {"tree": "LAS", "graph": "LF", "dm": "LF"}
    scores = {name: best[f"{name}.{main.get(name, 'accuracy')}"] for name in NAMES}
    assert best["score"] == pytest.approx(np.mean(list(scores.values())))
    assert min(scores[name] for name in ("upos", "xpos", "feats", "lemma", "spaces")) > 60
    assert min(scores.values()) > 20
    card = (layered / "README.md").read_text(encoding="utf-8")
    assert "predicts upos, xpos, feats, lemma, tree, graph, spaces and dm." in card


def test_every_layer_is_written_for_words(parser: Parser) -> None:
    gold = list(map(drop, read_sample()))
    words = [list(sentence.words) for sentence in gold]
    found = list(parser.parse(words))
    for number in (2, 3, 4, 5):
        mine, its = ([cell for sentence in some for cell in sentence.column(number)] for some in (found, gold))
        assert np.mean([one == other for one, other in zip(mine, its, strict=True)]) > 0.6
    for sentence, given in zip(found, words, strict=True):
        assert sentence.words == given
        assert "_" not in chain(sentence.column(2), sentence.column(3), sentence.column(6), sentence.column(7))
        assert_one_tree(sentence)
        assert sentence.graphs.keys() == {"dm"}
        assert len(sentence.cells("SpaceAfter")) == len(given)
    assert any(len(sentence.graph) for sentence in found)
    assert any(len(sentence.graphs["dm"]) for sentence in found)
    assert {cell for sentence in found for cell in sentence.cells("SpaceAfter")} == {"_", "No"}


def read_sample() -> list[Sentence]:
    return list(read(SAMPLES / "sample.conllu"))


def plain_file(path: Path) -> Path:
    """The sample without empty nodes, which no layer keeps."""
    write(map(drop, read_sample()), path)
    return path


@pytest.mark.parametrize("asked", [None, *((name,) for name in COLUMNS), ("upos", "tree"), tuple(COLUMNS), ()], ids=str)
def test_every_layer_leaves_other_bytes_as_they_are(
    parser: Parser, tmp_path: Path, asked: tuple[str, ...] | None
) -> None:
    file = plain_file(tmp_path / "in.conllu")
    write(parser.parse(file, ParseOptions(layers=asked)), tmp_path / "out.conllu")
    mine = {number for name in (("graph",) if asked is None else asked) for number in COLUMNS[name]}
    before, after = (path.read_bytes().split(b"\n") for path in (file, tmp_path / "out.conllu"))
    changed = Counter[int]()
    for old, new in zip(before, after, strict=True):
        pairs = list(zip(old.split(b"\t"), new.split(b"\t"), strict=True))
        changed.update(number for number, (one, other) in enumerate(pairs) if one != other)
    assert set(changed) <= mine
    assert not mine or changed


def test_every_layer_unknown_one_is_named(parser: Parser) -> None:
    with pytest.raises(
        UnknownName, match=r"unknown layer 'ner'.*Known: dm, feats, graph, lemma, spaces, tree, upos, xpos"
    ):
        list(parser.parse([["She"]], ParseOptions(layers=("upos", "ner"))))
    with pytest.raises(UnknownName, match="unknown layer 'pos'"):
        parser.config.layer("pos")


@pytest.mark.parametrize(
    ("asked", "read_layers", "questions"),
    [
        (("upos",), ["upos"], ["tags"]),
        (("upos", "lemma"), ["upos", "lemma"], ["tags"]),
        (("tree",), ["tree"], ["relations", "tags", "verify"]),
        # whose relations repeat lemmas, and whose words without a head take that of the tree
        (("graph",), ["lemma", "tree", "graph"], ["relations", "tags", "verify"]),
        (("dm",), ["dm"], ["relations", "tags", "verify"]),
        ((), [], []),
    ],
    ids=str,
)
def test_every_layer_costs_nothing_where_it_is_not_asked_for(
    parser: Parser,
    monkeypatch: pytest.MonkeyPatch,
    asked: tuple[str, ...],
    read_layers: list[str],
    questions: list[str],
) -> None:
    read_names: list[list[str]] = []
    asked_of: dict[str, set[str]] = {}
    backend: Any = parser.backend
    real = backend.read

    def reads(arrays: Any, names: Any) -> Any:
        read_names.append(list(names))
        return real(arrays, names)

    monkeypatch.setattr(backend, "read", reads)

    def watch(name: str, ask: Any) -> None:
        def counted(state: Any, layer: str, *rest: Any) -> Any:
            asked_of.setdefault(name, set()).add(layer)
            return ask(state, layer, *rest)

        monkeypatch.setattr(backend, name, counted)

    for name in ("tags", "verify", "relations", "search"):
        watch(name, getattr(backend, name))
    list(parser.parse(sample_words(), ParseOptions(layers=asked)))
    assert read_names == [read_layers]
    assert sorted(asked_of) == questions
    assert asked_of.get("verify", set()) == set(read_layers) & {"tree", "graph", "dm"}
    assert asked_of.get("tags", set()) == set(read_layers)


def test_every_layer_heads_that_are_not_asked_for_do_not_run(parser: Parser) -> None:
    model: Any = parser.backend.model  # type: ignore[attr-defined]
    ran: list[int] = []
    for number, head in enumerate(model.heads):
        for part in head.modules():
            part.register_forward_hook(lambda *_, number=number: ran.append(number))
    list(parser.parse(sample_words(), ParseOptions(layers=("xpos", "tree"))))
    assert {NAMES[number] for number in ran} == {"xpos", "tree"}


def test_every_layer_alone_says_what_it_says_among_others(parser: Parser) -> None:
    words = sample_words()
    together = parser.predict(tokens(words), 0.3)
    assert together.keys() == set(NAMES)
    for name in NAMES:
        alone = parser.predict(tokens(words), 0.3, [name])[name]
        if name in ("tree", "graph", "dm"):
            assert_alike(alone, together[name])
        else:
            assert list(alone.cells) == list(together[name].cells)


def test_every_layer_survives_saving(parser: Parser, layered: Path, tmp_path: Path) -> None:
    wanted = table(list(parser.parse(sample_words())))
    parser.save(tmp_path / "again")
    again = load(tmp_path / "again", "cpu")
    assert table(list(again.parse(sample_words()))) == wanted
    one, other = ModelConfig.load(layered), ModelConfig.load(tmp_path / "again")
    assert (one.to_json(), one.labels_json()) == (other.to_json(), other.labels_json())


def test_every_layer_is_exported(parser: Parser, layered: Path, tmp_path: Path) -> None:
    pytest.importorskip("onnx")
    (tmp_path / "m").symlink_to(layered)
    folder = export(tmp_path / "m", "fp32")
    exported = load(folder)
    assert isinstance(exported.backend, OnnxBackend)
    files = {f"layer-{name}.onnx" for name in NAMES} | {f"arcs-{name}.onnx" for name in ("tree", "graph", "dm")}
    assert {path.name for path in folder.glob("*.onnx")} == files | {"words.onnx"}
    for words in (SENTENCES, sample_words()):
        assert_same_answers(exported, parser, words)
    assert table(list(exported.parse(sample_words()))) == table(list(parser.parse(sample_words())))
    exported.save(tmp_path / "copy")
    assert table(list(load(tmp_path / "copy").parse(SENTENCES))) == table(list(exported.parse(SENTENCES)))


def assert_same_answers(one: Parser, other: Parser, words: list[list[str]]) -> None:
    mine, its = (some.predict(tokens(words), 0.2) for some in (one, other))
    assert mine.keys() == its.keys()
    for name, found in mine.items():
        if name in ("tree", "graph", "dm"):
            assert_alike(found, its[name])
        else:
            assert list(found.cells) == list(its[name].cells)
            np.testing.assert_allclose(found.probabilities, its[name].probabilities, atol=1e-5)


def test_every_layer_sees_the_shapes_of_words(tmp_path: Path, one_thread: None) -> None:
    """A pretrained encoder may read small letters only: tags and lemmas still tell capitals."""
    pytest.importorskip("onnx")
    from tests.backends.torch.pretrained import PRETRAINED

    config = many(tmp_path / "m", encoder=str(PRETRAINED["bert"](tmp_path / "encoder")), context_layers=1, epochs=1)
    fit(replace(config, layers=("upos", "lemma", "tree", "graph"), layer={"lemma": {"hidden": 8}}, also={}))
    folder = tmp_path / "m"
    parser = load(folder, "cpu")
    assert [getattr(layer, "shapes", None) for layer in parser.config.layers] == [True, True, None, None]
    exported = load(export(folder, "fp32"))
    for words in (SENTENCES, sample_words(), [["She", "wants", "to", "feed", "the", "cat"] * 12]):
        assert_same_answers(exported, parser, words)
    arrays = parser.inputs.arrays(tokens([["She", "SHE", "she"]]))
    assert len(set(arrays["shapes"].tolist())) == 3
    for backend in (parser.backend, exported.backend):
        told = []
        for shape in range(9):
            state = backend.read({**arrays, "shapes": np.full(3, shape)}, ["upos"])
            told.append(backend.tags(state, "upos")[0].probability)
        assert np.ptp(told, axis=0).min() > 1e-4


def test_every_layer_without_a_graph(tmp_path: Path, one_thread: None, sample: Path) -> None:
    """Such a model predicts all that it has for graph files, too."""
    folder = fresh(tmp_path / "m", layers=("upos", SPACES))
    parser = load(folder, "cpu")
    assert parser.config.names == ("upos", "spaces")
    (found, *_) = parser.parse(sample)
    assert graphs(parser, [["She"]]) == [[]]
    assert "_" not in found.column(3)
    assert found.column(2) == next(read(sample)).column(2)
