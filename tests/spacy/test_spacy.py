"""The spaCy component: which words are parsed together, where the graphs are kept, what a saved pipeline holds."""

from __future__ import annotations

import json
import multiprocessing
import os
import pickle
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import entry_points
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any
from xml.etree import ElementTree

import pytest

spacy: Any = pytest.importorskip("spacy", reason="spaCy is not installed: pip install 'arctag[spacy]'")

from spacy.tokens import Doc, DocBin, Token  # noqa: E402

from arctag import read  # noqa: E402
from arctag.errors import InputError, MissingExtra, UnknownName  # noqa: E402
from arctag.graph import Graph  # noqa: E402
from arctag.parsing import loading  # noqa: E402
from arctag.parsing.loading import load  # noqa: E402
from arctag.parsing.parser import ParseOptions, Parser  # noqa: E402
from arctag.sentence import Sentence  # noqa: E402
from arctag.spacy import DocArc, DocGraph, make_component, set_extensions, storage  # noqa: E402
from arctag.spacy.factory import registered  # noqa: E402
from arctag.spacy.model_source import ModelSource  # noqa: E402
from tests.documents import evaluate, python  # noqa: E402
from tests.networks import Models, graph_layer  # noqa: E402
from tests.places import ROOT  # noqa: E402

TEXTS = [
    "The kettle sings. She wants to leave now.",
    "",
    "The cat that I fed purred.",
    " \n\t ",
    "Anna wanted to buy apples and Ben pears.  She\nsings .",
]


class Splitter:
    """A stand-in for a model's tokenizer: a sentence ends after a full stop, wherever that is."""

    def sentences(self, text: str) -> Iterator[Sentence]:
        for part in re.findall(r"[^.]+\.?", text):
            if part.strip():
                yield Sentence.from_words(part.split())


Pipeline = Callable[..., Any]


@pytest.fixture
def pipeline(models: Models) -> Pipeline:
    """A blank pipeline with the component, and with a sentencizer before it if wanted."""

    def make(kind: str = "verified", *, sents: bool = True, **config: Any) -> Any:
        nlp = spacy.blank("en")
        if sents:
            nlp.add_pipe("sentencizer")
        nlp.add_pipe("arctag", config={"model": str(models(kind)), "device": "cpu", **config})
        return nlp

    return make


@pytest.fixture
def parsed(pipeline: Pipeline) -> Doc:
    """Two sentences with a few arcs each."""
    doc: Doc = pipeline(threshold=0.1)(TEXTS[0])
    assert all(len(part) > 3 for part in graphs_of_sents(doc))
    return doc


def graphs_of_sents(doc: Doc) -> list[list[DocArc]]:
    return [list(sentence._.graph) for sentence in doc.sents]


def arcs(doc: Doc) -> list[tuple[int | None, int, tuple[str, ...]]]:
    """The arcs without their probabilities, whose last digits may depend on the batch."""
    return [arc[:3] for arc in doc._.graph]


def probabilities(doc: Doc) -> list[float]:
    return [arc.probability for arc in doc._.graph]


