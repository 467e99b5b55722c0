"""Projective trees from the definition: each word is held against all of its ancestors and the words in between."""

from __future__ import annotations

Heads = list[int]
"""The head of each word of a tree."""


def ancestors(word: int, heads: Heads) -> list[int]:
    """The words above a word, the nearest first; the root comes last."""
    found = []
    while word:
        word = heads[word - 1]
        found.append(word)
    return found


def lifted(heads: Heads) -> Heads:
    """Each word below the lowest of its ancestors of which all words in between are descendants."""
    words = range(1, len(heads) + 1)
    return [next(head for head in ancestors(word, heads) if _reaches(head, word, heads)) for word in words]


def _reaches(head: int, word: int, heads: Heads) -> bool:
    between = range(min(head, word) + 1, max(head, word))
    return all(head in ancestors(other, heads) for other in between)
