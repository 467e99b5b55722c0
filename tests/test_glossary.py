"""The glossary explains every relation of the treebanks at hand."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest

import arctag
from arctag.errors import UnknownName
from arctag.glossary import SOURCE, best_scheme, explain, glossary, name_of
from tests.javascript import load
from tests.places import SAMPLES

SCHEMES = {
    "en_ewt": "ud", "en_pud": "ud", "iwpt_fi": "ud", "iwpt_sk": "ud", "iwpt_ta": "ud", "dm_wescience": "dm",
    "ewt_propbank": "propbank", "deep_sequoia": "sequoia", "sentiment_ca": "sentiment", "sentiment_eu": "sentiment",
}  # fmt: skip


@cache
def relations_of(*paths: Path) -> tuple[set[str], set[str]]:
    """The relations of the graphs and of the trees in files."""
    graphs: set[str] = set()
    trees: set[str] = set()
    for path in paths:
        for sentence in arctag.read(path):
            graphs.update(name for names in sentence.graph.relations for name in names)
            if sentence.universal:
                trees.update(sentence.column(7))
    return graphs, trees - {"_"}


@pytest.mark.parametrize("name", SCHEMES)
def test_glossary_explains_every_relation_of_a_treebank(name: str, shared: Path) -> None:
    folder = shared / "data" / name
    if not folder.is_dir():
        pytest.skip(f"not found: {folder}")
    files = sorted(path for path in folder.iterdir() if path.suffix in (".conllu", ".sdp"))
    graphs, trees = relations_of(*files)
    assert best_scheme(graphs) == SCHEMES[name]
    assert [relation for relation in sorted(graphs) if not explain(relation, SCHEMES[name])] == []
    assert [relation for relation in sorted(trees) if not explain(relation)] == []


def test_glossary_explains_the_samples() -> None:
    for path in SAMPLES.iterdir():
        if path.suffix in (".conllu", ".sdp"):
            graphs, trees = relations_of(path)
            assert [one for one in graphs if not explain(one, best_scheme(graphs))] == []
            assert [one for one in trees if not explain(one)] == []


@pytest.mark.parametrize(
    ("relation", "scheme", "name"),
    [
        ("nsubj:xsubj", "ud", "subject of a controlled verb"),
        ("obl:on", "ud", "oblique nominal, marked by ‘on’"),
        ("nmod:such_as", "ud", "nominal modifier, marked by ‘such as’"),
        ("conj:and", "ud", "conjunct, joined by ‘and’"),
        ("obl:உடன்:nom", "ud", "oblique nominal, marked by ‘உடன்’, in the nominative"),
        ("nsubj:pass:xsubj", "ud", "passive subject, of a controlled verb"),
        ("conj>33.1>obj", "ud", "conjunct, then over the left-out word 33.1: object"),
        ("_as+well+as_c", "dm", "conjunct, joined by ‘as well as’"),
        ("C-ARGM-TMP", "propbank", "time, continued"),
        ("nonsense", "ud", ""),
        ("nonsense:on", "ud", ""),
        ("", "ud", ""),
        ("a:nom:nom:nom:nom:nom:nom:nom:nom", "ud", ""),
    ],
)
def test_glossary_names(relation: str, scheme: str, name: str) -> None:
    assert name_of(relation, scheme) == name


def test_glossary_entries_are_sound() -> None:
    for scheme in glossary()["schemes"].values():
        for relation, entry in scheme["relations"].items():
            assert set(entry) <= {"name", "about", "example"}, relation
            assert not entry["name"].endswith((".", ":"))
            assert ":" not in entry.get("about", ""), relation  # the name stands before one
            if "example" in entry:
                assert re.search(r"\*\*[^*]+\*\*", entry["example"]), relation
        for expression, _ in scheme["rules"]:
            re.compile(expression)
    assert len(glossary()["upos"]) == 17
    with pytest.raises(UnknownName, match="unknown scheme of relations 'xx'"):
        explain("nsubj", "xx")


def test_glossary_file_has_no_key_twice() -> None:
    def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        assert len({key for key, _ in pairs}) == len(pairs)
        return dict(pairs)

    json.loads(SOURCE.read_text("utf-8"), object_pairs_hook=once)


def test_glossary_means_the_same_on_the_page() -> None:
    page = load("glossary")
    names = ["nsubj:xsubj", "obl:on", "obl:உடன்:nom", "conj>33.1>obj", "nsubj:pass:xsubj", "nonsense:on", "",
             "a:nom:nom", "_as+well+as_c", "C-ARGM-TMP", "R-ARG1", "mod.rel.part", "toString",
             "constructor"]  # fmt: skip
    for name, scheme in glossary()["schemes"].items():
        for relation in [*names, *scheme["relations"], *(f"{one}:for" for one in scheme["relations"])]:
            assert page("explainRelation", relation, scheme) == explain(relation, name), (name, relation)
    for relations in (["ARG1", "BV"], ["ARG0", "ARG1"], ["suj"], ["nsubj"], []):
        assert page("bestScheme", relations, glossary()) == best_scheme(relations)