def read_text(text: str) -> list[Sentence]:
    """The sentences of a CoNLL-U text."""
    with NamedTemporaryFile("w", suffix=".conllu", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        return list(read(file.name))


# Finding the component


def test_spacy_finds_the_component_by_its_entry_point() -> None:
    (found,) = entry_points(group="spacy_factories", name="arctag")
    assert found.load() is make_component
    assert spacy.blank("de").has_factory("arctag")


def test_spacy_that_is_not_installed_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy.language", None)
    with pytest.raises(MissingExtra, match=r"pip install 'arctag\[spacy\]'"):
        registered.__wrapped__()


def test_spacy_component_says_what_it_sets(pipeline: Pipeline) -> None:
    meta = pipeline().get_pipe_meta("arctag")
    assert "doc._.graph" in meta.assigns
    assert Token.has_extension("heads")


@pytest.mark.parametrize(
    ("config", "error"),
    [
        ({"ensure": ["tree"]}, UnknownName),
        ({"threshold": 2.0}, InputError),
        ({"batch_tokens": 0}, InputError),
        ({"batch_tokens": "many"}, ValueError),
        ({"colour": "red"}, ValueError),
    ],
)
def test_spacy_bad_config_is_refused_at_once(config: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        spacy.blank("en").add_pipe("arctag", config=config)


def test_spacy_model_is_loaded_when_first_needed(models: Models, tmp_path: Path) -> None:
    nlp = spacy.blank("en")
    component = nlp.add_pipe("arctag", config={"model": str(tmp_path / "later")})
    with pytest.raises(InputError, match="no model folder at"):
        nlp("She sings.")
    with pytest.raises(InputError, match="no model folder at"):
        nlp.initialize()
    shutil.copytree(models("verified"), tmp_path / "later")
    nlp.initialize()
    shutil.rmtree(tmp_path / "later")
    assert nlp("She sings.")._.graph is not None
    assert isinstance(component.parser, Parser)


def test_spacy_foreign_extension_is_not_overwritten() -> None:
    set_extensions()
    Token.set_extension("heads", default=None, force=True)
    try:
        with pytest.raises(
            InputError,
            match=r"token\._\.heads is used by another extension: remove it with Token\.remove_extension\('heads'\)",
        ):
            spacy.blank("en").add_pipe("arctag")
    finally:
        Token.remove_extension("heads")
        set_extensions()


# Parsing


def test_spacy_graphs_are_those_of_the_parser(pipeline: Pipeline, models: Models) -> None:
    options = ParseOptions(probabilities=True)
    parser = load(models("verified"), "cpu")
    doc = pipeline()(TEXTS[0])
    first = 0
    for span, sentence in zip(doc.sents, parser.parse([[t.text for t in s] for s in doc.sents], options), strict=True):
        expected = [
            (arc.head - 1 + first if arc.head else None, arc.dependent - 1 + first, arc.relations)
            for arc in sentence.graph
        ]
        assert [arc[:3] for arc in span._.graph] == expected
        assert expected
        assert sentence.graph.probabilities is not None
        known = sentence.graph.probabilities.tolist()
        assert [arc.probability for arc in span._.graph] == pytest.approx(known)
        first += len(span)


def test_spacy_tokens_and_sentences_stay_as_they_are(pipeline: Pipeline) -> None:
    for text in TEXTS:
        plain = spacy.blank("en")(text)
        doc = pipeline(sents=False)(text)
        assert [(t.text, t.idx, t.whitespace_) for t in doc] == [(t.text, t.idx, t.whitespace_) for t in plain]
        assert doc.text == text
        assert doc.has_annotation("SENT_START") is plain.has_annotation("SENT_START")
        assert doc.has_annotation("DEP") is plain.has_annotation("DEP")


def test_spacy_arcs_stay_within_the_sentences_of_the_doc(pipeline: Pipeline) -> None:
    doc = pipeline(threshold=0.0)(TEXTS[0])
    place = {token.i: number for number, sentence in enumerate(doc.sents) for token in sentence}
    assert len(doc._.graph.sentences) == 2
    assert all(arc.head is None or place[arc.head] == place[arc.dependent] for arc in doc._.graph)


def test_spacy_doc_without_sentences_is_one(pipeline: Pipeline) -> None:
    nlp = pipeline(sents=False)
    parser = nlp.get_pipe("arctag").parser
    parser.files = parser.tokenizer = None
    doc = nlp(TEXTS[0])
    assert [s.words for s in doc._.graph.sentences] == [[token.text for token in doc]]


def test_spacy_doc_without_sentences_is_split_by_the_tokenizer_of_the_model(pipeline: Pipeline) -> None:
    nlp = pipeline(sents=False)
    nlp.get_pipe("arctag").parser.tokenizer = Splitter()
    doc = nlp("She sings.\n\n  The cat\tpurred.Ben  left. ")
    assert [" ".join(s.words) for s in doc._.graph.sentences] == ["She sings .", "The cat purred .", "Ben left ."]
    assert not doc.has_annotation("SENT_START")
    assert [s.words for s in nlp("no stop")._.graph.sentences] == [["no", "stop"]]
    assert len(nlp(" \n ")._.graph.sentences) == 0


def test_spacy_tokenizer_of_the_model_gives_way_to_the_sentences_of_the_doc(pipeline: Pipeline) -> None:
    nlp = pipeline(sents=False)
    nlp.get_pipe("arctag").parser.tokenizer = Splitter()
    doc = Doc(nlp.vocab, words=["She", ".", "sings", "She", "."], sent_starts=[True, False, False, True, False])
    assert [s.words for s in nlp(doc)._.graph.sentences] == [["She", ".", "sings"], ["She", "."]]


def test_spacy_boundary_inside_a_token_moves_behind_it(pipeline: Pipeline) -> None:
    nlp = pipeline(sents=False)
    nlp.get_pipe("arctag").parser.tokenizer = Splitter()
    doc = nlp(Doc(nlp.vocab, words=["I", "left.She", "sings", "a.b.c", "now"]))
    assert [s.words for s in doc._.graph.sentences] == [["I", "left.She"], ["sings", "a.b.c"], ["now"]]


def test_spacy_sentences_are_set_on_request(pipeline: Pipeline) -> None:
    nlp = pipeline(sents=False, set_sents=True)
    nlp.get_pipe("arctag").parser.tokenizer = Splitter()
    doc = nlp("  She sings.  The cat purred.")
    assert [sentence.text_with_ws for sentence in doc.sents] == ["  She sings.  ", "The cat purred."]
    assert doc.has_annotation("SENT_START", require_complete=True)
    already = nlp(Doc(nlp.vocab, words=["a", ".", "b"], sent_starts=[True, None, False]))
    assert [token.is_sent_start for token in already] == [True, None, False]


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["\n"],
        [" ", "\t"],
        ["a\tb", "c d", "\u00a0", "e\u2028f"],
        ["New  York", "\n\n", "\x00", "\x1f", "🫖"],
        ["x" * 5000],
    ],
)
def test_spacy_odd_tokens_are_parsed_and_spaces_left_out(pipeline: Pipeline, words: list[str]) -> None:
    nlp = pipeline(ensure=["attached"])
    doc = nlp(Doc(nlp.vocab, words=words))
    solid = {i for i, word in enumerate(words) if not word.isspace()}
    assert {arc.dependent for arc in doc._.graph} == solid
    assert all(arc.head in solid or arc.head is None for arc in doc._.graph)
    assert [token._.heads == [] for token in doc] == [word.isspace() for word in words]
    assert ("\t" in doc._.graph.to_conllu()) == bool(solid)
    if solid:
        assert len(list(read_text(doc._.graph.to_conllu()))) == len(doc._.graph.sentences)


