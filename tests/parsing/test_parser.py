"""`Parser`: what it takes, what comes out, thresholds, guarantees and probabilities."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import get_ident
from time import sleep
from typing import Any

import numpy as np
import pytest

import arctag
from arctag import read, write
from arctag.backends.inputs import Tokens
from arctag.errors import ArctagWarning, InputError, UnknownName
from arctag.graph import Graph
from arctag.layers.odds import sigmoid
from arctag.parsing.loading import load
from arctag.parsing.parser import ParseOptions, Parser
from arctag.sentence import Sentence
from tests.exported import Export, predicted, sample_words
from tests.networks import KINDS, arcs_of, fit, graph_layer, graphs, small
from tests.threads import by_threads

Parsers = Callable[[str], Parser]
ALL = ("attached", "top", "acyclic")


def test_parser_takes_words_sentences_and_files(parsers: Parsers, sample: Path) -> None:
    parser = parsers("verified")
    from_file = graphs(parser, sample)
    sentences = list(read(sample))
    assert graphs(parser, sentences[3]) == from_file[3:4]
    assert graphs(parser, iter(sentences)) == from_file
    assert graphs(parser, sentences) == from_file
    words = [[w for w, e in zip(s.words, s.empty, strict=True) if not e] for s in sentences]
    assert graphs(parser, words) == from_file
    assert (
        graphs(parser, words[3]) == graphs(parser, iter(words[3])) == graphs(parser, tuple(words[3])) == from_file[3:4]
    )
    assert [list(s.graph.triples()) for s in parser(words)] == from_file


def test_parser_takes_a_string_for_text(tmp_path: Path) -> None:
    parser = arctag.load("en")
    text = "He tries to swim. She doesn't."
    wanted = list(parser.parse_text(text))
    assert [s.text for s in wanted] == ["He tries to swim.", "She doesn't."]
    (tmp_path / "he.txt").write_text(text)
    for found in (parser(text), parser.parse(text), parser.parse(tmp_path / "he.txt")):
        for one, other in zip(found, wanted, strict=True):
            assert [row[1:] for row in one.rows] == [row[1:] for row in other.rows]
            assert any(row[7] == "nsubj" for row in one.rows)  # with its tree


@pytest.mark.parametrize(
    ("what", "message"),
    [
        (5, "expected text as a string, a file as a pathlib.Path, .*; found 5 of type int"),
        (None, "found None of type NoneType"),
        (b"She sings.", "found b'She sings.' of type bytes"),
        ({"text": "She"}, "found .* of type dict"),
        ([["She"], "sings"], "expected a sentence or a list of words; found 'sings' of type str"),
        ([5], "expected a sentence or a list of words; found 5 of type int"),
        ([["She", 5]], "expected a word as a string; found 5 of type int"),
        (["She", ["sings"]], r"expected a word as a string; found \['sings'\] of type list"),
        ([b"She"], "expected a sentence or a list of words; found b'She' of type bytes"),
        ([["She", ""]], "word 2 .* is empty"),
    ],
    ids=str,
)
def test_parser_says_what_it_takes(parsers: Parsers, what: Any, message: str) -> None:
    parser = parsers("verified")
    with pytest.raises(InputError, match=message):
        list(parser.parse(what))


def test_parser_text_must_be_a_string(parsers: Parsers) -> None:
    with pytest.raises(InputError, match=r"expected text as a string, found .* of type list; `parse` takes"):
        parsers("verified").parse_text(["She", "sings"])  # type: ignore[arg-type]


def test_parser_takes_no_string_for_a_file(parsers: Parsers, sample: Path) -> None:
    with pytest.raises(InputError, match=r"is a file, and a string is taken for text: give it as Path\("):
        parsers("verified").parse(str(sample))


def test_parser_keeps_order_and_takes_empty_one_word_and_unknown_sentences(parsers: Parsers) -> None:
    given = [["The", "kettle", "sings", "."], [], ["Zzyzx"], ["ⵣ", "🫖" * 60, "x" * 5000], ["She"]]
    found = list(parsers("verified").parse(given))
    assert [s.words for s in found] == given
    assert [s.graph.n for s in found] == [4, 0, 1, 3, 1]


def test_parser_reads_ahead_no_more_than_a_chunk(parsers: Parsers) -> None:
    taken: list[int] = []

    def endless() -> Iterator[list[str]]:
        for i in range(100):
            taken.append(i)
            yield ["She", "sings"]

    found = parsers("verified").parse(endless(), ParseOptions(read_ahead=7))
    next(found)
    assert len(taken) == 7


def test_parser_warns_of_texts_that_are_taken_for_words(parsers: Parsers) -> None:
    with pytest.warns(ArctagWarning, match=r"look like texts \('She left\.'\): parse each text by itself"):
        list(parsers("verified").parse(["She left.", "He came."]))
    assert len(list(parsers("verified").parse(["10 000", "euros"]))) == 1  # words may have spaces in them


def test_parser_does_not_look_at_the_graphs_it_is_given(parsers: Parsers, sample: Path) -> None:
    parser = parsers("verified")
    bare = [s.with_graph(Graph(s.graph.n)) for s in read(sample)]
    assert graphs(parser, bare) == graphs(parser, sample)


@pytest.mark.parametrize("kind", KINDS)
def test_parser_probabilities_and_scores(parsers: Parsers, sample: Path, sample_sdp: Path, kind: str) -> None:
    file = sample_sdp if kind == "sdp" else sample
    found = list(parsers(kind).parse(file, ParseOptions(probabilities=True, threshold=0.0)))
    assert any(len(s.graph) for s in found)
    for sentence in found:
        probable = sentence.graph.probabilities
        assert probable is not None
        assert len(probable) == len(sentence.graph)
        assert all(0 < p <= 1 for p in probable)
        assert sentence.score is not None
        assert math.isfinite(sentence.score)
        assert sentence.score <= 0


def test_parser_thresholds(parsers: Parsers, sample: Path) -> None:
    parser = parsers("verified")
    everything = arcs_of(list(parser.parse(sample, ParseOptions(threshold=0.0))))
    some = arcs_of(list(parser.parse(sample)))
    none = arcs_of(list(parser.parse(sample, ParseOptions(threshold=1.0, ensure=()))))
    assert all(a >= b >= c for a, b, c in zip(everything, some, none, strict=True))
    assert sum(map(len, everything)) > sum(map(len, some)) > 10 * sum(map(len, none))


def test_parser_threshold_zero_keeps_all_proposals(parsers: Parsers, sample: Path) -> None:
    parser = parsers("verified")
    backend: Any = parser.backend
    asked = 0
    verify = backend.verify

    def spy(state: Any, layer: str, heads: Any, dependents: Any) -> Any:
        nonlocal asked
        asked += len(heads)
        return verify(state, layer, heads, dependents)

    backend.verify = spy
    found = list(parser.parse(sample, ParseOptions(threshold=0.0)))
    assert sum(len(s.graph) for s in found) == asked > 0


def test_parser_union_has_the_arcs_of_each_encoding(parsers: Parsers, sample: Path) -> None:
    parser = parsers("union")
    options = ParseOptions(threshold=0.0)
    union = arcs_of(list(parser.parse(sample, options)))
    layer = graph_layer(parser)
    for i, chosen in enumerate(layer.decoders):
        for sentence, arcs in zip(read(sample), union, strict=True):
            words = [w for w, e in zip(sentence.words, sentence.empty, strict=True) if not e]
            ids = predicted(parser, [words]).tag_ids[i]
            labels = layer.spaces[i].labels(ids, np.array([len(words)], np.int32))
            assert chosen.decode(labels).graph.arc_set() <= arcs


def test_parser_baseline_search_equals_scoring_one_by_one(parsers: Parsers) -> None:
    parser = parsers("baseline")
    sentences = [["The", "kettle", "sings", "."], ["She"], ["She", "wants", "to", "leave", "now", "."]]
    found = predicted(parser, sentences, 0.05)
    state = parser.backend.read(parser.inputs.arrays([Tokens(words) for words in sentences]), ["graph"])
    expected = []
    first = 0
    for i, words in enumerate(sentences):
        for dependent in range(1, len(words) + 1):
            for head in range(len(words) + 1):
                node = np.array([head + first if head else 0])
                score = parser.backend.verify(state, "graph", node, np.array([dependent + first]))
                p = float(sigmoid(score)[0])
                if p >= 0.05 and head != dependent:  # the sample has no loops
                    expected.append((i, head, dependent, p))
        first += len(words)
    owner = np.repeat(np.arange(3), np.diff(found.starts)).tolist()
    rows = list(zip(owner, found.heads.tolist(), found.dependents.tolist(), strict=True))
    assert rows == [row[:3] for row in expected]
    assert len(rows) > 3
    assert np.allclose(found.arc_probabilities, [row[3] for row in expected], atol=1e-5)
    assert found.nodes[1].max() == 11


@pytest.mark.parametrize("names", [("attached",), ("top",), ("acyclic",), ALL], ids="+".join)
@pytest.mark.parametrize("kind", ["verified", "plain", "sdp"])
def test_parser_guarantees_hold(
    parsers: Parsers, sample: Path, sample_sdp: Path, kind: str, names: tuple[str, ...]
) -> None:
    file = sample_sdp if kind == "sdp" else sample
    options = ParseOptions(ensure=names, threshold=0.2, probabilities=True)
    parser = parsers(kind)
    plain = arcs_of(list(parser.parse(file, ParseOptions(ensure=(), threshold=0.2))))
    for sentence, before in zip(parser.parse(file, options), plain, strict=True):
        arcs = sentence.graph.arc_set()
        assert sentence.changes == len(arcs ^ before)
        assert sentence.graph.probabilities is not None
        assert len(sentence.graph.probabilities) == len(sentence.graph)
        assert all(arc.relations and all(arc.relations) for arc in sentence.graph)
        if "attached" in names:
            assert {dependent for _, dependent in arcs} == set(range(1, sentence.graph.n + 1))
        if "top" in names:
            assert any(head == 0 for head, _ in arcs)
        if "acyclic" in names:
            assert not sentence.graph.cyclic


@pytest.mark.usefixtures("one_thread")
def test_parser_collapsed_model_brings_empty_nodes_back(tmp_path: Path, sample: Path) -> None:
    file = tmp_path / "few.conllu"
    write((s for s in read(sample) if s.has_empty), file)
    config = small(tmp_path / "m", train=(str(file),), dev=(), empty="collapse", encoding="relative", epochs=40)
    found = list(fit(config).parse(file, ParseOptions(probabilities=True)))
    assert any(s.has_empty for s in found)
    assert all(s.graph.probabilities is not None and len(s.graph.probabilities) == len(s.graph) for s in found)


@pytest.mark.parametrize("bad", [{"batch_tokens": 0}, {"read_ahead": 0}, {"threshold": 1.5}, {"threshold": math.nan}])
def test_parser_bad_options_are_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        ParseOptions(**bad)


def test_parser_unknown_guarantee_is_refused() -> None:
    with pytest.raises(UnknownName, match="Known: acyclic, attached, connected, top"):
        ParseOptions(ensure=("tree",))


@pytest.mark.parametrize("count", [0, 1])
def test_parser_sentence_that_fails_is_reported_and_the_others_parsed(
    parsers: Parsers, sample: Path, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    parser = parsers("verified")
    sentences = list(read(sample))
    expected = graphs(parser, sentences)
    read_arrays: Any = parser.backend.read

    def fails(arrays: Any, layers: Any) -> Any:
        if 5 in arrays["lengths"]:
            raise RuntimeError("not enough memory\nand a long story")
        return read_arrays(arrays, layers)

    monkeypatch.setattr(parser.backend, "read", fails)
    monkeypatch.setattr(type(parser.backend), "ahead", count)
    told: list[tuple[str, str]] = []
    found = list(parser.parse_sentences(sentences, report=lambda s, why: told.append((s.id, why))))
    short = [s for s in sentences if sum(not e for e in s.empty) == 5]
    assert sorted(told) == sorted((s.id, "not enough memory") for s in short)
    assert told
    for before, after, graph in zip(sentences, found, expected, strict=True):
        assert after is before if before in short else list(after.graph.triples()) == graph
    with pytest.raises(RuntimeError, match="not enough memory"):
        list(parser.parse(sentences))


def test_parser_damaged_comment_spares_the_other_sentences(parsers: Parsers, sample: Path) -> None:
    good = next(read(sample))
    bad = Sentence(good.rows, good.graph, comments=("# empty_arc = 1",))
    told: list[str] = []
    found = list(parsers("collapsed").parse_sentences([good, bad, good], report=lambda s, why: told.append(why)))
    assert len(told) == 1
    assert found[1] is bad
    assert found[0].edited
    assert found[2].edited


def test_parser_batches_that_fail_meet_no_other_thread(
    parsers: Parsers, sample: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those are read once more when the threads that work ahead are done: the memory of words knows no locks."""
    parser = parsers("verified")
    small = ParseOptions(batch_tokens=40)
    sentences = list(read(sample))
    wanted = arcs_of(list(parser.parse(sentences, small)))
    inside, failed = Counter[str](), [0]

    def alone(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def called(*what: Any) -> Any:
            inside[name] += 1
            assert inside[name] == 1  # nobody else is in the middle of it
            try:
                sleep(0.002)  # long enough to be met
                return function(*what)
            finally:
                inside[name] -= 1

        return called

    def fails_at_first(arrays: Any, layers: Any, read_arrays: Any = parser.backend.read) -> Any:
        failed[0] += 1
        if failed[0] in (1, 3, 4):
            raise RuntimeError("not enough memory")
        return read_arrays(arrays, layers)

    monkeypatch.setattr(parser.inputs, "arrays", alone("arrays", parser.inputs.arrays))
    monkeypatch.setattr(parser.backend, "read", alone("read", fails_at_first))
    monkeypatch.setattr(type(parser.backend), "ahead", 1)
    assert arcs_of(list(parser.parse(sentences, small))) == wanted
    assert failed[0] > 8


def test_parser_reads_ahead_where_the_network_can(
    parsers: Parsers, sample: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parser = parsers("verified")
    small = ParseOptions(batch_tokens=40)
    wanted = arcs_of(list(parser.parse(sample, small)))
    happened: list[str] = []
    names = {"arrays": parser.inputs, "read": parser.backend, "tags": parser.backend, "verify": parser.backend}
    threads: dict[str, set[int]] = {name: set() for name in names}

    def told(name: str, where: Any) -> Callable[..., Any]:
        asked = getattr(where, name)

        def tell(*what: Any) -> Any:
            happened.append(name)
            threads[name].add(get_ident())
            return asked(*what)

        return tell

    monkeypatch.setattr(type(parser.backend), "ahead", 1)
    for name, where in names.items():
        monkeypatch.setattr(where, name, told(name, where))
    assert arcs_of(list(parser.parse(sample, small))) == wanted
    assert len({happened.count(name) for name in names}) == 1
    assert happened.count("read") > 3
    assert threads["verify"] == {get_ident()}
    assert len(set.union(*threads.values())) == 4  # a thread each


def test_parser_batches_by_what_the_network_reads(parsers: Parsers, monkeypatch: pytest.MonkeyPatch) -> None:
    parser = parsers("plain")
    monkeypatch.setattr(type(parser.inputs), "costs", lambda _, batch: [len("".join(s.words)) for s in batch])
    seen: list[list[list[str]]] = []
    sentences = [Sentence.from_words(words) for words in (["a"], ["https://example.org/a/long/address"], ["b"], [])]
    list(
        parser.parse_sentences(
            sentences, ParseOptions(40), on_batch=lambda batch, _: seen.append([s.words for s in batch])
        )
    )
    assert seen == [[["https://example.org/a/long/address"]], [["a"], ["b"]]]


def test_parser_threshold_of_a_plain_model_keeps_the_sure_arcs(parsers: Parsers, sample: Path) -> None:
    parser = parsers("plain")
    every = list(parser.parse(sample, ParseOptions(probabilities=True)))
    sure = list(parser.parse(sample, ParseOptions(threshold=0.9)))
    assert sum(len(s.graph) for s in sure) < sum(len(s.graph) for s in every)
    for all_arcs, few in zip(every, sure, strict=True):
        assert few.graph.arc_set() <= all_arcs.graph.arc_set()


@pytest.mark.parametrize("kind", ["torch", "exported"])
def test_parser_gives_every_thread_the_right_graphs(kind: str, exports: Export) -> None:
    """Eight threads that change places all the time; every one meets words that no other has met."""
    folder = exports("verified", "" if kind == "torch" else "fp32")
    sentences = [
        [[f"{word}{thread if i % 3 == 0 else ''}" for i, word in enumerate(words)] for words in sample_words()]
        for thread in range(8)
    ]
    wanted = [graphs(load(folder, "cpu"), some) for some in sentences]
    parser = load(folder, "cpu")

    def work(thread: int) -> list[list[tuple[int, int, str]]]:
        return [graphs(parser, [words])[0] for words in sentences[thread]]

    assert by_threads(work) == wanted


def test_parser_tokenizes_text_in_several_threads() -> None:
    texts = [f"She saw the cats of Anna{i}. They slept, all {i} of them. Nobody woke up{i}!" for i in range(8)]
    wanted = [[(s.text, list(s.graph.triples())) for s in arctag.load("en").parse(text)] for text in texts]
    parser = arctag.load("en")

    def work(thread: int) -> list[tuple[str, list[tuple[int, int, str]]]]:
        return [(s.text, list(s.graph.triples())) for s in parser.parse(texts[thread])]

    assert by_threads(work) == wanted
