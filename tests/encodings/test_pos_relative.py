"""PoS-relative positions: what labels look like, and how they depend on the tags of words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from arctag import read
from arctag.blocks.upos import upos_of
from arctag.encodings import Arcs, Labels, encoding
from arctag.encodings.upos import OTHER, UPOS, sound_tags, tag_numbers
from arctag.errors import InputError
from arctag.graph import Graph
from arctag.testing import encoding_checks, oracle
from arctag.testing.fixed_checks import expect_same
from arctag.trace import encode_explained, explain_encoding, trace
from arctag.transforms import empty_nodes

POS = encoding("pos")
TAGS = ["DET", "NOUN", "VERB", "DET", "ADJ", "NOUN"]
ARCS = [(2, 1), (3, 2), (0, 3), (6, 4), (6, 5), (1, 6), (2, 6), (3, 6)]
GRAPH = Graph(6, [(head, dependent, "_") for head, dependent in ARCS])
LABELS = ["NOUN+1", "VERB+1", "ROOT-1", "NOUN+1", "NOUN+1", "DET-2,NOUN-1,VERB-1"]


def labelled(texts: list[str], tags: list[str]) -> Labels:
    return replace(Labels.from_rows([POS.parse(text) for text in texts]), tags=tag_numbers(tags))


def test_pos_counts_words_with_the_tag_of_the_head() -> None:
    labels = POS.encode(GRAPH, tag_numbers(TAGS))
    assert [POS.format(row) for row in labels] == LABELS
    decoded = POS.decode(labels)
    assert (decoded.graph.arc_set(), decoded.repairs) == (GRAPH.arc_set(), 0)


def test_pos_without_tags_is_relative() -> None:
    graph = GRAPH.restricted(GRAPH.heads > 0)
    steps = encoding("relative").encode(graph)
    assert [POS.format(row) for row in POS.encode(graph)] == [",".join(f"X{k:+}" for k in row) or "()" for row in steps]


def test_pos_labels_under_other_tags_lead_elsewhere() -> None:
    decoded = POS.decode(labelled(["NOUN+1", "VERB+1", "ROOT-1"], ["DET", "VERB", "NOUN"]))
    assert (decoded.graph.arc_set(), decoded.repairs) == (frozenset({(3, 1), (0, 3)}), 1)


def test_pos_agrees_with_its_oracle_with_tags() -> None:
    check = next(check for check in encoding_checks(oracle(POS)) if check.name == "with_tags")
    check(POS)


def test_pos_agrees_with_its_oracle_on_a_treebank(shared: Path) -> None:
    sentences = [empty_nodes.drop(s) for s in read(shared / "data" / "iwpt_sk" / "dev.conllu")][:300]
    expect_same(POS, oracle(POS), Arcs.of([s.graph for s in sentences], upos_of(sentences)))


@pytest.mark.parametrize(
    "text",
    ["", "NOUN", "NOUN1", "NOUN-0", "NOUN+01", "noun+1", "NOUN +1", "NOUN+1,", "TOP-1", "X+1234567890", "(X+1)", "X+²"],
)
def test_pos_refuses_what_is_no_label(text: str) -> None:
    with pytest.raises(InputError, match="is not a label of pos; one looks like 'VERB"):
        POS.parse(text)


def test_pos_tags_that_are_none_count_as_x() -> None:
    assert tag_numbers(["X", "_", "nn", "NOUN"]).tolist() == [OTHER, OTHER, OTHER, UPOS.index("NOUN")]
    assert sound_tags(np.array([-1, 3, 17, 99]), 4).tolist() == [OTHER, 3, OTHER, OTHER]
    with pytest.raises(InputError, match="2 tags for 3 words"):
        POS.encode(Graph(3), np.zeros(2, np.int32))


def test_pos_is_explained_with_tags() -> None:
    found = explain_encoding(POS, GRAPH, TAGS)
    assert [word.label for word in found.words] == LABELS
    assert [f"{part.text}: {part.meaning}" for part in found.words[5].parts] == [
        "DET-2: the 2nd DET to the left is a head: word 1",
        "NOUN-1: the 1st NOUN to the left is a head: word 2",
        "VERB-1: the 1st VERB to the left is a head: word 3",
    ]
    assert encode_explained(GRAPH, "pos", tags=TAGS)["labels"] == LABELS
    traced = trace("pos", [*LABELS[:5], "NOUN-9,NOUN-1"], tags=TAGS)
    assert (traced.arcs[-1], traced.repairs) == ((2, 6), 1)
    assert traced.steps[5].text == (
        "Repair: NOUN-9 leads to no word of this sentence; it is left out. NOUN-1 is the 1st NOUN to the left: arc 2→6."
    )
    with pytest.raises(InputError, match="1 tags for 6 words"):
        trace("pos", LABELS, tags=["X"])