@pytest.mark.parametrize("batch_size", [1, 2, 100])
def test_spacy_many_docs_are_parsed_as_each_alone(pipeline: Pipeline, batch_size: int) -> None:
    nlp = pipeline(batch_tokens=20)
    alone = [nlp(text) for text in TEXTS]
    together = list(nlp.pipe(TEXTS, batch_size=batch_size))
    assert [doc.text for doc in together] == TEXTS
    assert [arcs(doc) for doc in together] == [arcs(doc) for doc in alone]
    for one, other in zip(together, alone, strict=True):
        assert probabilities(one) == pytest.approx(probabilities(other), abs=1e-5)


def test_spacy_docs_of_a_batch_go_to_the_network_together(pipeline: Pipeline) -> None:
    nlp = pipeline()
    backend = nlp.get_pipe("arctag").parser.backend
    calls = count_calls(backend)
    list(nlp.pipe(["She sings.", "The cat purred.", "Ben left."] * 4, batch_size=12))
    assert len(calls) == 1


def count_calls(backend: Any) -> list[int]:
    """A list that grows by the number of sentences whenever the network reads."""
    calls: list[int] = []
    original = backend.read

    def spy(arrays: Any, layers: Any) -> Any:
        calls.append(len(arrays["lengths"]))
        return original(arrays, layers)

    backend.read = spy
    return calls


def test_spacy_pipe_reads_no_more_than_a_batch_ahead(pipeline: Pipeline) -> None:
    taken: list[str] = []

    def endless() -> Iterator[str]:
        while True:
            taken.append("She sings.")
            yield taken[-1]

    next(pipeline().pipe(endless(), batch_size=3))
    assert len(taken) <= 6


def fail_on(nlp: Any, length: int) -> None:
    """Let the network fail on sentences of so many words."""
    backend = nlp.get_pipe("arctag").parser.backend
    original = backend.read

    def fails(arrays: Any, layers: Any) -> Any:
        if length in arrays["lengths"]:
            raise ValueError("out of order")
        return original(arrays, layers)

    backend.read = fails


def test_spacy_doc_that_fails_goes_to_the_error_handler_and_the_others_are_parsed(pipeline: Pipeline) -> None:
    nlp = pipeline()
    expected = [arcs(nlp(text)) for text in ("She sings.", "Ben left.")]
    fail_on(nlp, 5)
    with pytest.raises(ValueError, match="out of order"):
        list(nlp.pipe(["She sings.", "The old cat purred."]))
    told: list[tuple[str, list[str], str]] = []
    nlp.set_error_handler(lambda name, proc, docs, error: told.append((name, [d.text for d in docs], str(error))))
    found = list(nlp.pipe(["She sings.", "The old cat purred.", "Ben left."]))
    assert [arcs(doc) for doc in found] == expected
    assert told == [("arctag", ["The old cat purred."], "out of order")]


