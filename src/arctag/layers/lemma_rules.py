"""A lemma as a rule that turns the form into it, so that a tagger can learn lemmas as tags.

A rule is one of

- `=be`: the whole lemma, for irregular words;
- a casing (`lower`, `keep` as in the form, `title`), which alone is enough for most words, and then, where needed,
- edits around the part that stays, `…`: `lower …-3+y` (*Stories*, *story*) drops three characters and adds *y*,
  `lower 2-…-1+en` (*gemacht*, *machen*) drops two in front as well, `lower un+…` would add some there;
- compound boundaries as Finnish treebanks write them, counted from the end of the lemma: `lower #6` (*kirjakauppa*,
  *kirja#kauppa*).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple

UNKNOWN = "_"
"""The lemma of a word whose lemma is not known."""

_CASINGS: dict[str, Callable[[str], str]] = {"lower": str.lower, "keep": str, "title": str.capitalize}
"""From the most frequent: of rules that edit as much the first is taken."""
_BOUNDARY = "#"
_LONGEST = 100  # comparing takes the product of the lengths; what is longer is an address or the like
_RULE = re.compile(
    r"(?P<casing>lower|keep|title)"
    r"(?: (?:(?P<dropped_before>[0-9]{1,3})-)?(?:(?P<before>.+?)\+)?"
    r"…(?:-(?P<dropped_after>[0-9]{1,3}))?(?:\+(?P<after>.+?))?)?"
    rf"(?: {_BOUNDARY}(?P<boundaries>[0-9]{{1,3}}(?:,[0-9]{{1,3}})*))?",
    re.DOTALL,
)


class _Edit(NamedTuple):
    """What is done to a form."""

    casing: str
    dropped_before: int = 0
    before: str = ""
    dropped_after: int = 0
    after: str = ""
    boundaries: tuple[int, ...] = ()
    """Counted from the end of the lemma without boundaries, the last of them first."""

    @property
    def cost(self) -> int:
        """The number of characters that change."""
        return self.dropped_before + len(self.before) + self.dropped_after + len(self.after)

    def __str__(self) -> str:
        text = self.casing
        if self.cost:
            before = (f"{self.dropped_before}-" if self.dropped_before else "") + (
                f"{self.before}+" if self.before else ""
            )
            after = (f"-{self.dropped_after}" if self.dropped_after else "") + (f"+{self.after}" if self.after else "")
            text += f" {before}…{after}"
        if self.boundaries:
            text += f" {_BOUNDARY}{','.join(map(str, self.boundaries))}"
        return text

    def applied(self, form: str) -> str:
        """The lemma; empty if the form is too short."""
        text = _CASINGS[self.casing](form)
        end = len(text) - self.dropped_after
        if self.dropped_before > end:
            return ""
        text = self.before + text[self.dropped_before : end] + self.after
        if any(not 0 < place < len(text) for place in self.boundaries):
            return ""
        for place in sorted(self.boundaries, reverse=True):
            at = len(text) - place
            text = text[:at] + _BOUNDARY + text[at:]
        return text


def rule(form: str, lemma: str) -> str:
    """The rule that makes the lemma of the form: casing and edits where they are short, else the whole lemma."""
    edits = [edit for casing in _CASINGS if (edit := _edit(casing, form, lemma)) is not None]
    if edits:
        text = str(min(edits, key=lambda edit: edit.cost))
        if apply(text, form) == lemma:  # not where the lemma itself looks like a part of a rule
            return text
    return f"={lemma}"


def apply(rule: str, form: str) -> str:
    """The lemma that a rule makes of a form.

    Any text is taken as a rule: one that says nothing, or does not fit the form, leaves the form as it is. What comes
    out is never empty and has no tab or line break.
    """
    if rule.startswith("="):
        lemma = rule[1:]
    else:
        edit = _parsed(rule)
        lemma = edit.applied(form) if edit else ""
    return next(filter(_is_cell, (lemma, form)), UNKNOWN)


def rules(forms: Iterable[str], lemmas: Iterable[str]) -> list[str | None]:
    """The rule of each word; None where the lemma is not known, which scorers take as right whatever is predicted."""
    return [None if lemma == UNKNOWN else _rule(form, lemma) for form, lemma in zip(forms, lemmas, strict=True)]


def lemmas(rules: Sequence[str], forms: Sequence[str]) -> list[str]:
    """The lemma of each word."""
    return [_apply(rule, form) for rule, form in zip(rules, forms, strict=True)]


def _edit(casing: str, form: str, lemma: str) -> _Edit | None:
    """The edits around the longest common part; None where they would not say less than the lemma itself."""
    text = _CASINGS[casing](form)
    goal, boundaries = _without_boundaries(lemma) if _BOUNDARY not in form else (lemma, ())
    if text == goal:
        return _Edit(casing, boundaries=boundaries)
    if max(len(text), len(goal)) > _LONGEST:
        return None
    same = SequenceMatcher(None, text, goal, autojunk=False).find_longest_match()
    if same.a + same.b >= same.size:  # so much in front is no inflection
        return None
    dropped = len(text) - same.a - same.size
    return _Edit(casing, same.a, goal[: same.b], dropped, goal[same.b + same.size :], boundaries)


def _without_boundaries(lemma: str) -> tuple[str, tuple[int, ...]]:
    parts = lemma.split(_BOUNDARY)
    return "".join(parts), tuple(_lengths(parts[:0:-1]))


def _lengths(parts: Iterable[str]) -> Iterator[int]:
    length = 0
    for part in parts:
        length += len(part)
        yield length


@lru_cache(maxsize=50_000)
def _parsed(rule: str) -> _Edit | None:
    match = _RULE.fullmatch(rule) if len(rule) < 3 * _LONGEST else None
    if match is None:
        return None
    return _Edit(
        match["casing"],
        int(match["dropped_before"] or 0),
        match["before"] or "",
        int(match["dropped_after"] or 0),
        match["after"] or "",
        tuple(map(int, match["boundaries"].split(","))) if match["boundaries"] else (),
    )


def _is_cell(text: str) -> bool:
    return bool(text) and not any(character in text for character in "\t\n\r")


_rule, _apply = lru_cache(maxsize=50_000)(rule), lru_cache(maxsize=50_000)(apply)
