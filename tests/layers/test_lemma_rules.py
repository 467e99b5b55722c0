"""Lemma rules: what they say, that they lead back to the lemma, and that any text can be one."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arctag.layers import lemma_rules
from arctag.layers.lemma_rules import apply, rule
from tests.places import SHARED

cells = st.text(st.characters(exclude_characters="\t\n\r"), min_size=1)
tricky = st.text("aAbBiİıIßẞΣσςǆǅ\u0301…-+#=1230 ,_", min_size=1, max_size=12)
related = st.builds(lambda stem, end: (stem + end, stem), cells, cells)


@pytest.mark.parametrize(
    ("form", "lemma", "expected"),
    [
        ("dogs", "dog", "lower …-1"),
        ("Stories", "story", "lower …-3+y"),
        ("The", "the", "lower"),
        ("London", "London", "keep"),
        ("NATO", "NATO", "keep"),
        ("LONDON", "London", "title"),
        ("TVs", "TV", "keep …-1"),
        ("was", "be", "=be"),
        ("ca", "can", "lower …+n"),
        ("gemacht", "machen", "lower 2-…-1+en"),
        ("nepovedal", "povedať", "lower 2-…-1+ť"),
        ("well", "unwell", "lower un+…"),
        ("kirjakaupassa", "kirja#kauppa", "lower …-4+pa #6"),
        ("kirjakauppa", "kirja#kauppa", "lower #6"),
        ("abcdef", "ab#cd#ef", "lower #2,4"),
        ("a#b", "a#b", "lower"),
        ("İ", "i̇", "lower"),
        ("x", "=", "=="),
        ("x" * 200, "X" * 200, "=" + "X" * 200),
        ("X" * 200, "x" * 200, "lower"),
    ],
)
def test_rules_read_well(form: str, lemma: str, expected: str) -> None:
    assert rule(form, lemma) == expected
    assert apply(expected, form) == lemma


@given(st.one_of(st.tuples(cells, cells), st.tuples(tricky, tricky), related))
def test_a_rule_leads_back_to_the_lemma(words: tuple[str, str]) -> None:
    form, lemma = words
    made = rule(form, lemma)
    assert apply(made, form) == lemma
    assert "\t" not in made
    assert "\n" not in made


@given(st.one_of(st.text(), tricky, st.from_regex(lemma_rules._RULE, fullmatch=True)), st.text())
def test_any_text_is_a_rule(made: str, form: str) -> None:
    lemma = apply(made, form)
    assert lemma
    assert not set(lemma) & set("\t\n\r")


@pytest.mark.parametrize(
    "bad",
    ["", "lower ", "upper", "lower …-9", "lower 4-…-4", "lower #0", "lower #4", "keep …+a\tb", "=", "=\n", "lower …-²"],
)
def test_a_bad_rule_leaves_the_form(bad: str) -> None:
    assert apply(bad, "Word") == "Word"


def test_a_rule_may_replace_all_of_the_form() -> None:
    assert apply("lower 2-…-2+x", "Word") == "x"
    assert apply("lower …-4", "Word") == "Word"


@pytest.mark.parametrize("form", ["", "\t", "a\nb"])
def test_a_form_that_is_no_cell(form: str) -> None:
    assert apply("keep", form) == "_"


def test_many_words_at_once() -> None:
    forms, lemmas = ["Dogs", "were", "Dogs", "x"], ["dog", "be", "dog", "_"]
    made = lemma_rules.rules(forms, lemmas)
    assert made == ["lower …-1", "=be", "lower …-1", None]
    assert lemma_rules.lemmas([text or "keep" for text in made], forms) == ["dog", "be", "dog", "x"]


@pytest.mark.parametrize(
    ("train", "test", "most", "covered"),
    [
        ("en_ewt/train.conllu", "en_ewt/test.conllu", 338, 0.9988),
        ("iwpt_sk/dev.conllu", "iwpt_sk/test.conllu", 266, 0.9924),
        ("iwpt_fi/dev.conllu", "iwpt_fi/test.conllu", 1040, 0.967),
        ("iwpt_ta/train.conllu", "iwpt_ta/test.conllu", 91, 0.9959),
    ],
)
def test_few_rules_cover_a_treebank(train: str, test: str, most: int, covered: float) -> None:
    known = {rule(*pair) for pair in _pairs(SHARED / "data" / train)}
    counts = _pairs(SHARED / "data" / test)
    assert len(known) <= most
    seen = sum(count for pair, count in counts.items() if rule(*pair) in known)
    assert seen / counts.total() > covered
    assert all(apply(rule(form, lemma), form) == lemma for form, lemma in counts)


def _pairs(path: Path) -> Counter[tuple[str, str]]:
    """The forms and lemmas of a treebank."""
    if not path.exists():
        pytest.skip("the shared treebanks are absent")
    rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
    return Counter((row[1], row[2]) for row in rows if len(row) == 10 and row[0].isdigit() and row[2] != "_")
