"""`Sentence.tokens`, `tree`, `layers` and `to_conllu`: a sentence as Python users see it."""

from __future__ import annotations

from pathlib import Path

import pytest

from arctag import Arc, Graph, Sentence, read, write
from arctag.errors import InputError
from arctag.sentence import Token
from tests.places import ROOT

SAMPLE = ROOT / "src" / "arctag" / "data" / "sample.conllu"
SDP = ROOT / "src" / "arctag" / "data" / "sample.sdp"


@pytest.fixture(scope="module")
def cat() -> Sentence:
    return next(sentence for sentence in read(SAMPLE) if sentence.id == "sample-04")


def test_token_columns_are_those_of_the_file(cat: Sentence) -> None:
    word = cat.tokens[4]
    assert (word.id, word.number, word.form, str(word)) == ("5", 5, "fed", "fed")
    assert (word.lemma, word.upos, word.xpos, word.head, word.deprel) == ("feed", "VERB", "VBD", 2, "acl:relcl")
    assert word.feats == {"Mood": "Ind", "Tense": "Past", "VerbForm": "Fin"}
    assert (cat.tokens[5].misc, word.misc) == ({"SpaceAfter": "No"}, {})
    assert (word["upos"], word["MISC:SpaceAfter"], cat.tokens[5]["misc:SpaceAfter"]) == ("VERB", None, "No")
    assert repr(word) == "<Token 5 fed: feed, VERB, acl:relcl>"


def test_token_arcs_are_those_of_the_graph(cat: Sentence) -> None:
    word = cat.tokens[1]
    assert word.heads == [Arc(5, 2, ("obj",)), Arc(6, 2, ("nsubj",))]
    assert word.dependents == [Arc(2, 1, ("det",)), Arc(2, 3, ("ref",)), Arc(2, 5, ("acl:relcl",))]
    for sentence in read(SAMPLE):
        assert [arc for token in sentence.tokens for arc in token.heads] == list(sentence.graph)
        assert sorted(arc for token in sentence.tokens for arc in token.dependents) == sorted(
            arc for arc in sentence.graph if arc.head
        )


def test_token_is_equal_to_itself_alone(cat: Sentence) -> None:
    assert cat.tokens[1] == cat.tokens[1] != cat.tokens[2]
    assert len({*cat.tokens, *cat.tokens}) == 7
    assert cat.tokens[1] != next(read(SAMPLE)).tokens[1]


def test_token_follows_what_replaces_a_column(cat: Sentence) -> None:
    other = cat.with_columns({2: [word.upper() for word in cat.words]}).with_graph(Graph(7, [(0, 1, "root")]))
    assert (other.tokens[4].lemma, cat.tokens[4].lemma) == ("FED", "feed")
    assert (other.tokens[0].heads, other.tokens[4].heads) == ([Arc(0, 1, ("root",))], [])


def test_token_heads_of_the_tree_count_empty_nodes() -> None:
    checked = 0
    for sentence in read(SAMPLE):
        tree = {arc.dependent: arc.head for arc in sentence.tree}
        assert {token.number: token.head for token in sentence.tokens if token.head is not None} == tree
        checked += any(token.empty and token.head is None for token in sentence.tokens)
    assert checked


def test_token_without_annotation_has_none() -> None:
    word = Sentence.from_words(["_", "Go"]).tokens[0]
    assert (word.form, word.lemma, word.upos, word.head, word.deprel, word.heads) == ("_", "_", None, None, None, [])
    assert (Sentence.from_words(["Go"]).tokens[0].lemma, dict(word.feats)) == (None, {})


def test_token_of_sdp_has_its_own_columns() -> None:
    word: Token = next(read(SDP)).tokens[1]
    assert (word.form, word.lemma, word.upos, word.xpos, word.head, word.empty) == (
        "kettle", "kettle", None, "NN", None, False,
    )  # fmt: skip


def test_token_of_a_damaged_sentence_has_what_there_is(tmp_path: Path) -> None:
    file = tmp_path / "bad.conllu"
    file.write_text("1\n2\tb\n\n")
    (sentence,) = read(file, on_error=lambda _: None)
    assert [(token.form, token.lemma, token.head) for token in sentence.tokens] == [("", None, None), ("b", None, None)]
    assert dict(sentence.layers) == {}
    with pytest.raises(InputError, match=r"bad\.conllu:1"):
        _ = sentence.tree


def test_sentence_layers_are_what_is_filled(cat: Sentence) -> None:
    assert list(cat.layers) == ["lemma", "upos", "xpos", "feats", "tree", "graph"]
    assert cat.layers["upos"] == cat.tags
    assert (cat.layers["tree"], cat.layers["graph"]) == (cat.tree, cat.graph)
    assert repr(Sentence.from_words(["Go"]).layers) == "<Layers: none>"
    dm = Graph(7, [(0, 6, "top")])
    more = cat.with_layers({"dm": dm}, {"ner": ["O"] * 7})
    assert list(more.layers)[-2:] == ["dm", "ner"]
    assert (more.layers["dm"], more.layers["ner"], "dm" in cat.layers) == (dm, ["O"] * 7, False)


def test_sentence_layers_that_are_not_there_are_named(cat: Sentence) -> None:
    with pytest.raises(InputError, match=r"^unknown layer of this sentence 'dm'\. Known: feats, graph, lemma"):
        _ = cat.layers["dm"]
    assert cat.layers.get("dm") is None
    assert "dm" not in cat.layers


def test_sentence_layers_have_the_columns_of_conllu_plus(tmp_path: Path) -> None:
    file = tmp_path / "a.conllup"
    file.write_text("# global.columns = ID FORM X:NE\n1\tAnn\tPER\n\n")
    (sentence,) = read(file)
    assert dict(sentence.layers) == {"X:NE": ["PER"]}


def test_sentence_tree_is_refused_where_there_is_none() -> None:
    with pytest.raises(InputError, match="HEAD is empty"):
        _ = Sentence.from_words(["Go"]).tree
    with pytest.raises(InputError, match="no tree in sdp"):
        _ = next(read(SDP)).tree


def test_sentence_to_conllu_is_what_is_written(cat: Sentence, tmp_path: Path) -> None:
    every = list(read(SAMPLE))
    assert "".join(sentence.to_conllu() for sentence in every) == SAMPLE.read_text(encoding="utf-8")
    changed = [sentence.with_graph(Graph(sentence.size)) for sentence in read(SDP)]
    write(changed, tmp_path / "a.conllu")
    assert "".join(sentence.to_conllu() for sentence in changed) == (tmp_path / "a.conllu").read_text(encoding="utf-8")
