"""The basic tree inside an enhanced graph: always a tree, and nearly always the treebank's own."""

from __future__ import annotations

import copy
import io
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arctag.formats import read, write
from arctag.graph import Graph
from arctag.sentence import Row, Sentence
from arctag.transforms.basic_tree import SUBTYPES, basic_relation, basic_tree, with_tree
from arctag.transforms.empty_nodes import drop
from arctag.transforms.guarantees import Weighted, ensure
from tests.steps import steps
from tests.strategies import graphs, sentences
from tests.strategies import relations as any_relation

TELLING = ("nsubj", "conj:and", "ref", "nsubj:xsubj", "acl:relcl", "flat:name", "root", "conj>1.1>obj", "dep>2.1>cc")
telling = st.one_of(st.sampled_from(TELLING), any_relation)


def graph(n: int, arcs: str) -> Graph:
    """'0>1:root 1>2:obj' as a graph."""
    triples = []
    for arc in arcs.split():
        head, _, rest = arc.partition(">")
        dependent, _, relation = rest.partition(":")
        triples.append((int(head), int(dependent), relation))
    return Graph(n, triples)


def weighted(graph: Graph, probabilities: Sequence[float] | None) -> Graph:
    return Graph.from_arrays(graph.n, graph.heads, graph.dependents, graph.relations, probabilities)


def shown(n: int, arcs: str, probabilities: Sequence[float] | None = None) -> str:
    """The tree of such a graph, written the same way."""
    tree = zip(*basic_tree(weighted(graph(n, arcs), probabilities)), strict=True)
    return " ".join(f"{head}>{word}:{relation}" for word, (head, relation) in enumerate(tree, 1))


def is_tree(heads: list[int], relations: list[str]) -> bool:
    """One word below the root, which alone is called `root`; every word gets to the root from head to head."""
    if heads.count(0) != 1 or [r == "root" for r in relations] != [h == 0 for h in heads]:
        return False
    for word in range(1, len(heads) + 1):
        for _ in heads:
            word = heads[word - 1] if word else 0
        if word:
            return False
    return True


@given(graphs(labels=telling), st.booleans(), st.data())
def test_basic_tree_is_a_tree_whatever_the_graph(graph: Graph, weigh: bool, data: st.DataObject) -> None:
    size = len(graph)
    probabilities = data.draw(st.lists(st.floats(0, 1), min_size=size, max_size=size)) if weigh else None
    heads, relations = basic_tree(weighted(graph, probabilities))
    assert len(heads) == len(relations) == graph.n
    assert is_tree(heads, relations)
    assert all(relations)


@pytest.mark.parametrize("n", [0, 1, 3])
def test_basic_tree_of_a_graph_without_arcs(n: int) -> None:
    heads, relations = basic_tree(Graph(n))
    assert heads == [0, 1, 1][:n]
    assert relations == ["root", "dep", "dep"][:n]


@st.composite
def trees(draw: st.DrawFn) -> list[int]:
    """The heads of a random tree."""
    n = draw(st.integers(1, 9))
    order = draw(st.permutations(range(1, n + 1)))
    heads = [0] * n
    for i, word in enumerate(order[1:], 1):
        heads[word - 1] = draw(st.sampled_from(order[:i]))
    return heads


@given(trees(), st.sampled_from(["obj", "conj", "flat:name"]))
def test_basic_tree_of_a_tree_is_that_tree(heads: list[int], relation: str) -> None:
    given = [relation if head else "root" for head in heads]
    tree = Graph(len(heads), zip(heads, range(1, len(heads) + 1), given, strict=True))
    assert basic_tree(tree) == (heads, given)


