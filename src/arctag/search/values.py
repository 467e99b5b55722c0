"""`Values`: the texts that a key may have, as plain words, with wildcards, or as regular expressions.

Regular expressions are those of RE2, which takes time in proportion to the text, whatever the expression: no pattern
can keep a program, or a service, busy for ever.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

Test = Callable[[str], bool]
_MEMORY = 1 << 21  # bytes that one regular expression may use
_REMEMBERED = 100_000  # texts


@dataclass(frozen=True)
class Value:
    """One of the texts: `cat` (any case, `*` for any characters), `"Cat"` (as it stands) or `/c[au]t/`."""

    text: str
    kind: str = "plain"
    """plain, quoted or regex."""
    flags: str = ""
    """Of a regular expression: `i` for any case."""


class BadExpression(Exception):
    """A regular expression that cannot be used."""


@dataclass(frozen=True)
class Values:
    """One of several texts; with `subtypes`, a plain relation stands for its subtypes, too."""

    alternatives: tuple[Value, ...]
    subtypes: bool = False
    _known: dict[str, bool] = field(default_factory=dict, repr=False, compare=False)
    _tests: list[Test] = field(default_factory=list, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._tests.extend(_test(value, self.subtypes) for value in self.alternatives)

    def test(self, text: str) -> bool:
        """Whether a text is one of them; the answer is remembered, since treebanks repeat their words."""
        found = self._known.get(text)
        if found is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            found = self._known[text] = any(test(text) for test in self._tests)
        return found


def _test(value: Value, subtypes: bool) -> Test:
    if value.kind == "regex":
        return _regex(value.text, "i" not in value.flags)
    if value.kind == "quoted":
        return value.text.__eq__
    if "*" in value.text:
        pattern = ".*".join(map(re.escape, value.text.casefold().split("*")))
        return _regex(f"(?s)^(?:{pattern})$", True, casefold=True)
    wanted = value.text.casefold()
    if subtypes:
        beginning = f"{wanted}:"
        return lambda text: text.casefold() == wanted or text.casefold().startswith(beginning)
    return lambda text: text.casefold() == wanted


def _regex(expression: str, case: bool, casefold: bool = False) -> Test:
    import re2

    options = re2.Options()
    options.log_errors, options.case_sensitive, options.max_mem = False, case, _MEMORY
    try:
        compiled = re2.compile(expression, options)
    except re2.error as error:
        (reason,) = error.args
        raise BadExpression(reason.decode("utf-8", "replace") if isinstance(reason, bytes) else reason) from error

    def test(text: str) -> bool:
        clean = text.encode("utf-8", "replace").decode("utf-8")  # a damaged file may hold half characters
        return compiled.search(clean.casefold() if casefold else clean) is not None

    return test
