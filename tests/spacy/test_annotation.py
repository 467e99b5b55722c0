"""The spaCy component's `annotate`: layers in spaCy's own attributes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

spacy: Any = pytest.importorskip("spacy", reason="spaCy is not installed: pip install 'arctag[spacy]'")

from spacy.tokens import Doc  # noqa: E402

from arctag.errors import UnknownName  # noqa: E402
from arctag.parsing.loading import load  # noqa: E402
from arctag.sentence import Sentence  # noqa: E402
from arctag.spacy.annotation import LAYERS, annotate_doc  # noqa: E402
from tests.networks import Models  # noqa: E402

TEXT = "  The kettle sings.  She wants\nto leave now. \n"
ATTRIBUTES = {"upos": "POS", "xpos": "TAG", "feats": "MORPH", "lemma": "LEMMA", "tree": "DEP"}
Pipeline = Callable[..., Any]


@pytest.fixture
def pipeline(models: Models) -> Pipeline:
    """A pipeline with a sentencizer and the component."""

    def make(kind: str = "full", **config: Any) -> Any:
        nlp = spacy.blank("en")
        nlp.add_pipe("sentencizer")
        nlp.add_pipe("arctag", config={"model": str(models(kind)), "device": "cpu", **config})
        return nlp

    return make


def words(doc: Doc) -> list[list[Any]]:
    """The words of each sentence that has any."""
    found = [[token for token in sentence if not token.is_space] for sentence in doc.sents]
    return [tokens for tokens in found if tokens]


def test_annotation_is_what_the_model_predicts(pipeline: Pipeline, models: Models) -> None:
    doc = pipeline(annotate=True)(TEXT)
    sentences = words(doc)
    assert [len(tokens) for tokens in sentences] == [4, 6]
    parser = load(models("full"), "cpu")
    for tokens, sentence in zip(sentences, parser.parse([[t.text for t in some] for some in sentences]), strict=True):
        found = [
            [t.lemma_, t.pos_, t.tag_, str(t.morph) or "_", "0" if t.head == t else str(tokens.index(t.head) + 1)]
            for t in tokens
        ]
        assert found == [[*row[2:5], "|".join(sorted(row[5].split("|"))), row[6]] for row in sentence.rows]
        roots = [t for t in tokens if t.dep_ == "ROOT"]
        assert [t.head for t in roots] == roots
        assert len(roots) == 1
        assert [t.dep_ for t in tokens if t not in roots] == [row[7] for row in sentence.rows if row[6] != "0"]


def test_annotation_leaves_graph_and_sentences_as_they_are(pipeline: Pipeline) -> None:
    plain, doc = pipeline()(TEXT), pipeline(annotate=True)(TEXT)
    assert [arc[:3] for arc in doc._.graph] == [arc[:3] for arc in plain._.graph]
    assert [(s.start, s.end) for s in doc.sents] == [(s.start, s.end) for s in plain.sents]


def test_annotation_of_spaces_is_that_of_spacy(pipeline: Pipeline) -> None:
    doc = pipeline(annotate=True)(TEXT)
    spaces = [token for token in doc if token.is_space]
    assert len(spaces) == 4
    for token in spaces:
        assert (token.pos_, token.tag_, token.lemma_, str(token.morph)) == ("SPACE", "_SP", token.text, "")
        assert token.head.sent == token.sent
    assert [(token.dep_, token.head.i - token.i) for token in spaces] == [
        ("dep", 1),
        ("dep", 1),
        ("dep", -1),
        ("ROOT", 0),
    ]


@pytest.mark.parametrize("layers", [[], *([name] for name in LAYERS), ["lemma", "tree"]])
def test_annotation_sets_what_was_asked_for(pipeline: Pipeline, layers: list[str]) -> None:
    doc = pipeline(annotate=layers)(TEXT)
    assert {name for name, attribute in ATTRIBUTES.items() if doc.has_annotation(attribute)} == set(layers)
    assert len(doc._.graph)


def test_annotation_is_not_set_by_default(pipeline: Pipeline) -> None:
    doc = pipeline()(TEXT)
    assert not any(doc.has_annotation(attribute) for attribute in ATTRIBUTES.values())


def test_annotation_predicts_nothing_else(pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch) -> None:
    nlp = pipeline(annotate=["upos"])
    backend, asked = nlp.get_pipe("arctag").parser.backend, set[str]()
    read = backend.read

    def spy(arrays: Any, layers: Any) -> Any:
        asked.update(layers)
        return read(arrays, layers)

    monkeypatch.setattr(backend, "read", spy)
    nlp(TEXT)
    # lemmas and the tree complete the graph
    assert {"upos", "graph"} <= asked <= {"upos", "graph", "lemma", "tree"}


def test_annotation_takes_what_a_model_has(pipeline: Pipeline) -> None:
    doc = pipeline("verified", annotate=True)(TEXT)
    assert {name for name, attribute in ATTRIBUTES.items() if doc.has_annotation(attribute)} == {"tree"}
    without_graph = pipeline("tags", annotate=True)(TEXT)
    assert without_graph[1].pos_ in spacy.parts_of_speech.IDS
    assert len(without_graph._.graph) == 0
    with pytest.raises(UnknownName, match=r"unknown layer 'upos'\. Known: graph, tree"):
        pipeline("verified", annotate=["upos"])(TEXT)


def test_annotation_of_something_else_is_refused_at_once(pipeline: Pipeline) -> None:
    with pytest.raises(UnknownName, match=r"unknown layer to annotate 'graph'\. Known: feats, lemma, tree, upos, xpos"):
        pipeline(annotate=["graph"])


def test_annotation_of_empty_docs(pipeline: Pipeline) -> None:
    nlp = pipeline(annotate=True)
    assert len(nlp("")) == 0
    (space,) = nlp(" \n ")
    assert (space.pos_, space.dep_, space.head) == ("SPACE", "ROOT", space)


def test_annotation_in_pipes_and_processes(pipeline: Pipeline) -> None:
    nlp = pipeline(annotate=True)
    alone = [nlp(text).to_json() for text in (TEXT, "She sings.")]
    assert [doc.to_json() for doc in nlp.pipe([TEXT, "She sings."])] == alone


def test_annotation_tag_that_spacy_does_not_know() -> None:
    doc = Doc(spacy.blank("en").vocab, ["a", "b"])
    annotate_doc(doc, [([0, 1], Sentence.from_words(["a", "b"], tags=["NOUN", "FOREIGN"]))], [0], ["upos"])
    assert [token.pos_ for token in doc] == ["NOUN", "X"]


def test_annotation_of_a_tree_that_crosses() -> None:
    words = list("abcde")
    heads = [3, 5, 0, 1, 3]
    rows = [[str(i + 1), word, *"____", str(heads[i]), "x", "_", "_"] for i, word in enumerate(words)]
    doc = Doc(spacy.blank("en").vocab, words)
    sentence = Sentence.from_words(words).replace(rows=rows)
    annotate_doc(doc, [(list(range(5)), sentence)], [0], ["tree"])
    assert [token.head.i for token in doc] == [2, 4, 2, 0, 2]
    assert [(s.start, s.end) for s in doc.sents] == [(0, 5)]
