"""Patterns as text: `[upos=VERB] >nsubj [lemma=cat]`. What is wrong with one is a `PatternError` that says where.

pattern    clause ; clause ; …
clause     a condition on the sentence, or words: word link word link word …
word       [condition condition …], or one condition without brackets; name:[…] gives it a name, and the name alone
           means the same word again
condition  key=values, key!=values, key>=number; values alone are forms; ! before it turns it round
values     cat, c*t, "Cat", /c[au]t/, /cat/i; several with | between them
link       >values, <values: the first is the head, or the dependent; >> and << for one or more arcs; a graph after @;
           .. for somewhere later; nothing at all for the next word; ! before an arc: there is none
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from arctag.errors import InputError
from arctag.search.syntax import (
    CHILD,
    LATER,
    NEXT,
    PATH,
    SENTENCE_NUMBERS,
    SENTENCE_TEXTS,
    WORD_NUMBERS,
    Condition,
    Link,
    Node,
    Query,
)  # fmt: skip
from arctag.search.values import BadExpression, Value, Values

MOST_CHARACTERS, MOST_NODES = 1_000, 10
RELATION_KEYS = frozenset({"rel", "deprel"})
FORM = "form"
_SPACE = re.compile(r"\s*")
_NAME = re.compile(r"([A-Za-z_]\w*):(?=\[)")
_NUMBER = re.compile(
    rf"({'|'.join(sorted(WORD_NUMBERS | SENTENCE_NUMBERS))})\s*(>=|<=|!=|=|>|<)\s*(\d{{1,9}})(?![\w.])"
)
_KEY = re.compile(r"([A-Za-z_][\w:.-]*)(!?=)")
_LINK = re.compile(r"(!?)(>>|<<|>|<)")
_LATER = re.compile(r"\.\.(?=\s|\[|$)")
_PLAIN = re.compile(r"[^\s\[\]();<>|=\"@!/][^\s\[\];<>|\"]*")
_RELATION = re.compile(r"[^\s\[\];<>|\"@!/][^\s\[\];<>|\"@]*")
_GRAPH = re.compile(r"@([^\s\[\];<>|\"@]+)")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_REGEX = re.compile(r"/((?:[^/\\]|\\.)+)/(i?)")


class PatternError(InputError):
    """A pattern that cannot be read; `place` is the character, from 1, where it goes wrong."""

    def __init__(self, place: int, message: str) -> None:
        self.place, self.message = place, message
        super().__init__(f"pattern, character {place}: {message}")

    def __reduce__(self) -> tuple[type[PatternError], tuple[int, str]]:
        return PatternError, (self.place, self.message)


def read_pattern(text: str) -> Query:
    """The query that a text stands for."""
    if len(text) > MOST_CHARACTERS:
        raise PatternError(MOST_CHARACTERS, f"it has {len(text)} characters; at most {MOST_CHARACTERS} are read")
    if not text.strip():
        raise PatternError(1, "it is empty; write a word, or for example [upos=VERB] >nsubj [lemma=cat]")
    return _Reader(text).query()


class _Reader:
    """Reads a pattern from left to right."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.names = {match[1] for match in _NAME.finditer(text)}
        self.places: dict[str, int] = {}
        self.nodes: list[Node] = []
        self.links: list[Link] = []
        self.sentence: list[Condition] = []

    def query(self) -> Query:
        """The whole pattern."""
        while True:
            self._clause()
            if self._end():
                break
            self._expect(";")
            if self._end():  # a last ; separates nothing
                break
        self._check()
        return Query(tuple(self.nodes), tuple(self.links), tuple(self.sentence))

    def _check(self) -> None:
        """Each name must have been given a word; one that must not exist cannot be linked to others."""
        for name in self.names - self.places.keys():
            raise self._error(f"{name} names no word")
        absent = {link.other for link in self.links if link.negated}
        for link in self.links:
            if {link.head, link.dependent} & absent and not (
                link.negated and link.other in (link.head, link.dependent)
            ):
                raise self._error("a word that must not exist (after !> or !<) cannot be linked to another one")

    def _clause(self) -> None:
        if self._sentence_condition():
            return
        here: int | None = None if self._at_link() else self._word()
        while not self._at_end_of_clause():
            negated, kind, backwards, relations, graph = self._link()
            if here is None:
                here = self._new(Node("", written=False))
            known = len(self.nodes)
            there = self._new(Node("", written=False)) if self._at_end_of_clause() or self._at_link() else self._word()
            head, dependent = (there, here) if backwards else (here, there)
            other = there if negated and there >= known else -1
            self.links.append(Link(kind, head, dependent, relations, graph, negated, other))
            here = there
            if negated and not self._at_end_of_clause():
                raise self._error("after !> or !< and a word the clause must end: write ; before what follows")

    def _sentence_condition(self) -> bool:
        """Read a clause about the sentence, if it is one."""
        start = self._skip()
        number = _NUMBER.match(self.text, start)
        if number and number[1] in SENTENCE_NUMBERS:
            self.at = number.end()
            self.sentence.append(Condition(number[1], compare=number[2], number=int(number[3])))
            return True
        key = _KEY.match(self.text, start)
        if key is None or key[1] not in SENTENCE_TEXTS:
            return False
        self.at = key.end()
        self.sentence.append(Condition(key[1], self._values(), negated=key[2] == "!="))
        return True

    def _word(self) -> int:
        """The place of the word that follows."""
        start = self._skip()
        name = ""
        if match := _NAME.match(self.text, start):
            name, self.at = match[1], match.end()
            if name in self.places:
                raise self._error(f"{name} is the name of another word already", start)
        elif (plain := _PLAIN.match(self.text, start)) and plain[0] in self.names:
            if plain[0] not in self.places:
                raise self._error(f"{plain[0]} is used before it is given a word: {plain[0]}:[…] comes first")
            self.at = plain.end()
            return self.places[plain[0]]
        conditions = tuple(self._bracketed()) if self._take("[") else (self._condition(),)
        place = self._new(Node(name, conditions))
        if name:
            self.places[name] = place
        return place

    def _new(self, node: Node) -> int:
        if len(self.nodes) == MOST_NODES:
            raise self._error(f"more than {MOST_NODES} words")
        self.nodes.append(node)
        return len(self.nodes) - 1

    def _bracketed(self) -> Iterator[Condition]:
        while not self._take("]"):
            if self._end():
                raise self._error("a [ is not closed: ] is missing")
            yield self._condition()

    def _condition(self) -> Condition:
        start = self._skip()
        negated = self._take("!")
        self._skip()
        number = _NUMBER.match(self.text, self.at)
        if number and number[1] in WORD_NUMBERS:
            self.at = number.end()
            return Condition(number[1], compare=number[2], number=int(number[3]), negated=negated)
        key = _KEY.match(self.text, self.at)
        if key is None:
            return Condition(FORM, self._values(), negated=negated)
        if key[1] in SENTENCE_TEXTS:
            raise self._error(
                f"{key[1]} is about the sentence: write it as a clause of its own, before or after a ;", start
            )
        self.at = key.end()
        return Condition(key[1], self._values(key[1].casefold() in RELATION_KEYS), negated=negated != (key[2] == "!="))

    def _link(self) -> tuple[bool, str, bool, Values | None, str]:
        """(negated, kind, from right to left, relations, graph)."""
        self._skip()
        if match := _LATER.match(self.text, self.at):
            self.at = match.end()
            return False, LATER, False, None, ""
        match = _LINK.match(self.text, self.at)
        if match is None:
            return False, NEXT, False, None, ""
        self.at = match.end()
        relations = (
            self._values(True, _RELATION)
            if self.at < len(self.text) and self.text[self.at] not in " \t\n[];@"
            else None
        )
        graph = _GRAPH.match(self.text, self.at)
        if graph:
            self.at = graph.end()
        kind = PATH if len(match[2]) == 2 else CHILD
        return bool(match[1]), kind, match[2][0] == "<", relations, graph[1] if graph else ""

    def _values(self, subtypes: bool = False, plain: re.Pattern[str] = _PLAIN) -> Values:
        start = self.at
        alternatives = [self._value(plain)]
        while self.text.startswith("|", self.at):
            self.at += 1
            alternatives.append(self._value(plain))
        try:
            return Values(tuple(alternatives), subtypes)
        except BadExpression as error:
            raise self._error(f"this regular expression cannot be used: {error}", start) from None

    def _value(self, plain: re.Pattern[str]) -> Value:
        if match := _QUOTED.match(self.text, self.at):
            self.at = match.end()
            return Value(re.sub(r"\\(.)", r"\1", match[1]), "quoted")
        if match := _REGEX.match(self.text, self.at):
            self.at = match.end()
            return Value(match[1].replace(r"\/", "/"), "regex", match[2])
        if match := plain.match(self.text, self.at):
            self.at = match.end()
            return Value(match[0])
        raise self._error(f'found {self._rest()}; expected a word, "…", or a regular expression between / and /')

    def _at_link(self) -> bool:
        self._skip()
        return bool(_LINK.match(self.text, self.at) or _LATER.match(self.text, self.at))

    def _at_end_of_clause(self) -> bool:
        return self._end() or self.text[self.at] == ";"

    def _end(self) -> bool:
        return self._skip() == len(self.text)

    def _skip(self) -> int:
        match = _SPACE.match(self.text, self.at)
        assert match is not None
        self.at = match.end()
        return self.at

    def _take(self, mark: str) -> bool:
        self._skip()
        found = self.text.startswith(mark, self.at)
        self.at += len(mark) * found
        return found

    def _expect(self, mark: str) -> None:
        if not self._take(mark):
            raise self._error(f"found {self._rest()}; expected {mark} or the end")

    def _rest(self) -> str:
        rest = self.text[self.at :]
        return repr(rest if len(rest) <= 20 else rest[:20] + "…") if rest else "the end"

    def _error(self, message: str, at: int | None = None) -> PatternError:
        return PatternError((self.at if at is None else at) + 1, message)
