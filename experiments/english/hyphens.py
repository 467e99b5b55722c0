"""Split words with hyphens as English EWT does: text for teachers, in the words that models read.

    python experiments/english/hyphens.py TREEBANK.conllu TEXT.txt.xz … -o FOLDER

EWT has `well - known` in three words, and `e-mail` in one. A word is left whole if the treebank has it, or others that
begin as it does (`non-`), more often whole than split; else it is split at hyphens between letters. Each file becomes
one of tokens: a sentence per line.
"""

from __future__ import annotations

import argparse
import lzma
import re
from collections import Counter
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

from arctag import Sentence, read

_HYPHEN = re.compile(r"(?<=[^\W_])(-)(?=[^\W\d_])")  # `mid-1990s` and `2010-12` stay
_ADDRESS = re.compile(r"[@/]|www\.|\.\w+$")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebank", type=Path)
    parser.add_argument("texts", type=Path, nargs="+")
    parser.add_argument("-o", "--output", type=Path, required=True, help="a folder")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take every Nth sentence alone")
    parser.add_argument("--skip", type=int, default=0, metavar="N", help="without the first N")
    options = parser.parse_args()
    counts = balance(read(options.treebank))
    options.output.mkdir(parents=True, exist_ok=True)
    for path in options.texts:
        name = path.name.split(".")[0] + ".tok"
        with (
            lzma.open(path, "rt", encoding="utf-8") as lines,
            (options.output / name).open("w", encoding="utf-8") as out,
        ):
            some = islice(lines, options.skip, None, options.every)
            out.writelines(" ".join(w for word in line.split() for w in split(word, counts)) + "\n" for line in some)


def balance(treebank: Iterable[Sentence]) -> Counter[str]:
    """How much more often words with hyphens are whole than split, by word and by what they begin with (`co-`)."""
    counts = Counter[str]()
    for sentence in treebank:
        words = [word.lower() for word in sentence.words]
        counts.update(
            key for word in words if _HYPHEN.search(word) and not _ADDRESS.search(word) for key in _keys(word)
        )
        triples = zip(words, words[1:], words[2:], strict=False)
        counts.subtract(key for three in triples if three[1] == "-" for key in _keys("".join(three)))
    return counts


def split(word: str, counts: Counter[str]) -> list[str]:
    """A word, or its parts."""
    if not _has_hyphen(word):
        return [word]
    known = next((counts[key] for key in _keys(word.lower()) if counts[key]), 0)
    return [word] if known > 0 else [part for part in _HYPHEN.split(word) if part]


def _has_hyphen(word: str) -> bool:
    return _HYPHEN.search(word) is not None and not _ADDRESS.search(word)


def _keys(word: str) -> tuple[str, str]:
    return word, word.partition("-")[0] + "-"


if __name__ == "__main__":
    main()