RULES = {
    "control": (3, "0>2:root 2>1:nsubj 3>1:nsubj:xsubj 2>3:xcomp", "2>1:nsubj 0>2:root 2>3:xcomp"),
    "control without a name": (3, "0>2:root 2>1:nsubj 3>1:nsubj 2>3:xcomp", "2>1:nsubj 0>2:root 2>3:xcomp"),
    "only a control arc": (2, "0>1:root 1>2:nsubj:xsubj", "0>1:root 1>2:nsubj"),
    "conjunct": (3, "0>1:root 1>2:obj 1>3:obj 2>3:conj:and", "0>1:root 1>2:obj 2>3:conj"),
    "conjunct of the root": (2, "0>1:root 0>2:root 1>2:conj:or", "0>1:root 1>2:conj"),
    "shared by conjuncts": (3, "0>2:root 2>1:nsubj 3>1:nsubj 2>3:conj:and", "2>1:nsubj 0>2:root 2>3:conj"),
    "shared, after both": (3, "0>1:root 1>3:obj 2>3:obj 1>2:conj", "0>1:root 1>2:conj 1>3:obj"),
    "relative clause": (
        4, "0>4:root 4>1:nsubj 3>1:obj 1>2:ref 1>3:acl:relcl", "4>1:nsubj 3>2:obj 1>3:acl:relcl 0>4:root",
    ),
    "relative clause of a conjunct": (
        4, "0>1:root 0>2:root 1>2:conj 4>2:nsubj 2>3:ref 2>4:acl:relcl", "0>1:root 1>2:conj 4>3:nsubj 2>4:acl:relcl",
    ),
    "two relative clauses": (
        5, "0>1:root 3>1:nsubj 5>1:obl:in 1>2:ref 1>4:ref 1>3:acl:relcl 1>5:acl:relcl",
        "0>1:root 3>2:nsubj 1>3:acl:relcl 5>4:obl 1>5:acl:relcl",
    ),
    "what hangs on a relative pronoun": (
        5, "0>1:root 5>1:obl:to 3>2:case 1>3:ref 5>4:nsubj 1>5:acl:relcl",
        "0>1:root 3>2:case 5>3:obl 5>4:nsubj 1>5:acl:relcl",
    ),
    "relative pronoun with no arc to go by": (3, "0>1:root 1>2:ref 1>3:acl:relcl", "0>1:root 3>2:nsubj 1>3:acl:relcl"),
    "relative pronoun with no clause": (3, "0>3:root 3>1:nsubj 1>2:ref", "3>1:nsubj 3>2:dep 0>3:root"),
    "name of a name": (3, "0>1:root 1>2:nmod:ine 3>2:flat:name 1>3:nmod", "0>1:root 1>2:nmod 1>3:nmod"),
    "nothing but a name": (2, "0>1:root 1>2:flat:name", "0>1:root 1>2:flat:name"),
    "gap filled by rank": (
        4, "0>1:root 1>2:conj:and>4.1>cc 1>4:conj:and>4.1>obj 1>3:conj:and>4.1>nsubj",
        "0>1:root 3>2:cc 1>3:conj 3>4:orphan",
    ),
    "gap filled already": (
        4, "0>1:root 1>3:conj:and 1>2:conj:and>4.1>nsubj 1>3:conj:and>4.1>obj 1>4:conj:and>4.1>obl:in",
        "0>1:root 3>2:orphan 1>3:conj 3>4:orphan",
    ),
    "gap in a conjunct of the root": (
        3, "0>1:root 0>3:root>2.1>dep 1>3:conj>2.1>dep 0>2:root>2.1>punct 1>2:conj>2.1>punct",
        "0>1:root 3>2:punct 1>3:conj",
    ),
    "two words at the root": (3, "0>1:root 0>2:root 2>3:obj", "0>1:root 1>2:dep 2>3:obj"),
    "no root": (3, "2>1:det 2>3:punct", "2>1:det 0>2:root 2>3:punct"),
    "two pieces": (4, "0>2:root 2>1:det 4>3:det", "2>1:det 0>2:root 4>3:det 2>4:dep"),
    "a cycle beside the root": (3, "0>1:root 2>3:obj 3>2:obj", "0>1:root 1>2:dep 2>3:obj"),
    "the root in a cycle": (2, "0>1:root 1>2:obj 2>1:obj", "0>1:root 1>2:obj"),
    "nearest of two alike": (4, "0>1:root 1>2:obj 1>4:obj 2>3:obl 4>3:obl", "0>1:root 1>2:obj 2>3:obl 1>4:obj"),
    "root by its head": (2, "0>1:obj 1>2:root", "0>1:root 1>2:dep"),
    "no name": (2, "0>1:_ 1>2:_", "0>1:root 1>2:dep"),
}  # fmt: skip


@pytest.mark.parametrize("name", RULES)
def test_basic_tree_rules(name: str) -> None:
    n, arcs, tree = RULES[name]
    assert shown(n, arcs) == tree


def test_basic_tree_prefers_probable_arcs() -> None:
    assert shown(4, "0>1:root 1>2:obj 2>3:obl 4>3:obl 1>4:obj", [1, 1, 0.6, 0.7, 1]) == (
        "0>1:root 1>2:obj 4>3:obl 1>4:obj"
    )
    assert shown(2, "0>1:root 0>2:root", [0.6, 0.7]) == "2>1:dep 0>2:root"


