"""Numbers as a reader wants them: 'word 4', 'words 4 and 5', '2→4', '2 repairs'."""

from __future__ import annotations

from collections.abc import Sequence


def named(word: int) -> str:
    """'word 4', or 'the root'."""
    return f"word {word}" if word else "the root"


def listed(words: Sequence[int]) -> str:
    """'word 4', 'words 1, 4 and 5', 'the root and word 2'; each once."""
    numbers = [str(word) for word in dict.fromkeys(words) if word]
    parts = ["the root"] if 0 in words else []
    if len(numbers) == 1:
        parts.append(f"word {numbers[0]}")
    elif numbers:
        parts.append(f"words {', '.join(numbers[:-1])} and {numbers[-1]}")
    return " and ".join(parts)


def arrow(head: int, dependent: int) -> str:
    """'2→4'."""
    return f"{head}→{dependent}"


def counted(count: int, thing: str) -> str:
    """'1 repair', '2 repairs'."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def first_up(text: str) -> str:
    """The text with a capital at its beginning, nothing else changed."""
    return text[:1].upper() + text[1:]
