"""The arcs we read are those that the independent `conllu` package reads."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import conllu
import pytest

from arctag.formats import read
from tests.places import SAMPLES

ONE_OF_EACH_KIND = ["iwpt_ta/dev", "iwpt_sk/dev", "iwpt_fi/lowres/dev", "en_ewt/dev", "en_pud/test", "sentiment_eu/dev"]
Arcs = set[tuple[str, str, str]]


def _name(id: Any) -> str:
    return str(id) if isinstance(id, int) else "".join(map(str, id))


def _their_arcs(path: Path) -> Iterator[Arcs]:
    # comments without '=' are not fields; by default the package leaves them out, this keeps it from raising
    parsers = {"__fallback__": lambda key, value: [(key, value)]}
    with open(path, encoding="utf-8") as file:
        for sentence in conllu.parse_incr(file, metadata_parsers=parsers):
            yield {
                (_name(head), _name(token["id"]), relation)
                for token in sentence
                for relation, head in token["deps"] or ()
            }


def _our_arcs(path: Path) -> Iterator[Arcs]:
    for sentence in read(path):
        names = ["0", *sentence.ids]
        yield {(names[head], names[dependent], relation) for head, dependent, relation in sentence.graph.triples()}


def _compare(path: Path) -> None:
    ours, theirs = list(_our_arcs(path)), list(_their_arcs(path))
    assert len(ours) == len(theirs)
    assert any(ours)
    assert ours == theirs


def test_conllu_sample_agrees_with_the_conllu_package() -> None:
    _compare(SAMPLES / "sample.conllu")


@pytest.mark.parametrize("name", ONE_OF_EACH_KIND)
def test_conllu_treebanks_agree_with_the_conllu_package(shared: Path, name: str) -> None:
    _compare(shared / "data" / f"{name}.conllu")
