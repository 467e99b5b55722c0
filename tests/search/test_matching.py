"""What patterns find: as the plain matcher does, and on sentences of our own."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import arctag
from arctag import Graph, Sentence
from arctag.errors import InputError
from arctag.search import Pattern, count_by, search
from arctag.search.reading import read_pattern
from tests.places import SAMPLES
from tests.search.plain_matcher import plain_matches

FORMS, TAGS, RELATIONS = ["a", "b", "C"], ["NOUN", "VERB"], ["nsubj", "nsubj:xsubj", "obj"]


@st.composite
def sentences(draw: st.DrawFn) -> Sentence:
    n = draw(st.integers(1, 5))
    arc = st.tuples(st.integers(0, n), st.integers(1, n), st.sampled_from(RELATIONS))
    words = draw(st.lists(st.sampled_from(FORMS), min_size=n, max_size=n))
    tags = draw(st.lists(st.sampled_from(TAGS), min_size=n, max_size=n))
    return Sentence.from_words(words, Graph(n, draw(st.lists(arc, max_size=8))), tags=tags, sent_id="s")


CONDITIONS = st.sampled_from(
    ["", "a", "b|c", "!a", "upos=NOUN", "upos!=noun", "rel=nsubj", "rel!=obj", "heads>=2", "dependents=0", "!heads=1"]
)
LINKS = st.sampled_from([">", "<", ">nsubj", "<obj|nsubj", ">>", "<<nsubj", "..", "", ">nsubj:xsubj"])
NEGATED = st.sampled_from(["!>", "!<", "!>nsubj", "!>>obj", "!<<"])


@st.composite
def patterns(draw: st.DrawFn) -> str:
    words = [f"x{i}:[{draw(CONDITIONS)}]" for i in range(draw(st.integers(1, 3)))]
    text = words[0] + "".join(f" {draw(LINKS)} {word}" for word in words[1:])
    names = [f"x{i}" for i in range(len(words))]
    if draw(st.booleans()):
        other = draw(st.sampled_from(["", f"[{draw(CONDITIONS)}]", *names]))
        text += f"; {draw(st.sampled_from(names))} {draw(NEGATED)} {other}"
    if draw(st.booleans()):
        text += f"; {draw(st.sampled_from(names))} {draw(LINKS.filter(bool))} {draw(st.sampled_from(['', *names]))}"
    return text


@settings(max_examples=400, deadline=None)
@given(sentences(), patterns())
def test_matching_finds_what_the_plain_matcher_finds(sentence: Sentence, pattern: str) -> None:
    found = [match.words for match in Pattern(pattern).find(sentence)]
    assert found == sorted(plain_matches(read_pattern(pattern), sentence))


@pytest.fixture(scope="module")
def sample() -> list[Sentence]:
    return list(arctag.read(SAMPLES / "sample.conllu"))


def ids(sample: list[Sentence], pattern: str, layer: str | None = None) -> list[str]:
    return list(dict.fromkeys(match.sentence.id for match in search(sample, pattern, layer)))


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("cat", ["sample-04"]),
        ("CAT", ["sample-04"]),
        ('"Cat"', []),
        ("c*t", ["sample-04"]),
        ("/^c.t$/", ["sample-04"]),
        ("/^C.T$/", []),
        ("/^C.T$/i", ["sample-04"]),
        ("the cat", ["sample-04"]),
        ("the that", []),
        ("the .. that .. purred", ["sample-04"]),
        ("sent_id=sample-02", ["sample-02"]),
        ("sent_id=*-02", ["sample-02"]),
        ("text=/to leave/", ["sample-02"]),
        ("sent_id!=/./", []),
        ("cat; sent_id=sample-02", []),
        ("words>=3; words<=4; text=/kettle/", ["sample-01"]),
        ("[lemma=want] >xcomp [form=leave]", ["sample-02"]),
        ("[lemma=want] >xcomp [] >mark to", ["sample-02"]),
        ("[form=leave] <xcomp [lemma=want]", ["sample-02"]),
        ("she; wants", ["sample-02"]),
        ("[lemma=want] >/^xc/", ["sample-02"]),
        ('[lemma=want] >"nsubj"', ["sample-02"]),
        ('[form=leave] >"nsubj"', []),
        ("[form=leave] >nsubj", ["sample-02"]),
        ("[lemma=want] >>mark", []),
        ("[lemma=want] >> to", ["sample-02"]),
    ],
)
def test_matching_finds_sentences(sample: list[Sentence], pattern: str, found: list[str]) -> None:
    assert ids(sample, pattern) == found


def test_matching_says_what_it_found(sample: list[Sentence]) -> None:
    (match,) = search(sample, "h:[lemma=leave] >nsubj:xsubj d:[]")
    assert (match.words, match.names) == ((4, 1), {"h": 4, "d": 1})
    assert match.arcs == (("graph", 4, 1),)


def test_matching_gives_the_words_that_are_named(sample: list[Sentence]) -> None:
    (match,) = search(sample, "h:[lemma=leave] >nsubj:xsubj d:[]")
    assert (match["h"].lemma, match["d"].form) == ("leave", "She")
    with pytest.raises(InputError, match=r"unknown name of a word of the pattern 'x'\. Known: d, h"):
        _ = match["x"]


def test_matching_names_graphs(sample: list[Sentence]) -> None:
    beyond = ids(sample, "a:[] > b:[]; a !>@tree b")
    assert "sample-02" in beyond
    assert beyond == ids(sample, "a:[] >@graph b:[]; a !> b", "tree")
    assert ids(sample, "rel=nsubj:xsubj", "tree") == []


def test_matching_finds_words_without_a_head() -> None:
    sentence = Sentence.from_words(["a", "b"], Graph(2, [(0, 1, "root")]), sent_id="s")
    assert [match.words for match in search([sentence], "[] !<")] == [(2,)]
    assert [match.words for match in search([sentence], "<root")] == [(1, 0)]
    assert [match.words for match in search([sentence], "[] <root []")] == []


def test_matching_passes_over_empty_nodes() -> None:
    rows = [[name, word, *"_" * 8] for name, word in [("1", "They"), ("1.1", "left"), ("2", "did")]]
    sentence = Sentence(rows, Graph(3, [(2, 1, "nsubj")]), comments=("# sent_id = e",))
    assert [match.words for match in search([sentence], "they did")] == [(1, 3)]
    assert [match.words for match in search([sentence], "words=2")] == [()]
    assert [match.words for match in search([sentence], "left >nsubj they")] == [(2, 1)]


def test_matching_features_and_columns() -> None:
    row = ["1", "Dogs", "dog", "NOUN", "NNS", "Case=Acc,Nom|Number=Plur", "0", "root", "0:root", "SpaceAfter=No"]
    sentence = Sentence([row], Graph(1, [(0, 1, "root")]))
    for pattern in (
        "Number=Plur",
        "Case=Nom",
        "Case!=Gen",
        "misc:SpaceAfter=No",
        "deprel=root",
        "xpos=NNS",
        "tag=noun",
    ):
        assert len(list(search([sentence], pattern))) == 1, pattern
    for pattern in ("Number=Sing", "Gender=*", "Number!=*"):
        assert list(search([sentence], pattern)) == [], pattern


def test_matching_trees_that_are_not_there(sample: list[Sentence], shared: Path) -> None:
    bare = Sentence.from_words(["a", "b"], Graph(2, [(1, 2, "x")]), sent_id="s")
    assert list(search([bare], ">", "tree")) == []
    with pytest.raises(InputError, match="no column nowhere"):
        list(search(sample, ">@nowhere"))
    with pytest.raises(InputError, match="no tree in sdp files"):
        list(search(SAMPLES / "sample.sdp", ">", "tree"))


def test_matching_refuses_what_is_too_vague() -> None:
    sentence = Sentence.from_words([f"w{i}" for i in range(150)], sent_id="long")
    with pytest.raises(InputError, match="long: the pattern fits in more than 1,000,000 ways"):
        Pattern("[] .. [] .. [] .. []").find(sentence)


def test_matching_leaves_damaged_sentences_out(tmp_path: Path) -> None:
    path = tmp_path / "damaged.conllu"
    path.write_text("1\ta\n\n1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n", encoding="utf-8")
    sentences = list(arctag.read(path, on_error=lambda _: None))
    assert [len(Pattern("a").find(sentence)) for sentence in sentences] == [0, 1]


@pytest.mark.parametrize("expression", ["(a+)+$", "(a|a)*b", "(.*)(.*)(.*)(.*)x$"])
def test_matching_no_expression_takes_for_ever(expression: str) -> None:
    sentence = Sentence.from_words(["a" * 20_000 + "!"], sent_id="s")
    assert Pattern(f"/{expression}/").find(sentence) == []  # a backtracking engine would not end


def test_counting(sample: list[Sentence]) -> None:
    pattern = Pattern("v:[upos=VERB] >obj n:[]")
    matches = list(search(sample, pattern))
    lemmas = count_by(matches, "n.lemma", pattern)
    assert sum(lemmas.values()) == len(matches)
    assert count_by(matches, "upos", pattern) == {"VERB": len(matches)}
    with pytest.raises(InputError, match="unknown name of a word of the pattern 'x'"):
        count_by(matches, "x.lemma", pattern)
    roots = Pattern("r:[] <root")
    assert sum(count_by(search(sample, roots), "r.upos", roots).values()) >= len(sample)
