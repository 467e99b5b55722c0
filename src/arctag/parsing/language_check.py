"""`with_language_check`: says so, once, if running text is in another language than the model's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from arctag.parsing.inputs import OutputChunk
from arctag.text.chunks import Chunk
from arctag.text.languages import NAMES
from arctag.text.other_language import LOOKED_AT, other_language


def with_language_check(
    chunks: Iterable[OutputChunk], language: str | None, warn: Callable[[str], None]
) -> Iterator[OutputChunk]:
    """The same chunks; a warning when enough of them is seen, or when they end."""
    start, done = "", language is None
    try:
        for one in chunks:
            if not done and isinstance(one.chunk, Chunk):
                start += f"{one.chunk.text[:LOOKED_AT]}\n"
                if len(start) >= LOOKED_AT:
                    done = True
                    _check(start, language, warn)
            yield one
    finally:  # all that was asked for may be parsed before the text ends
        if not done:
            _check(start, language, warn)


def _check(text: str, language: str | None, warn: Callable[[str], None]) -> None:
    if (other := other_language(text, language)) and language is not None:
        warn(f"this looks like {other}, and the model has learned {NAMES[language]}: its graphs are of little use here")
