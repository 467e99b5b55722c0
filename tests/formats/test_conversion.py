"""CoNLL-U to SDP and back: what survives, what is counted as lost, what is refused."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arctag.errors import InputError
from arctag.formats import read, write
from arctag.formats.conllu import CONLLU
from arctag.formats.sdp import SDP
from arctag.graph import Graph
from arctag.sentence import Sentence
from tests.places import treebanks
from tests.strategies import graphs


def _there_and_back(source: Path, folder: Path) -> tuple[list[Sentence], list[Sentence]]:
    own = source.suffix[1:]
    middle = folder / ("middle.sdp" if own == "conllu" else "middle.conllu")
    write(read(source), middle)
    write(read(middle), folder / f"back.{own}")
    return list(read(source)), list(read(folder / f"back.{own}"))


def test_conversion_sdp_to_conllu_and_back_keeps_all_but_frames(sample_sdp: Path, tmp_path: Path) -> None:
    before, after = _there_and_back(sample_sdp, tmp_path)
    assert [s.graph for s in after] == [s.graph for s in before]
    assert [s.id for s in after] == [s.id for s in before]
    for old, new in zip(before, after, strict=True):
        assert [row[:6] for row in new.rows] == [row[:6] for row in old.rows]
        assert {row[6] for row in new.rows} == {"_"}


def test_conversion_conllu_to_sdp_and_back_keeps_words_lemmas_tags_and_arcs(sample: Path, tmp_path: Path) -> None:
    before, after = _there_and_back(sample, tmp_path)
    for old, new in zip(before, after, strict=True):
        assert new.id == old.id
        assert new.graph.same_arcs(old.graph)
        # SDP has room for one tag; the treebank's own one goes there and comes back
        assert [(r[1], r[2], r[4]) for r in new.rows] == [(r[1], r[2], r[4]) for r in old.node_rows]


def test_conversion_conllu_to_sdp_joins_several_relations(sample: Path, tmp_path: Path) -> None:
    before, after = _there_and_back(sample, tmp_path)
    changed = [
        (new.relations, old.relations)
        for one, other in zip(before, after, strict=True)
        for old, new in zip(one.graph, other.graph, strict=True)
        if old.relations != new.relations
    ]
    assert changed == [(("obl:from+obl:to",), ("obl:from", "obl:to"))]


@pytest.mark.parametrize("name", treebanks(".sdp", only=lambda name: "train" not in name))
def test_conversion_keeps_the_graphs_of_sdp_treebanks(shared: Path, tmp_path: Path, name: str) -> None:
    before, after = _there_and_back(shared / "data" / name, tmp_path)
    assert [s.graph for s in after] == [s.graph for s in before]


def test_conversion_counts_what_sdp_has_no_room_for(sample: Path) -> None:
    losses: Counter[str] = Counter()
    write(read(sample), "/dev/null", "sdp", losses)
    assert losses["ranges (multiword tokens)"] == 3
    assert losses["empty nodes turned into words"] == 4
    assert losses["basic trees"] == 34
    assert losses["arcs with several relations, joined with '+'"] == 1
    assert losses["labels of root arcs other than 'root'"] == 0
    assert losses["comments"] == 34 + 2 + 6  # text, newdoc, newpar
    assert losses["MISC columns"] == sum(row[9] != "_" for s in read(sample) for row in s.node_rows)


def test_conversion_counts_what_conllu_has_no_room_for(sample_sdp: Path) -> None:
    losses: Counter[str] = Counter()
    write(read(sample_sdp), "/dev/null", "conllu", losses)
    frames = sum(row[6] != "_" for s in read(sample_sdp) for row in s.rows)
    assert losses == {"frames": frames}


def test_conversion_counts_predicates_without_arguments() -> None:
    row = ["1", "Rain", "rain", "NN", "+", "+", "_", "_"]
    assert CONLLU.losses(Sentence([row], Graph(1, [(0, 1, "root")]), "sdp"))["predicates without arguments"] == 1


@pytest.mark.parametrize("format", ["conllu", "sdp"])
def test_conversion_to_the_same_format_loses_nothing(format: str, sample: Path, sample_sdp: Path) -> None:
    losses: Counter[str] = Counter()
    write(read(sample if format == "conllu" else sample_sdp), "/dev/null", format, losses)
    assert losses == {}


def test_conversion_counts_root_labels_that_sdp_cannot_hold() -> None:
    sentence = Sentence.from_words(["a", "b"], Graph(2, [(0, 1, "top"), (0, 2, "root")]))
    assert SDP.losses(sentence)["labels of root arcs other than 'root'"] == 1


def test_conversion_keeps_arcs_without_a_relation(tmp_path: Path) -> None:
    sentence = Sentence.from_words(["a", "b"], Graph.from_arrays(2, [0, 1], [1, 2]))
    losses: Counter[str] = Counter()
    write([sentence], tmp_path / "bare.sdp", losses=losses)
    assert next(read(tmp_path / "bare.sdp")).graph == Graph(2, [(0, 1, "root"), (1, 2, "ARG")])
    assert losses["arcs without a relation, written as 'ARG'"] == 1


def test_conversion_prefers_the_second_tag_and_falls_back_to_the_first() -> None:
    rows = [["1", "a", "_", "NOUN", "NN", *"_" * 5], ["2", "b", "_", "VERB", "_", *"_" * 5]]
    text = SDP.header + SDP.text(Sentence(rows, Graph(2)))
    assert [line.split("\t")[3] for line in text.splitlines() if "\t" in line] == ["NN", "VERB"]


@pytest.mark.parametrize("relation", ["a|b", "", "a\tb", "a\nb"])
def test_conversion_refuses_relations_that_conllu_could_not_read_back(relation: str) -> None:
    with pytest.raises(InputError, match="cannot be written as conllu"):
        CONLLU.text(Sentence.from_words(["a"], Graph(1, [(0, 1, relation)])))


@pytest.mark.parametrize("relation", ["", "a\tb", "a\nb"])
def test_conversion_refuses_relations_that_sdp_could_not_read_back(relation: str) -> None:
    with pytest.raises(InputError, match="cannot be written as sdp"):
        SDP.text(Sentence.from_words(["a"], Graph(1, [(1, 1, relation)])))


@given(graphs(labels=st.text("ab:>.|é", min_size=1, max_size=3)))
def test_conversion_random_graphs_survive_sdp(tmp_path_factory: pytest.TempPathFactory, graph: Graph) -> None:
    path = tmp_path_factory.mktemp("random") / "file.sdp"
    write([Sentence.from_words(["w"] * graph.n, graph, sent_id="x")], path)
    again = next(read(path))
    assert again.graph.same_arcs(graph)
    joined = {(h, d): "+".join(relations) if h else "root" for h, d, relations in graph}
    assert {(h, d): relations for h, d, relations in again.graph} == {key: (r,) for key, r in joined.items()}
    assert SDP.header + SDP.text(again.with_graph(again.graph)) == path.read_text(encoding="utf-8")
