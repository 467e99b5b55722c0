"""`Flat`: the arrays of many sentences are those of each, wherever they come from."""

from __future__ import annotations

from pathlib import Path

from arctag import Graph, Sentence, read
from arctag.blocks.arcs import BlockArcs
from arctag.blocks.flat import Flat, Table


def of_all_kinds(path: Path) -> list[Sentence]:
    """Views, sentences with another graph, with other columns, and made by hand, one after another."""
    s = list(read(path))
    arcs = BlockArcs.gathered([(t.block.graphs, t.number) for t in s[4:6] if t.block is not None])
    return [
        *s[:2], s[2].with_graph(Graph(s[2].size, [(1, 1, "a"), (1, 1, "b")])), s[3],
        *(sentence.with_arcs(arcs, i) for i, sentence in enumerate(s[4:6])),
        s[6].with_columns({1: ["x"] * s[6].size}), Sentence.from_words(["new", "words"]), *s[7:], *s[:3],
    ]  # fmt: skip


def test_flat_graphs_are_those_of_each_sentence(any_sample: Path) -> None:
    sentences = of_all_kinds(any_sample)
    graphs = Flat(sentences).graphs
    assert [graphs.graph(i) for i in range(len(sentences))] == [sentence.graph for sentence in sentences]


def test_flat_columns_are_those_of_each_sentence(any_sample: Path) -> None:
    sentences = of_all_kinds(any_sample)
    flat, table = Flat(sentences), Table()
    numbers = flat.column(1, table)
    names = list(table)
    assert [names[number] for number in numbers] == [word for sentence in sentences for word in sentence.words]
    assert flat.sizes.tolist() == [sentence.size for sentence in sentences]


def test_flat_words_are_compared_whatever_they_are_part_of(any_sample: Path) -> None:
    sentences = of_all_kinds(any_sample)
    by_hand = [Sentence.from_words(sentence.words) for sentence in sentences]
    assert Flat(sentences).same_words(Flat(by_hand))
    assert not Flat(sentences).same_words(Flat([*by_hand[:-1], by_hand[0]]))


def test_flat_words_with_line_ends_are_not_taken_for_others() -> None:
    one, other = (
        Sentence([[str(i + 1), form, *"_" * 8] for i, form in enumerate(forms)], Graph(2))
        for forms in (("a\nb", "c"), ("a", "b\nc"))
    )
    assert not Flat([one]).same_words(Flat([other]))


def test_flat_of_nothing() -> None:
    flat = Flat([])
    assert len(flat.graphs.arcs) == len(flat.sizes) == len(flat.column(1, Table())) == 0
