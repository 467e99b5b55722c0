"""What the tests of the metrics share: reference figures, small sentences, random corpora and files."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from arctag import Graph, Sentence
from tests.places import SHARED
from tests.strategies import graphs

FEATS = ("_", "Case=Nom", "Case=Nom|Number=Sing", "Number=Sing|Case=Nom", "Case=Nom|Odd=Yes", "Number[psor]=Sing")


def reference(folder: str) -> Path:
    """A folder of files with the official scorer's figures; the test is skipped where it is absent."""
    path = SHARED / "reference" / folder
    if not (path / "expected.json").exists():
        pytest.skip(f"no reference data in {path} (set ARCTAG_SHARED)")
    return path


def expected(folder: Path, system: str) -> Any:
    """The official figures of a system file."""
    return json.loads((folder / "expected.json").read_text())[system]


def sentence(words: str, *arcs: tuple[int, int, str], tags: str | None = None) -> Sentence:
    """A sentence from words with spaces between them, and arcs."""
    forms = words.split()
    return Sentence.from_words(
        forms, Graph(len(forms), arcs), tags=tags.split() if tags else None, sent_id=words.replace(" ", "-")
    )


def conllu(path: Path, text: str) -> Path:
    """Write a CoNLL-U file from lines of `id form head deprel deps`; a blank line ends a sentence."""
    lines = []
    for line in text.strip().splitlines():
        cells = line.split()
        if len(cells) == 5:
            number, form, head, deprel, deps = cells
            lines.append("\t".join([number, form, "_", "_", "_", "_", head, deprel, deps, "_"]))
        else:
            lines.append(line.strip())
    path.write_text("\n".join(lines) + "\n\n")
    return path


@st.composite
def corpora(draw: st.DrawFn, systems: int = 1) -> tuple[list[Sentence], ...]:
    """Several annotations of the same sentences."""
    sizes = draw(st.lists(st.integers(1, 5), min_size=1, max_size=4))
    tags = [[draw(st.sampled_from(("VERB", "NOUN"))) for _ in range(size)] for size in sizes]
    labels = st.sampled_from(("a", "a:x", "b", "root"))
    return tuple(
        [
            Sentence.from_words(
                [f"w{i}" for i in range(len(some))], draw(graphs(labels=labels, words=len(some))), tags=some
            )
            for some in tags
        ]
        for _ in range(1 + systems)
    )


def random_text(rng: random.Random) -> str:
    """A short text over two letters, so that forms are often the same by chance."""
    return "".join(rng.choice("ab") for _ in range(rng.randint(1, 14)))


def random_conllu(rng: random.Random, text: str) -> str:
    """The text as a random CoNLL-U file: any tokens, multiword tokens, sentences, trees and graphs."""
    lines: list[str] = []
    while text:
        length = rng.randint(1, len(text))
        lines.extend(_random_sentence(rng, text[:length]))
        lines.append("")
        text = text[length:]
    return "\n".join(lines) + "\n"


def _random_sentence(rng: random.Random, text: str) -> list[str]:
    tokens: list[tuple[str, list[str]]] = []
    while text:
        length = min(rng.choice((1, 1, 2, 3)), len(text))
        inner = rng.choice((0, 0, 0, 2, 3))
        tokens.append((text[:length], [rng.choice(("a", "b", "B", "ab")) for _ in range(inner)]))
        text = text[length:]
    lines: list[str] = []
    count = sum(len(parts) or 1 for _, parts in tokens)
    word = 0
    for form, parts in tokens:
        if parts:
            lines.append("\t".join([f"{word + 1}-{word + len(parts)}", form, *"_" * 8]))
        for part in parts or [form]:
            word += 1
            lines.append("\t".join(_random_word(rng, word, part, count)))
    return lines


def _random_word(rng: random.Random, word: int, form: str, count: int) -> list[str]:
    head = 0 if word == 1 else rng.randint(1, word - 1)
    deprel = "root" if head == 0 else rng.choice(("obj", "obl:x", "obl", "case", "case:x", "det", "punct", "strange"))
    pairs = {
        (rng.randint(0, min(count, 3)), rng.choice(("obl:x", "obl", "obl:y>1.1>conj:z", "obl>1.1>conj")))
        for _ in range(rng.randint(0, 3))
    }
    deps = "|".join(f"{h}:{relation}" for h, relation in sorted(pairs)) or "_"
    tags = [rng.choice(cells) for cells in (("_", "a", "b"), ("X", "Y"), ("_", "x"), FEATS)]
    return [str(word), form, *tags, str(head), deprel, deps, "_"]