def test_spacy_model_that_cannot_be_loaded_is_no_fault_of_a_doc(tmp_path: Path) -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("arctag", config={"model": str(tmp_path / "none")})
    nlp.set_error_handler(lambda name, proc, docs, error: None)
    with pytest.raises(InputError, match="no model folder"):
        list(nlp.pipe(["She sings."]))


def test_spacy_options_reach_the_parser(pipeline: Pipeline) -> None:
    text = TEXTS[0]
    everything, sure = pipeline(threshold=0.0)(text), pipeline(threshold=0.99)(text)
    assert set(arcs(everything)) > set(arcs(sure))
    assert all(0 < p <= 1 for p in probabilities(everything))
    assert set(probabilities(pipeline(probabilities=False, threshold=0.0)(text))) == {None}
    attached = pipeline(threshold=0.99, ensure=["attached", "acyclic"])(text)
    assert all(token._.heads for token in attached)


def test_spacy_doc_parsed_again_has_the_new_graph_only(pipeline: Pipeline) -> None:
    nlp = pipeline(threshold=0.0)
    doc = nlp(Doc(nlp.vocab, words=["She", "sings", ".", "Ben", "left"], sent_starts=[1, -1, -1, -1, -1]))
    before = len(doc._.graph)
    assert len(doc._.graph.sentences) == 1
    again = pipeline(threshold=0.9)(doc)
    assert again is doc
    assert len(doc._.graph) < before
    doc[3].is_sent_start = True
    assert [s.words for s in nlp(doc)._.graph.sentences] == [["She", "sings", "."], ["Ben", "left"]]


def test_spacy_tags_are_given_to_models_that_read_them(pipeline: Pipeline, sample: Path) -> None:
    nlp = pipeline("collapsed", sents=False)
    with pytest.raises(InputError, match=r"has none \(POS\): add a tagger before arctag"):
        nlp("The kettle sings.")
    parser = nlp.get_pipe("arctag").parser
    for sentence in [s for s in read(sample) if not s.has_empty][:5]:
        doc = Doc(nlp.vocab, words=sentence.words, pos=sentence.tags)
        (expected,) = parser.parse([sentence])
        assert nlp(doc)._.graph.sentences[0].graph == expected.graph


def test_spacy_tags_of_the_language_are_given_to_models_trained_on_them(pipeline: Pipeline) -> None:
    nlp = pipeline("collapsed", sents=False)
    parser = nlp.get_pipe("arctag").parser
    parser.inputs.tags = {"NN": 2, "VBZ": 3}
    seen: list[Sentence] = []
    original: Any = parser.parse_sentences

    def spy(sentences: list[Sentence], options: ParseOptions) -> Iterator[Sentence]:
        seen.extend(sentences)
        yield from original(sentences, options)

    parser.parse_sentences = spy
    nlp(Doc(nlp.vocab, words=["kettle", "sings"], pos=["NOUN", "VERB"], tags=["NN", "VBZ"]))
    assert [s.tags for s in seen] == [["NN", "VBZ"]]


# What docs, spans and tokens say


def test_spacy_doc_that_was_not_parsed_has_no_graph() -> None:
    set_extensions()
    doc = spacy.blank("en")("She sings.")
    assert doc._.graph is None
    assert doc[0:1]._.graph is None
    assert doc[0]._.heads == doc[0]._.dependents == doc[0]._.graph_relations == []


def test_spacy_tokens_know_their_heads_and_dependents(parsed: Doc) -> None:
    triples = [(a.head, a.dependent, r) for a in parsed._.graph for r in a.relations]
    heads = [(h.i if h else None, t.i, r) for t in parsed for h, r in t._.heads]
    dependents = [(t.i, d.i, r) for t in parsed for d, r in t._.dependents]
    assert heads == triples
    assert sorted(dependents) == sorted(triple for triple in triples if triple[0] is not None)
    assert [t._.graph_relations for t in parsed] == [[r for _, r in t._.heads] for t in parsed]


def test_spacy_graph_is_a_list_of_arcs(parsed: Doc) -> None:
    graph = parsed._.graph
    assert isinstance(graph, DocGraph)
    assert graph.doc is parsed
    assert list(graph) == [graph[i] for i in range(len(graph))] == graph[:]
    assert graph[0] in graph
    assert graph[-1].relation == "+".join(graph[-1].relations)
    assert repr(graph) == f"<DocGraph: {len(parsed)} words, {len(graph)} arcs>"


