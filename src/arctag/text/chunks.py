"""Running text cut into chunks that can be tokenised one by one, in any order and in any process.

A chunk is a paragraph, or a part of a long one. Where text is cut depends on the text alone, not on how it was read,
and no chunk is long: time and memory stay in proportion, whatever the text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from arctag.errors import UnknownName
from arctag.text.line_breaks import meant_breaks

AUTO = "auto"
LAYOUTS = {
    AUTO: "a blank line ends a paragraph, and so does a line that was not broken to keep it short, as a title is",
    "paragraphs": "a blank line ends a paragraph, and nothing else",
    "lines": "each line is a paragraph",
    "sentences": "each line is a sentence, and a blank line ends a paragraph",
}
"""What lines mean in a text."""
LONGEST = 10_000
"""The most characters of a chunk."""
LONGEST_WORD = 1_000
"""The most characters without a space; UDPipe looks at all of them, for each, whether they are a web address."""

_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_UNFIT = (0, *range(0xD800, 0xE000))  # UDPipe stops at a zero, UTF-8 has no surrogates
_FIT = {
    **{code: " " for code in range(0x3001) if chr(code).isspace() and chr(code) != "\n"},
    **dict.fromkeys(_UNFIT, _REPLACEMENT),
}
_NOTHING_TO_DO = re.compile(r"[\x20-\x7e\n]*")
_SPACES = re.compile(" {2,}")
_GAP = re.compile("[ \n]*")
_TOO_LONG = re.compile(f"[^ \n]{{{LONGEST_WORD + 1}}}")
_SENTENCE_END = re.compile("[.!?…][\"'»”’)\\]]*[ \n]|[。！？][」』”’）]*")
_LETTERS_PER_WORD = 5
_LONGEST_LETTER = 50  # characters, as no letter with accents and no emoji has
_ZERO_WIDTH_JOINER = "\N{ZERO WIDTH JOINER}"


@dataclass(frozen=True)
class Chunk:
    """Text that is tokenised by itself, and where it stands."""

    text: str
    """Its words, with spaces and line breaks between them, but none before the first or after the last."""
    paragraph: int = 1
    number: int = 1
    """Its number in its paragraph."""
    line: int = 1
    """The line on which it begins."""
    glued: bool = False
    """Whether the next chunk follows without a space, since a word was too long for one chunk."""
    whole: bool = False
    """Whether it is one sentence, whatever the tokenizer predicts."""

    @property
    def data(self) -> bytes:
        """Its text in UTF-8, and a space after it."""
        return f"{self.text} ".encode(errors="surrogateescape")

    @property
    def words(self) -> int:
        """About how many words it has."""
        return len(self.text) // _LETTERS_PER_WORD + 1


def fit(text: str) -> str:
    """The text as CoNLL-U can hold it and every tool can read it back.

    Spaces of all kinds become plain ones, and several in a row one; line breaks stay. What UTF-8 or UDPipe cannot hold
    (half of a surrogate pair, the zero character) becomes U+FFFD, one for one. All else is left as it is.
    """
    if not _NOTHING_TO_DO.fullmatch(text):
        text = text.translate(_FIT)
    return _SPACES.sub(" ", text)


def chunks(texts: Iterable[str], layout: str = AUTO) -> Iterator[Chunk]:
    """The chunks of a text that comes in strings of any length, cut anywhere."""
    if layout not in LAYOUTS:
        raise UnknownName("layout", layout, LAYOUTS)
    cutter = _Cutter(layout)
    for text in texts:
        yield from cutter.add(text)
    yield from cutter.finish()


class _Cutter:
    """Takes text bit by bit and keeps what is not yet a chunk: little more than the longest one."""

    def __init__(self, layout: str) -> None:
        self.end = re.compile("\n ?\n" if layout in (AUTO, "paragraphs") else "\n")
        self.guessed = layout == AUTO
        self.ended = False  # whether the last chunk ends in a line break that is meant
        self.breaks = 1 if layout == "lines" else 2  # line breaks between two paragraphs
        self.whole = layout == "sentences"
        self.text, self.at = "", 0
        self.paragraph, self.number, self.line = 0, 0, 1
        self.gap = self.breaks  # line breaks since the last chunk; the first one starts a paragraph

    def add(self, text: str) -> Iterator[Chunk]:
        """The chunks that are complete, however the text continues."""
        self.text, self.at = fit(self.text[self.at :] + text), 0
        while self._skip_gap():
            if end := self.end.search(self.text, self.at, self.at + LONGEST + 3):
                yield from self._chunks(end.start())
            elif len(self.text) - self.at > LONGEST + 3:
                yield from self._chunks(len(self.text))
            else:
                break

    def finish(self) -> Iterator[Chunk]:
        """The chunks of what is left."""
        while self._skip_gap():
            yield from self._chunks(len(self.text))

    def _skip_gap(self) -> bool:
        """Go to the next word; return whether there is one."""
        gap = _GAP.match(self.text, self.at)
        assert gap is not None
        breaks = gap[0].count("\n")
        self.at, self.gap, self.line = gap.end(), self.gap + breaks, self.line + breaks
        return self.at < len(self.text)

    def _chunks(self, end: int) -> Iterator[Chunk]:
        """The text up to there, or what of it is not too long, as a chunk for each paragraph."""
        start, cut = self.at, self._cut(end)
        text = self.text[start:cut].rstrip(" \n")
        ends = [*(meant_breaks(text) if self.guessed else ()), len(text)]
        if cut < end and len(ends) > 1 and ends[-2] > len(text) // 2:
            ends.pop()  # the next paragraph is cut where it is too long, not here
        for number, at in enumerate(ends):
            if number:
                self._skip_gap()
            yield self._chunk(start + at)
            self.ended = at < len(text)

    def _cut(self, end: int) -> int:
        """Where text up to there has to be cut, because it, or a word of it, is too long."""
        if word := _TOO_LONG.search(self.text, self.at, min(end, self.at + LONGEST)):
            return _best_cut(self.text, word.start(), LONGEST_WORD)
        return _best_cut(self.text, self.at, LONGEST) if end - self.at > LONGEST else end

    def _chunk(self, end: int) -> Chunk:
        """The text up to there as a chunk."""
        text = self.text[self.at : end].rstrip(" \n")
        if self.gap >= self.breaks or self.ended:
            self.paragraph, self.number = self.paragraph + 1, 0
        self.number += 1
        line = self.line
        self.at, self.gap, self.line = self.at + len(text), 0, line + text.count("\n")
        glued = self.at < len(self.text) and not self.text[self.at].isspace()
        return Chunk(text, self.paragraph, self.number, line, glued, self.whole)


def _best_cut(text: str, start: int, length: int) -> int:
    """Where to cut text that is too long: after a sentence if there is one, or a word, or at least a whole letter."""
    end = start + length
    if ends := [match.end() for match in _SENTENCE_END.finditer(text, start + length // 2, end)]:
        return ends[-1]
    space = max(text.rfind(" ", start, end), text.rfind("\n", start, end))
    if space > start:
        return space
    cuts = range(end, end - _LONGEST_LETTER, -1)
    return next((cut for cut in cuts if not _continues(text, cut)), end)


def _continues(text: str, at: int) -> bool:
    """Whether what stands there belongs to the letter before it: an accent, or the next part of an emoji."""
    return text[at - 1] == _ZERO_WIDTH_JOINER or unicodedata.category(text[at]) in ("Mn", "Mc", "Me", "Cf", "Sk")
