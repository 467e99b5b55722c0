"""Hypothesis strategies: random graphs and sentences."""

from __future__ import annotations

import re

from hypothesis import strategies as st

from arctag.graph import Graph
from arctag.sentence import Row, Sentence

PLAIN = ("nsubj", "obj", "conj:and", "nsubj:xsubj", "ref", "_")
_LOOKS_LIKE_A_PATH = re.compile(r">[0-9]+\.[0-9]+(>|$)")

# '>' and ids inside relations are what path labels could trip over; 'conj>5.1' is one by definition
relations = st.one_of(
    st.sampled_from(PLAIN),
    st.text("ab:>.15é+#", min_size=1, max_size=6).filter(lambda r: not _LOOKS_LIKE_A_PATH.search(r)),
)
words = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=6)


@st.composite
def graphs(
    draw: st.DrawFn, max_words: int = 8, labels: st.SearchStrategy[str] = relations, words: int | None = None
) -> Graph:
    """Any graph: cycles, self-loops, several heads, several relations on an arc, isolated words."""
    n = draw(st.integers(1, max_words)) if words is None else words
    arc = st.tuples(st.integers(0, n), st.integers(1, n), labels)
    return Graph(n, draw(st.lists(arc, max_size=2 * n + 2)))


@st.composite
def sentences(draw: st.DrawFn, max_words: int = 6, max_empty: int = 4) -> Sentence:
    """A CoNLL-U sentence with empty nodes in any places (0.1 too), ranges and any graph."""
    count = draw(st.integers(1, max_words))
    places = sorted(draw(st.lists(st.integers(0, count), max_size=max_empty)))
    rows = _rows(draw, count, places)
    graph = draw(graphs(words=sum("-" not in row[0] for row in rows)))
    return Sentence(rows, graph, comments=("# sent_id = random", "# text = …"), edited=True, source="random:3")


def _rows(draw: st.DrawFn, count: int, places: list[int]) -> list[Row]:
    ranged = draw(st.booleans()) and count > 1
    rows: list[Row] = []
    for word in range(count + 1):
        if ranged and word == 1:
            rows.append(["1-2", draw(words), *"_" * 8])
        if word:
            rows.append([str(word), draw(words), "lemma", "NOUN", "NN", "_", str(word - 1), "dep", "_", "_"])
        for minor in range(places.count(word)):
            rows.append([f"{word}.{minor + 1}", draw(words), *"_" * 7, f"CopyOf={word}"])
    return rows
