"""Lexical relations: learned, stripped, and filled in again; against a slow oracle, and on treebanks."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arctag.blocks.arcs import BlockArcs
from arctag.blocks.flat import Flat, Table, graphs_of
from arctag.errors import InputError
from arctag.formats import read
from arctag.graph import Graph
from arctag.layers.lexical_relations import LexicalRules
from arctag.sentence import Sentence
from arctag.transforms import empty_nodes
from tests import strategies
from tests.places import SHARED, treebanks
from tests.steps import assert_linear

ENGLISH = LexicalRules({"obl": ("case", "mark"), "advcl": ("mark",), "conj": ("cc",)}, {"thru": "through"})

words = st.sampled_from(["in", "of", "and", "or", "thru", "through", "*", "**", "a:b", "w/", "", "vo"])
labels = st.one_of(
    st.sampled_from(["case", "case:x", "mark", "cc", "fixed", "conj", "obl", "conj>1.1>obl:in", "obl:in:gen"]),
    st.builds("{}:{}".format, st.sampled_from(["obl", "advcl", "conj", "nmod"]), words),
    strategies.relations,
)
dense = st.sampled_from(
    ["conj:*", "conj:*", "conj", "cc", "cc:preconj", "case", "obl:*", "obl:*:gen", "obl:**", "mark", "fixed"]
)
treebank = st.lists(strategies.graphs(max_words=5, labels=labels), min_size=1, max_size=4)


def flat(graphs: Sequence[Graph]) -> BlockArcs:
    rows = [[[str(i + 1), "w", *["_"] * 8] for i in range(graph.n)] for graph in graphs]
    return graphs_of([Sentence(some, graph) for some, graph in zip(rows, graphs, strict=True)])


def relations(graphs: BlockArcs) -> list[tuple[str, ...]]:
    return [graphs.names[number] for number in graphs.numbers.tolist()]


def one(n: int, *arcs: tuple[int, int, str]) -> BlockArcs:
    return flat([Graph(n, arcs)])


@pytest.mark.parametrize(
    ("text", "arcs", "stripped"),
    [
        ("go despite rain", [(1, 3, "obl:despite"), (3, 2, "case")], "obl:*"),
        ("go despite rain", [(1, 3, "obl:with"), (3, 2, "case")], "obl:with"),
        ("go thru town", [(1, 3, "obl:through"), (3, 2, "case")], "obl:*"),
        ("ist od domu", [(1, 3, "obl:od:gen"), (3, 2, "case")], "obl:*:gen"),
        ("stay because of rain", [(1, 4, "obl:because_of"), (4, 2, "case"), (2, 3, "fixed")], "obl:*"),
        ("get out of bed", [(1, 4, "obl:of"), (4, 2, "case"), (4, 3, "case")], "obl:*"),
        ("go w/ them", [(1, 3, "obl:w/"), (3, 2, "case")], "obl:w/"),
        ("with butter jam", [(0, 3, "obl:with"), (2, 1, "case"), (2, 3, "conj")], "obl:*"),
        ("to go", [(0, 2, "obl:to"), (2, 1, "mark")], "obl:*"),
        ("as to go", [(0, 3, "obl:as"), (3, 1, "case"), (3, 2, "mark")], "obl:*"),
        ("a b and c", [(1, 2, "conj:and"), (1, 4, "conj"), (4, 3, "cc")], "conj:*"),
        ("a and b c", [(1, 4, "conj:and"), (1, 3, "conj"), (3, 2, "cc")], "conj:*"),
        ("a and b c or d", [(1, 4, "conj:or"), (1, 3, "conj"), (3, 2, "cc"), (1, 6, "conj"), (6, 5, "cc")], "conj:*"),
        ("of because rain", [(0, 3, "obl:of_because"), (3, 2, "case"), (2, 1, "fixed")], "obl:*"),
        ("a and b c", [(3, 4, "conj:and"), (1, 3, "conj"), (3, 2, "cc")], "conj:and"),
        ("go despite rain", [(1, 3, "obl:*"), (3, 2, "case")], "obl:**"),
        ("go despite rain", [(1, 3, "conj>8.1>obl:despite"), (3, 2, "case")], "conj>8.1>obl:despite"),
    ],
)
def test_suffixes_by_example(text: str, arcs: list[tuple[int, int, str]], stripped: str) -> None:
    texts = text.split()
    graphs = one(len(texts), *arcs)
    short = ENGLISH.stripped(graphs, texts)
    arc = [triple[2] for triple in graphs.graph(0).triples()].index(arcs[0][2])
    assert relations(short)[arc] == (stripped,)
    assert relations(ENGLISH.filled(short, texts)) == relations(graphs)


def test_a_word_that_is_missing() -> None:
    graphs = one(2, (1, 2, "obl:*"), (0, 1, "obl:*:gen"))
    assert relations(ENGLISH.filled(graphs, ["go", "there"])) == [("obl:gen",), ("obl",)]


def test_two_relations_of_an_arc() -> None:
    texts = ["go", "in", "there"]
    graphs = one(3, (1, 3, "obl:in"), (1, 3, "advcl:in"), (3, 2, "case"))
    assert relations(ENGLISH.stripped(graphs, texts))[1] == ("obl:*", "advcl:in")
    assert relations(ENGLISH.filled(one(3, (1, 3, "obl:in"), (1, 3, "obl:*"), (3, 2, "case")), texts))[1] == ("obl:in",)


@given(treebank, st.data())
def test_filling_undoes_stripping(graphs: list[Graph], data: st.DataObject) -> None:
    n = sum(graph.n for graph in graphs)
    texts = data.draw(st.lists(words, min_size=n, max_size=n))
    given = flat(graphs)
    for rules in (ENGLISH, LexicalRules.learn(given, texts), LexicalRules()):
        short = rules.stripped(given, texts)
        assert relations(rules.filled(short, texts)) == relations(given)
        assert short.arcs is given.arcs
        assert not rules.markers or set(short.numbers.tolist()) == set(range(len(short.names)))


@given(st.lists(strategies.graphs(max_words=6, labels=dense), min_size=1, max_size=2), st.data())
def test_words_are_those_of_a_slow_search(graphs: list[Graph], data: st.DataObject) -> None:
    n = sum(graph.n for graph in graphs)
    texts = data.draw(st.lists(st.sampled_from(["in", "of", "and", "or", "thru"]), min_size=n, max_size=n))
    found = relations(ENGLISH.filled(flat(graphs), texts))
    expected: list[tuple[str, ...]] = []
    for graph in graphs:
        own, texts = texts[: graph.n], texts[graph.n :]
        for arc in graph:
            made = [slowly_filled(graph, own, arc.head, arc.dependent, relation) for relation in arc.relations]
            expected.append(tuple(dict.fromkeys(made)))
    assert found == expected


def slowly_filled(graph: Graph, texts: list[str], head: int, dependent: int, relation: str) -> str:
    name, *parts = relation.split(":")
    if ">" in relation or not parts:
        return relation
    word = slow_marker(graph, texts, head, dependent, name) if name in ENGLISH.markers else ""
    filled = [word if part == "*" else part[1:] if part and set(part) == {"*"} else part for part in parts]
    return ":".join([name, *(new for new, part in zip(filled, parts, strict=True) if word or part != "*")])


def slow_marker(graph: Graph, texts: list[str], head: int, dependent: int, name: str) -> str:
    def with_name(wanted: str) -> list[tuple[int, int]]:
        bases = {(h, d) for h, d, r in graph.triples() if h and ">" not in r and r.split(":")[0] == wanted}
        return sorted(bases)

    def own(word: int) -> str:
        for relation in ENGLISH.markers[name]:
            if markers := [d for h, d in with_name(relation) if h == word]:
                parts = {markers[-1], *(d for h, d in with_name("fixed") if h == markers[-1])}
                text = "_".join(texts[part - 1] for part in sorted(parts))
                return ENGLISH.spellings.get(text, text)
        return ""

    if name != "conj":
        first = [h for h, d in with_name("conj") if d == dependent]
        return own(dependent) or (own(first[-1]) if first else "")
    siblings = [d for h, d in with_name("conj") if h == head]
    later = [d for d in siblings if d >= dependent]
    earlier = [d for d in reversed(siblings) if d < dependent]
    return next((word for word in map(own, later + earlier) if word), "") if head else ""


def test_rules_are_learned() -> None:
    graphs, texts = [], []
    for word in ("in", "of", "on", "in", "of"):
        graphs.append(Graph(3, [(1, 3, f"obl:{word}"), (3, 2, "case"), (3, 1, "det")]))
        texts += ["in", word, "x"]
    for _ in range(2):  # another spelling; no marker, but with one by chance
        graphs.append(Graph(3, [(1, 3, "obl:in"), (3, 2, "case")]))
        graphs.append(Graph(3, [(1, 3, "nsubj:pass"), (3, 2, "case")]))
        texts += ["go", "inn", "x", "go", "by", "x"]
    assert LexicalRules.learn(flat(graphs), texts) == LexicalRules({"obl": ("case",)}, {"inn": "in"})


def test_nothing_is_learned_from_other_graphs() -> None:
    rules = LexicalRules.learn(one(2, (1, 2, "nsubj:pass"), (0, 1, "root")), ["a", "b"])
    assert rules == LexicalRules()
    graphs = one(2, (1, 2, "x:*"))
    assert rules.stripped(graphs, ["a", "b"]) is graphs


def test_rules_as_json() -> None:
    assert LexicalRules.from_json(ENGLISH.to_json()) == ENGLISH
    assert LexicalRules.from_json(LexicalRules().to_json()) == LexicalRules()


@pytest.mark.parametrize(
    "bad", [[], {"markers": []}, {"markers": {"obl": "case"}}, {"markers": {"obl": [1]}}, {"spellings": {"a": None}}]
)
def test_bad_json(bad: object) -> None:
    with pytest.raises(InputError, match=r"lexical rules: .*expected"):
        LexicalRules.from_json(bad)


def test_too_few_texts() -> None:
    with pytest.raises(InputError, match="texts for 1 words; expected one for each of 2"):
        LexicalRules.learn(one(2, (1, 2, "obl:in")), ["a"])


@pytest.mark.parametrize("empty", ["drop", "collapse"])
@pytest.mark.parametrize("name", treebanks(".conllu", only=lambda name: "lowres" not in name and "train" not in name))
def test_treebanks_come_back(name: str, empty: str) -> None:
    path = SHARED / "data" / name
    if not path.exists():
        pytest.skip("the shared treebanks are absent")
    sentences = Flat(list(empty_nodes.treated(list(read(path)), getattr(empty_nodes, empty))))
    for column in (1, 2):
        texts = texts_of(sentences, column)
        rules = LexicalRules.learn(sentences.graphs, texts)
        short = rules.stripped(sentences.graphs, texts)
        assert relations(rules.filled(short, texts)) == relations(sentences.graphs)
        has_words = not name.startswith("sentiment")
        assert bool(rules.markers) == has_words
        if has_words and column == 2:
            assert rules.markers["obl"][0] == "case"
            assert rules.markers["advcl"][-1] == "mark"


def texts_of(sentences: Flat, column: int) -> list[str]:
    table = Table()
    numbers = sentences.column(column, table).tolist()
    names = [text.lower() for text in table]
    return [names[number] for number in numbers]


def hub(n: int) -> list[tuple[int, int, str]]:
    """A word with as many heads as dependents."""
    return [(1, d, "case") for d in range(2, n)] + [(d, 1, f"obl:{'in' if d % 2 else '*'}") for d in range(2, n)]


def conjuncts(n: int) -> list[tuple[int, int, str]]:
    return [(1, d, "conj:*") for d in range(2, n)] + [(n - 1, n, "cc"), (n, n, "fixed")]


@pytest.mark.parametrize("shape", [hub, conjuncts])
def test_work_is_linear(shape: Callable[[int], list[tuple[int, int, str]]]) -> None:
    def make(n: int) -> Callable[[], object]:
        graphs, texts = one(n, *shape(n)), ["in"] * n
        return lambda: [
            LexicalRules.learn(graphs, texts),
            ENGLISH.stripped(graphs, texts),
            ENGLISH.filled(graphs, texts),
        ]

    assert_linear(make, 200)