def test_spacy_span_has_the_arcs_that_do_not_leave_it(parsed: Doc) -> None:
    for start in range(len(parsed)):
        for end in range(start + 1, len(parsed) + 1):
            inside = {None, *range(start, end)}
            expected = [a for a in parsed._.graph if a.head in inside and a.dependent in inside]
            assert list(parsed[start:end]._.graph) == expected
            words = [w for s in parsed[start:end]._.graph.sentences for w in s.words]
            assert words == [t.text for t in parsed[start:end]]


def test_spacy_conllu_can_be_read_back(parsed: Doc) -> None:
    for graph in (parsed._.graph, parsed[2:6]._.graph):
        sentences = read_text(graph.to_conllu())
        assert [s.graph for s in sentences] == [s.graph for s in graph.sentences]
        assert sum(len(s.graph) for s in sentences) == len(graph)
    assert [s.id for s in read_text(parsed._.graph.to_conllu())] == ["1", "2"]
    assert [s.text for s in read_text(parsed._.graph.to_conllu())] == [s.text for s in parsed.sents]


def test_spacy_conllu_has_what_spacy_knows() -> None:
    nlp = spacy.blank("en")
    doc = Doc(nlp.vocab, ["New  York", "'s", "\n", "ok"], [False, False, False, False],
              lemmas=["New York", "", "", "ok"], pos=["PROPN", "", "", "ADJ"], tags=["NNP", "", "", "JJ"],
              morphs=["Number=Sing", "", "", ""])  # fmt: skip
    set_extensions()
    storage.store(doc, [([0, 1, 3], Sentence.from_words(["a", "b", "c"], Graph(3, [(0, 1, "root"), (1, 3, "amod")])))])
    assert doc._.graph.to_conllu().splitlines() == [
        "# sent_id = 1",
        "# text = New York's ok",
        "1\tNew York\tNew York\tPROPN\tNNP\tNumber=Sing\t_\t_\t0:root\tSpaceAfter=No",
        "2\t's\t_\t_\t_\t_\t_\t_\t_\t_",
        "3\tok\tok\tADJ\tJJ\t_\t_\t_\t1:amod\t_",
        "",
    ]


def test_spacy_json_is_plain(parsed: Doc) -> None:
    value = json.loads(json.dumps(parsed._.graph.to_json()))
    assert [word["text"] for word in value["words"]] == [token.text for token in parsed]
    assert [word["token"] for word in value["words"]] == [token.i for token in parsed]
    assert [DocArc(a["head"], a["dependent"], tuple(a["relations"]), a["probability"]) for a in value["arcs"]] == list(
        parsed._.graph
    )


def test_spacy_pictures_show_every_word(parsed: Doc) -> None:
    page = parsed._.graph._repr_html_()
    assert page.count("<svg") == 2
    assert page.count("<style") == 1
    for picture in (parsed._.graph.svg(), f"<p>{page}</p>"):
        root = ElementTree.fromstring(picture)
        shown = [e for e in root.iter("{http://www.w3.org/2000/svg}g") if e.get("class", "").startswith("word")]
        assert ["".join(e.itertext()) for e in shown] == [token.text for token in parsed]
        drawn = [e for e in root.iter("{http://www.w3.org/2000/svg}g") if e.get("class", "").startswith("arc ")]
        assert len(drawn) == len(parsed._.graph)


def test_spacy_pictures_follow_the_script() -> None:
    set_extensions()
    docs = [Doc(spacy.blank(lang).vocab, words=["a", "b"]) for lang in ("en", "ar")]
    for doc in docs:
        storage.store(doc, [([0, 1], Sentence.from_words(["a", "b"], Graph(2, [(0, 1, "root"), (1, 2, "x")])))])
    english, arabic = docs
    assert english._.graph.svg(direction="rtl") == arabic._.graph.svg() != english._.graph.svg()


def test_spacy_doc_without_words_has_an_empty_graph(pipeline: Pipeline) -> None:
    for text in ("", " \n"):
        graph = pipeline()(text)._.graph
        assert (len(graph), graph.sentences, graph.to_conllu()) == (0, [], "")
        assert graph.to_json() == {"words": [], "arcs": []}
        assert graph._repr_html_() == ""
        assert "<svg" in graph.svg()


# Empty nodes

