"""The obvious matcher: every way to put words in the places of a pattern is tried."""

from __future__ import annotations

from itertools import permutations, product

from arctag.search.syntax import CHILD, LATER, PATH, Condition, Link, Query
from arctag.sentence import Sentence


def plain_matches(query: Query, sentence: Sentence) -> list[tuple[int, ...]]:
    """The words of each match, as `Pattern.find` must give them; for conditions on forms, tags and numbers."""
    n = sentence.size
    absent = {link.other for link in query.links if link.negated} - {-1}
    wanted = [place for place in range(len(query.nodes)) if place not in absent]
    found = []
    for words in permutations(range(n + 1), len(wanted)):
        taken = dict(zip(wanted, words, strict=True))
        if all(_node_fits(query, place, word, sentence) for place, word in taken.items()) and all(
            _link_holds(query, link, taken, sentence) != link.negated for link in query.links
        ):
            found.append(words)
    return found


def _node_fits(query: Query, place: int, word: int, sentence: Sentence) -> bool:
    node = query.nodes[place]
    if word == 0:
        return not node.written
    return all(_condition_holds(condition, word, sentence) for condition in node.conditions)


def _condition_holds(condition: Condition, word: int, sentence: Sentence) -> bool:
    arcs = list(sentence.graph)
    if condition.key in ("heads", "dependents"):
        end = 1 if condition.key == "heads" else 0
        number = sum(arc[end] == word for arc in arcs)
        sign = "==" if condition.compare == "=" else condition.compare
        holds = eval(f"{number} {sign} {condition.number}")
        return bool(holds) != condition.negated
    if condition.key == "rel":
        values = [relation for arc in arcs if arc.dependent == word for relation in arc.relations]
    else:
        values = [sentence.cells(condition.key)[word - 1]]
    assert condition.values is not None
    wanted = [value.text.lower() for value in condition.values.alternatives]
    found = any(_same(value.lower(), text, condition.values.subtypes) for value in values for text in wanted)
    return found != condition.negated


def _same(value: str, wanted: str, subtypes: bool) -> bool:
    return value == wanted or (subtypes and value.startswith(wanted + ":"))


def _link_holds(query: Query, link: Link, taken: dict[int, int], sentence: Sentence) -> bool:
    heads = [taken[link.head]] if link.head in taken else range(sentence.size + 1)
    dependents = [taken[link.dependent]] if link.dependent in taken else range(sentence.size + 1)
    return any(
        _pair_holds(link, head, dependent, sentence)
        for head, dependent in product(heads, dependents)
        if (link.head in taken or _node_fits(query, link.head, head, sentence))
        and (link.dependent in taken or _node_fits(query, link.dependent, dependent, sentence))
    )


def _pair_holds(link: Link, head: int, dependent: int, sentence: Sentence) -> bool:
    arcs = {(arc.head, arc.dependent) for arc in sentence.graph if _has_relation(link, arc.relations)}
    if link.kind == CHILD:
        return (head, dependent) in arcs
    if link.kind == PATH:
        reached = {(a, b) for a, b in arcs}
        for _ in range(sentence.size):  # paths are no longer than that
            reached |= {(a, d) for a, b in reached for c, d in arcs if b == c}
        return (head, dependent) in reached
    if 0 in (head, dependent):
        return False
    return head < dependent if link.kind == LATER else head + 1 == dependent


def _has_relation(link: Link, relations: tuple[str, ...]) -> bool:
    if link.relations is None:
        return True
    wanted = [value.text.lower() for value in link.relations.alternatives]
    return any(_same(relation.lower(), text, True) for relation in relations for text in wanted)
