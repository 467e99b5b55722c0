"""Systems for the tests of scores: a treebank with faults in every column, in its tokens and in its sentences."""

from __future__ import annotations

import random

Rows = list[list[str]]  # of one sentence; no empty nodes
RELATIONS = ("nsubj", "nsubj:pass", "obl", "obl:arg", "case", "det", "mark", "aux:pass", "cc", "punct", "root", "other")
FEATURES = ("Case=Nom", "Number=Plur", "Tense=Past", "PronType=Prs", "Number[psor]=Sing", "Style=Coll", "_")


def rows_of(text: str) -> list[Rows]:
    """The sentences of a CoNLL-U file without empty nodes."""
    blocks = text.strip("\n").split("\n\n")
    return [[line.split("\t") for line in block.splitlines() if not line.startswith("#")] for block in blocks]


def text_of(sentences: list[Rows]) -> str:
    """The text of a CoNLL-U file."""
    return "".join("".join("\t".join(row) + "\n" for row in rows) + "\n" for rows in sentences)


def damaged(sentences: list[Rows], rng: random.Random, rate: float, *, roots: bool = False) -> list[Rows]:
    """Sentences of the same text with faults in about this share of everything; perhaps with several roots."""
    out: list[Rows] = []
    for sentence in sentences:
        rows = [list(row) for row in sentence]
        for row in _words(rows):
            _damage_cells(row, rng, rate)
        _move_heads(rows, rng, rate, roots)
        rows = _without_ranges(rows, rng, rate)
        rows = _split(rows, rng, rate / 4)
        if out and rng.random() < rate / 4:
            out[-1] = _joined(out[-1], rows)
        else:
            out.append(rows)
    return out


def _words(rows: Rows) -> Rows:
    return [row for row in rows if "-" not in row[0]]


def _damage_cells(row: list[str], rng: random.Random, rate: float) -> None:
    def hit() -> bool:
        return rng.random() < rate / 4

    if hit():
        row[2] = rng.choice(("_", row[1], row[2].upper()))
    if hit():
        row[3] = rng.choice(("NOUN", "VERB", "_"))
    if hit():
        row[4] = rng.choice(("NN", "_"))
    if hit():
        kept = [feature for feature in row[5].split("|") if feature != "_" and rng.random() < 0.7]
        row[5] = "|".join([rng.choice(FEATURES), *kept[::-1]])
    if hit() and row[6] != "0":
        row[7] = rng.choice(RELATIONS)
    if hit():
        row[8] = f"{row[6]}:{row[7]}"


def _move_heads(rows: Rows, rng: random.Random, rate: float, roots: bool) -> None:
    """Give some words another head, so that there is still no cycle."""
    words = _words(rows)
    heads = [0, *(int(row[6]) for row in words)]
    for number, row in enumerate(words, start=1):
        if row[6] == "0" or rng.random() > rate / 4:
            continue
        head = above = rng.randint(0 if roots else 1, len(words))
        while above not in (0, number):
            above = heads[above]
        if above == 0:
            heads[number], row[6] = head, str(head)


def _without_ranges(rows: Rows, rng: random.Random, rate: float) -> Rows:
    """Take the words of some multiword tokens for tokens, where their forms spell it."""
    forms = {row[0]: row[1] for row in rows}
    out = []
    for row in rows:
        first, dash, last = row[0].partition("-")
        parts = [forms[str(i)] for i in range(int(first), int(last) + 1)] if dash else []
        if not dash or "".join(parts) != row[1] or rng.random() > rate:
            out.append(row)
    return out


def _split(rows: Rows, rng: random.Random, rate: float) -> Rows:
    """Cut some tokens in two."""
    covered: set[int] = set()
    for row in rows:
        if "-" in row[0]:
            first, last = map(int, row[0].split("-"))
            covered.update(range(first, last + 1))
    cut = [
        row[0].isdigit()
        and int(row[0]) not in covered
        and len(row[1]) > 1
        and " " not in row[1]
        and rng.random() < rate
        for row in rows
    ]
    new, count = {"0": "0"}, 0
    for row, two in zip(rows, cut, strict=True):
        if row[0].isdigit():
            new[row[0]] = str(count + 1)
            count += 1 + two
    out = []
    for row, two in zip(rows, cut, strict=True):
        moved = _renumbered(row, new)
        out.append(moved)
        if two:
            out.append(
                [str(int(moved[0]) + 1), row[1][1:], *row[2:6], moved[0], "goeswith", f"{moved[0]}:goeswith", "_"]
            )
            moved[1] = row[1][:1]
    return out


def _renumbered(row: list[str], new: dict[str, str]) -> list[str]:
    name = "-".join(new[part] for part in row[0].split("-"))
    deps = [dep.split(":", 1) for dep in row[8].split("|")] if row[8] != "_" else []
    moved = "|".join(f"{new[head]}:{relation}" for head, relation in deps) or "_"
    return [name, *row[1:6], new.get(row[6], row[6]), row[7], moved, row[9]]


def _joined(first: Rows, second: Rows) -> Rows:
    """Two sentences as one; the root of the second depends on the first word."""
    before = len(_words(first))
    new = {str(i): str(i + before) for i in range(1, len(_words(second)) + 1)}
    rows = [_renumbered(row, {**new, "0": "0"}) for row in second]
    for row in rows:
        if row[6] == "0":
            row[6:8] = ["1", "parataxis"]
    return [*first, *rows]