EMPTY = """\
1	Anna	_	_	_	_	_	_	2:nsubj	_
2	wanted	_	_	_	_	_	_	0:root	_
3	apples	_	_	_	_	_	_	2:obj	_
4	Ben	_	_	_	_	_	_	4.1:nsubj	_
4.1	_	_	_	_	_	_	_	2:conj	_
5	pears	_	_	_	_	_	_	4.1:obj	_

"""


def test_spacy_empty_nodes_become_paths_and_come_back() -> None:
    set_extensions()
    (sentence,) = read_text(EMPTY)
    doc = Doc(spacy.blank("en").vocab, words=["Anna", "wanted", "apples", "\n", "Ben", "pears"])
    graph = sentence.graph
    probable = [0.875, 0.75, 0.625, 0.5, 0.25, 0.5]
    parsed = Graph.from_arrays(graph.n, graph.heads, graph.dependents, graph.relations, probable)
    storage.store(doc, [([0, 1, 2, 4, 5], Sentence(sentence.rows, parsed))])
    assert list(doc._.graph) == [
        (1, 0, ("nsubj",), 0.875),
        (None, 1, ("root",), 0.75),
        (1, 2, ("obj",), 0.625),
        (1, 4, ("conj>4.1>nsubj",), 0.25),
        (1, 5, ("conj>4.1>obj",), 0.25),
    ]
    (again,) = doc._.graph.sentences
    assert again.ids == sentence.ids
    assert again.graph == sentence.graph
    assert read_text(doc._.graph.to_conllu())[0].graph == sentence.graph


def test_spacy_pictures_of_several_sentences_keep_empty_nodes_apart() -> None:
    set_extensions()
    (sentence,) = read_text(EMPTY)
    doc = Doc(spacy.blank("en").vocab, words=["Anna", "wanted", "apples", "Ben", "pears"] * 2)
    storage.store(doc, [([0, 1, 2, 3, 4], sentence), ([5, 6, 7, 8, 9], sentence)])
    picture = ElementTree.fromstring(doc._.graph.svg())
    ids = [e.get("data-word") for e in picture.iter() if e.get("data-word")]
    assert ids == ["1", "2", "3", "4", "4.1", "5", "6", "7", "8", "9", "9.1", "10"]
    pairs = {(e.get("data-head"), e.get("data-dependent")) for e in picture.iter() if e.get("data-head")}
    assert {("4.1", "5"), ("9.1", "10"), ("0", "7")} <= pairs
    assert len(pairs) == 12


# Docs that are written, cut, joined and changed


def test_spacy_graphs_survive_writing(parsed: Doc) -> None:
    expected = list(parsed._.graph)
    stored = DocBin(store_user_data=True, docs=[parsed]).to_bytes()
    (from_bin,) = DocBin().from_bytes(stored).get_docs(parsed.vocab)
    from_bytes = Doc(parsed.vocab).from_bytes(parsed.to_bytes())
    unpickled = pickle.loads(pickle.dumps(parsed))
    for doc in (from_bin, from_bytes, unpickled, parsed.copy()):
        assert list(doc._.graph) == expected
        assert doc._.graph.to_conllu() == parsed._.graph.to_conllu()


def test_spacy_graphs_survive_cutting_and_joining(parsed: Doc) -> None:
    first, second = graphs_of_sents(parsed)
    one, two = (sentence.as_doc(copy_user_data=True) for sentence in parsed.sents)
    assert list(one._.graph) == first
    assert list(two._.graph) == moved(second, -len(one))
    for docs in ([one, two], [two, one], [one, one, two], [two, two]):
        both = Doc.from_docs(docs)
        expected: list[DocArc] = []
        at = 0
        for doc in docs:
            expected += moved(list(doc._.graph), at)
            at += len(doc)
        assert list(both._.graph) == expected


def moved(found: list[DocArc], by: int) -> list[DocArc]:
    return [a._replace(head=None if a.head is None else a.head + by, dependent=a.dependent + by) for a in found]


def test_spacy_part_of_a_sentence_has_no_graph(parsed: Doc) -> None:
    part = parsed[1:3].as_doc(copy_user_data=True)
    assert part._.graph is None
    other = Doc(parsed.vocab, words=["Go", "now"])
    joined = Doc.from_docs([other, part])
    assert joined._.graph is None
    assert all(token._.heads == [] for token in joined)


def test_spacy_data_of_text_that_was_cut_off_does_no_harm(pipeline: Pipeline) -> None:
    doc = pipeline(threshold=0.0)("I left. You left. We stay.")
    first, _, third = (sentence.as_doc(copy_user_data=True) for sentence in doc.sents)
    joined = Doc.from_docs([first, third])  # spaCy moves what belongs to 'You left.' onto 'I left.'
    expected = list(first._.graph) + moved(list(third._.graph), len(first))
    assert list(joined._.graph) == expected


