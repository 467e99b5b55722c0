from __future__ import annotations

import pytest

from arctag import Graph, Sentence
from arctag.errors import AlignmentError
from arctag.metrics import score
from arctag.metrics.alignment import align, words_of


def file(*tokens: str) -> list[Sentence]:
    """One sentence per '|' from tokens; 'del=de+el' is a multiword token."""
    sentences: list[Sentence] = []
    rows: list[list[str]] = []
    word = 0
    for token in (*tokens, "|"):
        if token == "|":
            sentences.append(Sentence(rows, Graph(word), comments=(f"# sent_id = s{len(sentences) + 1}",)))
            rows, word = [], 0
            continue
        form, _, rest = token.partition("=")
        parts = rest.split("+") if rest else [form]
        if rest:
            rows.append([f"{word + 1}-{word + len(parts)}", form, *"_" * 8])
        for part in parts:
            word += 1
            rows.append([str(word), part, *"_" * 8])
    return sentences


def pairs(gold: tuple[str, ...], system: tuple[str, ...]) -> list[tuple[int, int]]:
    return align(words_of(file(*gold)), words_of(file(*system)))


@pytest.mark.parametrize(
    ("gold", "system", "wanted"),
    [
        (("a", "b"), ("a", "b"), [(0, 0), (1, 1)]),
        (("ab",), ("a", "b"), []),
        (("ab", "c"), ("a", "b", "c"), [(1, 2)]),
        (("a", "b", "c"), ("ab", "c"), [(2, 1)]),
        (("ab=a+b", "c"), ("a", "b", "c"), [(0, 0), (1, 1), (2, 2)]),
        (("ab=a+b",), ("ab=A+X",), [(0, 0)]),
        (("abc=a+b+c", "de=d+e"), ("a", "bcd=b+c+d", "e"), [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4)]),
        (("a", "|", "b"), ("a", "b"), [(0, 0), (1, 1)]),
        (("a", "bc=b+c", "d"), ("a", "b", "cd"), [(0, 0), (1, 1)]),
    ],
)
def test_alignment_pairs(gold: tuple[str, ...], system: tuple[str, ...], wanted: list[tuple[int, int]]) -> None:
    assert pairs(gold, system) == wanted


def test_alignment_ignores_spaces_inside_forms() -> None:
    assert pairs(("10\u00a0000", "x y"), ("10000", "xy")) == [(0, 0), (1, 1)]


def test_alignment_names_the_first_differing_sentence() -> None:
    gold, system = file("the", "cat", "|", "sat", "down"), file("the", "|", "cat", "|", "sad", "down")
    with pytest.raises(
        AlignmentError, match=r"gold sentence s2, system sentence s3: after 'thecatsa' gold has 'tdown'"
    ):
        score(gold, system, "elas")


def test_alignment_names_the_end_of_the_shorter_text() -> None:
    with pytest.raises(AlignmentError, match=r"system sentence s1: after 'a' gold has 'b', system has no more text"):
        score(file("a", "|", "b"), file("a"), "elas")


def test_alignment_differs_at_the_start() -> None:
    with pytest.raises(AlignmentError, match="at the start gold has 'a', system has 'b'"):
        score(file("a"), file("b"), "elas")