@pytest.mark.parametrize(
    ("relation", "known", "basic"),
    [
        ("obl:in", (), "obl"),
        ("conj:and", (), "conj"),
        ("nsubj:pass", (), "nsubj:pass"),
        ("nsubj:pass:xsubj", (), "nsubj:pass"),
        ("nmod:poss:gen", (), "nmod:poss"),
        ("obl:pass", (), "obl"),
        ("nmod:gobj:gen", (), "nmod"),
        ("nmod:gobj:gen", {"nmod", "nmod:gobj"}, "nmod:gobj"),
        ("nsubj:pass", {"nsubj"}, "nsubj"),
        ("obl:na:acc", {"nsubj"}, "obl"),
        ("root", (), "dep"),
        ("root:x", {"root"}, "dep"),
        ("_", (), "dep"),
        (":", (), "dep"),
    ],
)
def test_basic_tree_names_of_relations(relation: str, known: set[str], basic: str) -> None:
    assert basic_relation(relation, known) == basic


def test_basic_tree_subtypes_are_written_as_ud_wants() -> None:
    assert all(name.replace(":", "", 1).isalpha() and name.islower() for name in SUBTYPES)


BIG = 5_000
_chance = random.Random(7)
LARGE = {
    "random": [
        (_chance.randrange(BIG + 1), _chance.randrange(1, BIG + 1), _chance.choice(TELLING)) for _ in range(3 * BIG)
    ],
    "one cycle": [(i % BIG + 1, i, "obj") for i in range(1, BIG + 1)],
    "pairs": [(i ^ 1, i, "obj") for i in range(2, BIG)],
    "pronouns all the way": [(i, i + 1, ("ref", "acl:relcl")[i % 2]) for i in range(1, BIG)]
    + [(i + 1, i, "obj") for i in range(1, BIG)],
    "one gap": [(1, i, "conj>1.1>obj") for i in range(2, BIG + 1)],
    "nothing": [],
}


@pytest.mark.parametrize("name", LARGE)
def test_basic_tree_of_thousands_of_words_is_little_work(name: str) -> None:
    large = Graph(BIG, LARGE[name])
    assert steps(lambda: basic_tree(large)) < 1_000 * BIG  # a look at all words for each one would be more
    heads, relations = basic_tree(large)
    assert heads.count(0) == relations.count("root") == 1


@given(sentences())
def test_basic_tree_fills_head_and_deprel_alone(sentence: Sentence) -> None:
    before = copy.deepcopy(sentence.rows)
    new = with_tree(sentence)
    assert sentence.rows == before
    assert new.graph is sentence.graph
    assert new.replace(rows=sentence.rows).__getstate__() == sentence.__getstate__()
    words = [row for row in new.rows if row[0].isdigit()]
    assert is_tree([int(row[6]) for row in words], [row[7] for row in words])
    for row, old in zip(new.rows, before, strict=True):
        assert row[:6] + row[8:] == old[:6] + old[8:]
        if not row[0].isdigit():
            assert row == old


@given(sentences(), st.data())
def test_basic_tree_takes_probabilities_beside_empty_nodes(sentence: Sentence, data: st.DataObject) -> None:
    size = len(sentence.graph)
    probabilities = data.draw(st.lists(st.floats(0, 1), min_size=size, max_size=size))
    words = [
        row for row in with_tree(sentence.with_graph(weighted(sentence.graph, probabilities))).rows if row[0].isdigit()
    ]
    assert is_tree([int(row[6]) for row in words], [row[7] for row in words])


def test_basic_tree_weighs_arcs_beside_empty_nodes() -> None:
    rows = [[name, "w", *"_" * 8] for name in ("1", "1.1", "2", "3", "4")]
    arcs = [(0, 1, "root"), (1, 2, "conj"), (1, 3, "obj"), (1, 5, "obj"), (3, 4, "obl"), (5, 4, "obl")]
    sentence = Sentence(rows, Graph(5, arcs), edited=True)
    order = [(arc.head, arc.dependent) for arc in sentence.graph]
    for best, head in (((3, 4), "2"), ((5, 4), "4")):
        probabilities = [1.0 if pair == best else 0.5 for pair in order]
        assert [row[6] for row in with_tree(sentence.with_graph(weighted(sentence.graph, probabilities))).rows] == [
            "0",
            "_",
            "1",
            head,
            "1",
        ]