def test_spacy_data_of_text_before_the_first_is_not_found_from_the_end() -> None:
    set_extensions()
    doc = Doc(spacy.blank("en").vocab, words=["Ha.", "Oh", "Ha.!"], spaces=[True, True, False])
    one = Sentence.from_words(["a"], Graph(1, [(0, 1, "x")]))
    two = Sentence.from_words(["a", "b"], Graph(2, [(2, 1, "y")]))
    storage.store(doc, [([0], one), ([1, 2], two)])
    cut = doc[1:].as_doc(copy_user_data=True)
    assert ("._.", "arctag", -4, -1) in list[Any](cut.user_data)
    assert cut.text[-4:-1] == doc[0].text
    assert arcs(cut) == [(1, 0, ("y",))]
    assert [sentence.id for sentence in cut._.graph.sentences] == ["1"]


def test_spacy_merged_tokens_share_their_arcs() -> None:
    set_extensions()
    doc = Doc(spacy.blank("en").vocab, words=["in", "New", "York", "City", "now"])
    inner = [(4, 2, "flat"), (4, 3, "flat"), (5, 5, "z")]
    graph = Graph(5, [(0, 4, "root"), (4, 1, "case"), (2, 5, "x"), (3, 5, "y"), *inner])
    storage.store(doc, [(range(5), Sentence.from_words([t.text for t in doc], graph))])
    assert len(doc._.graph) == 7
    with doc.retokenize() as retokenizer:
        retokenizer.merge(doc[1:4])
    expected = [(1, 0, ("case",)), (None, 1, ("root",)), (1, 2, ("x", "y")), (2, 2, ("z",))]
    assert arcs(doc) == expected
    assert doc._.graph.sentences[0].words == ["in", "New York City", "now"]


# Pipelines that are saved or sent to other processes


def test_spacy_saved_pipeline_holds_its_model(models: Models, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(models("verified"), folder)
    (folder / "checkpoints").mkdir()
    nlp = spacy.blank("en")
    nlp.add_pipe("arctag", config={"model": str(folder), "device": "cpu", "threshold": 0.2})
    expected = arcs(nlp(TEXTS[0]))
    nlp.to_disk(tmp_path / "first")
    shutil.rmtree(folder)
    assert not (tmp_path / "first" / "arctag" / "model" / "checkpoints").exists()
    again = spacy.load(tmp_path / "first")
    again.to_disk(tmp_path / "second")
    again.to_disk(tmp_path / "first")  # onto itself
    for place in ("first", "second"):
        (tmp_path / place).rename(tmp_path / f"{place}-moved")
        loaded = spacy.load(tmp_path / f"{place}-moved")
        assert loaded.get_pipe("arctag").options == ParseOptions(threshold=0.2, probabilities=True)
        assert arcs(loaded(TEXTS[0])) == expected


def test_spacy_saved_pipeline_replaces_an_older_one(pipeline: Pipeline, tmp_path: Path) -> None:
    pipeline("baseline").to_disk(tmp_path / "nlp")
    extra = tmp_path / "nlp" / "arctag" / "model" / "old"
    extra.write_text("left over")
    nlp = pipeline("plain")
    nlp.to_disk(tmp_path / "nlp")
    assert not extra.exists()
    assert arcs(spacy.load(tmp_path / "nlp")(TEXTS[2])) == arcs(nlp(TEXTS[2]))


def test_spacy_model_known_by_name_stays_where_it_is(
    parsers: Callable[[str], Parser], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, str | None]] = []
    monkeypatch.chdir(tmp_path)

    def load(name: str, device: str | None) -> Parser:
        asked.append((name, device))
        return parsers("verified")

    monkeypatch.setattr(loading, "load", load)
    nlp = spacy.blank("en")
    nlp.add_pipe("arctag", config={"device": "cpu"})
    nlp("She sings.")
    nlp.to_disk(tmp_path / "nlp")
    assert not (tmp_path / "nlp" / "arctag").exists()
    assert len(nlp.to_bytes()) < 100_000
    assert spacy.load(tmp_path / "nlp")("She sings.")._.graph is not None
    assert spacy.blank("en").from_bytes(nlp.to_bytes()).pipe_names == []
    assert asked == [("en", "cpu")] * 2


