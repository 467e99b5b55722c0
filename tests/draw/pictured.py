"""Sentences worth drawing, and what their pictures are looked at with."""

from __future__ import annotations

from xml.etree import ElementTree

from arctag.graph import Graph
from arctag.sentence import Sentence

SVG = "{http://www.w3.org/2000/svg}"

SIMPLE = Sentence.from_words(
    ["She", "wants", "to", "leave", "."],
    Graph(
        5,
        [
            (0, 2, "root"),
            (2, 1, "nsubj"),
            (4, 1, "nsubj:xsubj"),
            (4, 3, "mark"),
            (2, 4, "xcomp"),
            (2, 5, "punct"),
        ],
    ),
    sent_id="simple",
)
CYCLIC = Sentence.from_words(
    ["who", "is", "the", "one", "that", "said", "it", "to", "whom"],
    Graph(
        9,
        [
            (1, 2, "a"), (2, 1, "b"), (0, 4, "root"), (0, 2, "root"), (3, 3, "self-loop"), (1, 4, "acl:relcl"),
            (4, 1, "ref"), (2, 6, "x"), (3, 7, "obj"), (5, 9, "conj"), (9, 4, "advmod"), (6, 8, "obl"),
            (8, 6, "case"), (1, 9, "conj"), (1, 9, "orphan"), (2, 7, "longer-relation:subtype"),
        ],
    ),
    sent_id="cyclic",
)  # fmt: skip
HOSTILE = Sentence.from_words(
    ["<script>alert(1)</script>", '"q"', "a&b", "x\x00\x1b[31my", "e\u0301", "\u202eevil", "]]>", "${name}"],
    Graph(8, [(0, 1, '<b>&"'), (1, 2, "o'k"), (3, 1, "a]]>"), (4, 2, "\x07bell"), (5, 8, "$x")]),
    sent_id="<img src=x onerror=alert(2)>",
)
ARABIC = Sentence.from_words(
    ["ذهب", "الولد", "إلى", "المدرسة", "."],
    Graph(5, [(0, 1, "root"), (1, 2, "nsubj"), (1, 4, "obl:إلى"), (4, 3, "case"), (1, 5, "punct")]),
    sent_id="عربي",
)
CHINESE = Sentence.from_words(
    ["我", "昨天", "借", "了", "书", "。"],
    Graph(6, [(0, 3, "root"), (3, 1, "nsubj"), (3, 2, "obl:tmod"), (3, 4, "aux"), (3, 5, "obj"), (3, 6, "punct")]),
    sent_id="中文",
)
UNJOINED = Sentence.from_words(["no", "arcs"], Graph(2), sent_id="unjoined")
ELLIPSIS = Sentence(
    rows=[[name, word, *"_" * 8] for name, word in [("1", "They"), ("1.1", "left"), ("2", "did")]],
    graph=Graph(3, [(0, 2, "root"), (2, 1, "nsubj"), (2, 3, "aux")]),
    comments=("# sent_id = ellipsis",),
)
TAGGED = Sentence(
    rows=[
        [*row.split(), *"_" * 6]
        for row in ["1 They they PRON", "1.1 left leave&go _", "2 did <do>\u202e\x1b[31m VERY-LONG-TAG"]
    ],
    graph=Graph(3, [(0, 2, "root"), (2, 1, "nsubj"), (2, 3, "aux")]),
    comments=("# sent_id = tagged",),
)
"""With tags and lemmas: one is missing, one is wider than its word, some hold what pictures must not."""
ALL = [SIMPLE, CYCLIC, HOSTILE, ARABIC, CHINESE, UNJOINED, ELLIPSIS, TAGGED]


def long_sentence(n: int) -> Sentence:
    """Two arcs per word, short and long, crossing."""
    arcs = [(0, 1, "root")]
    arcs += [(i // 2, i, "conj:and") for i in range(2, n + 1)]
    arcs += [(min(n, i + 1 + i % 7), i, "nsubj") for i in range(1, n)]
    return Sentence.from_words([f"word{i}" for i in range(n)], Graph(n, arcs), sent_id="long")


def parsed(svg: str) -> ElementTree.Element:
    """The picture as an XML tree; fails where it is not well-formed."""
    return ElementTree.fromstring(svg)


def arcs(tree: ElementTree.Element) -> list[ElementTree.Element]:
    """The groups of the arcs."""
    return [group for group in tree.iter(f"{SVG}g") if "arc" in group.get("class", "").split()]