def test_basic_tree_copes_with_empty_nodes_that_cannot_be_collapsed() -> None:
    empty = [f"1.{i}" for i in range(1, 10)]
    rows = [[name, "w", *"_" * 8] for name in ("1", *empty, "2")]
    inner = range(2, len(empty) + 2)
    arcs = [(0, 1, "root"), (1, 2, "conj"), *((h, d, "dep") for h in inner for d in inner if h != d)]
    sentence = Sentence(rows, Graph(len(rows), [*arcs, *((h, len(rows), "obj") for h in inner)]), edited=True)
    assert [row[6:8] for row in with_tree(sentence).rows if row[6] != "_"] == [["0", "root"], ["1", "dep"]]


def test_basic_tree_leaves_other_formats_alone(sample_sdp: Path) -> None:
    assert all(with_tree(sentence) is sentence for sentence in read(sample_sdp))


def test_basic_tree_leaves_damaged_sentences_alone() -> None:
    broken = Sentence([["1", "too", "few"]], Graph(0), error="found 3 columns")
    assert with_tree(broken) is broken


def emptied(sentence: Sentence) -> Sentence:
    """Without its basic tree, as a parser of raw text would leave it."""
    return sentence.replace(rows=[[*row[:6], "_", "_", *row[8:]] for row in sentence.rows])


def tree_cells(sentence: Sentence) -> list[Row]:
    return [row[6:8] for row in sentence.rows]


def test_basic_tree_of_the_sample_is_restored(sample: Path) -> None:
    wrong = [
        (new, old)
        for sentence in read(sample)
        for new, old in zip(tree_cells(with_tree(emptied(sentence))), tree_cells(sentence), strict=True)
        if new != old
    ]
    assert wrong == [(["7", "obl"], ["7", "advmod"])]  # 'where': the graph has `obl`, a case no graph can tell


def scores(sentences: list[Sentence], known: set[str]) -> tuple[float, float]:
    """Unlabelled and labelled attachment of the derived trees."""
    pairs = [
        (new, old)
        for sentence in sentences
        for new, old in zip(tree_cells(with_tree(emptied(sentence), known)), tree_cells(sentence), strict=True)
        if old[0] != "_"
    ]
    heads = sum(new[0] == old[0] for new, old in pairs)
    return 100 * heads / len(pairs), 100 * sum(new == old for new, old in pairs) / len(pairs)


@pytest.mark.parametrize(
    ("file", "whole", "dropped"),
    [
        ("en_ewt/dev.conllu", (99.99, 99.99), (99.98, 99.98)),
        ("en_ewt/test.conllu", (99.99, 99.99), (99.98, 99.98)),
        ("en_pud/test.conllu", (99.99, 99.95), (99.95, 99.92)),
        ("iwpt_fi/test.conllu", (99.9, 99.9), (99.8, 99.8)),
        ("iwpt_sk/test.conllu", (99.9, 99.8), (99.6, 99.3)),
        ("iwpt_ta/test.conllu", (100, 100), (100, 100)),
        pytest.param("en_ewt/train.conllu", (99.99, 99.99), (99.98, 99.98), marks=pytest.mark.full),
    ],
)
def test_basic_tree_agrees_with_treebanks(
    file: str, whole: tuple[float, float], dropped: tuple[float, float], shared: Path
) -> None:
    treebank = list(read(shared / "data" / file))
    known = {row[7] for sentence in treebank for row in sentence.rows if row[6] != "_"}
    for kept, floors in ((treebank, whole), ([drop(sentence) for sentence in treebank], dropped)):
        unlabelled, labelled = scores(kept, known)
        assert unlabelled >= floors[0]
        assert labelled >= floors[1]


@pytest.mark.parametrize("kept", [0.5, 0.9, 1.0])
def test_basic_tree_and_connected_pass_the_ud_validator(kept: float, sample: Path, tmp_path: Path) -> None:
    udtools = pytest.importorskip("udtools", reason="udtools is not installed: pip install 'arctag[test]'")
    chance = random.Random(3)
    found = []
    for sentence in map(drop, read(sample)):
        arcs = [arc for arc in sentence.graph if chance.random() < kept]
        _, added = ensure(sentence.graph.n, [Weighted(a.head, a.dependent, 0.5) for a in arcs], ("connected",))
        triples = [(a.head, a.dependent, relation) for a in arcs for relation in a.relations]
        triples += [(arc.head, arc.dependent, "dep" if arc.head else "root") for arc in added]
        found.append(with_tree(emptied(sentence).with_graph(Graph(sentence.graph.n, triples))))
    write(found, tmp_path / "x.conllu")
    report = io.StringIO()
    assert udtools.Validator(lang="en", level=2, output=report).validate_files([str(tmp_path / "x.conllu")]).passed(), (
        report.getvalue()
    )