def test_spacy_parser_can_be_given(pipeline: Pipeline, parsers: Callable[[str], Parser], tmp_path: Path) -> None:
    expected = arcs(pipeline("plain", sents=False)(TEXTS[2]))
    nlp = spacy.blank("en")
    component = nlp.add_pipe("arctag", config={"device": "cpu"})
    component.parser = parsers("plain")
    assert arcs(nlp(TEXTS[2])) == expected
    nlp.to_disk(tmp_path / "nlp")
    assert arcs(spacy.load(tmp_path / "nlp")(TEXTS[2])) == expected
    copy = pickle.loads(pickle.dumps(component))
    assert list(copy(nlp.make_doc(TEXTS[2]))._.graph) == list(nlp(TEXTS[2])._.graph)


@pytest.mark.parametrize("given", [False, True])
def test_spacy_pipeline_as_bytes_holds_its_model(pipeline: Pipeline, parsers: Any, given: bool) -> None:
    nlp = pipeline("plain")
    if given:
        nlp.get_pipe("arctag").parser = parsers("plain")
    other = pipeline("baseline")
    assert arcs(other(TEXTS[2])) != arcs(nlp(TEXTS[2]))
    other.from_bytes(nlp.to_bytes())
    assert arcs(other(TEXTS[2])) == arcs(nlp(TEXTS[2]))
    assert other.get_pipe("arctag").to_bytes() == nlp.get_pipe("arctag").to_bytes()


def test_spacy_unpacked_model_goes_with_its_pipeline(models: Models) -> None:
    source, other = ModelSource(str(models("plain"))), ModelSource("none")
    other.from_bytes(source.to_bytes())
    folder = Path(other.model)
    assert (folder / "config.json").is_file()
    del other
    assert not folder.exists()


def test_spacy_damaged_bytes_are_refused(models: Models) -> None:
    data = ModelSource(str(models("plain"))).to_bytes()
    with pytest.raises(InputError, match="damaged"):
        ModelSource("none").from_bytes(data[: len(data) // 2])


def test_spacy_excluded_model_is_left_out(pipeline: Pipeline, models: Models, tmp_path: Path) -> None:
    component = pipeline("plain").get_pipe("arctag")
    component.to_disk(tmp_path / "none", exclude=["model"])
    assert not (tmp_path / "none").exists()
    component.to_disk(tmp_path / "there")
    other = pipeline("baseline").get_pipe("arctag")
    other.from_disk(tmp_path / "there", exclude=["model"])
    other.from_bytes(component.to_bytes(), exclude=["model"])
    assert graph_layer(other.parser).biaffine
    assert len(component.to_bytes(exclude=["model"])) < 10


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_spacy_two_processes_give_the_same(pipeline: Pipeline) -> None:
    nlp = pipeline()
    texts = TEXTS * 3
    expected = [arcs(nlp(text)) for text in texts]
    found = list(nlp.pipe(texts, n_process=2, batch_size=4))
    assert [doc.text for doc in found] == texts
    assert [arcs(doc) for doc in found] == expected


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_spacy_forked_process_does_not_wait_for_threads_it_does_not_have(models: Models) -> None:
    import torch

    before = torch.get_num_threads()
    source = ModelSource(str(models("verified")), "cpu")
    source.load()
    context = multiprocessing.get_context("fork")
    told = context.SimpleQueue()

    def child() -> None:
        source.load()
        told.put(torch.get_num_threads())

    torch.set_num_threads(2)
    try:
        process = context.Process(target=child)
        process.start()
        process.join(60)
        assert process.exitcode == 0
        assert told.get() == 1
        source.load()
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)


# The page about it


def run_page(folder: Path, *, compare: bool) -> None:
    """Run every block of docs/spacy.md, and compare what it prints."""
    text = (ROOT / "docs" / "spacy.md").read_text(encoding="utf-8")
    page = folder / "spacy.md"
    page.write_text(text if compare else re.sub(r" +# .*", "", text), encoding="utf-8")
    assert evaluate(page, {"python": python}) > 4


@pytest.fixture
def my_model(models: Models, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to be in, with a model in it."""
    shutil.copytree(models("verified"), tmp_path / "my-model")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_spacy_page_runs(my_model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load = loading.load
    monkeypatch.setattr(loading, "load", lambda name, device: load("my-model" if name == "en" else name, device))
    run_page(my_model, compare=False)


def test_spacy_page_shows_what_happens(my_model: Path) -> None:
    try:
        loading.load("en")
    except InputError as error:
        pytest.skip(f"the English model is not there: {error}")
    run_page(my_model, compare=True)
