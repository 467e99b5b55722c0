"""Counts on flat arrays are those of plain Python, whatever sentences are made of."""

from __future__ import annotations

import random
import re
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arctag import Graph, Sentence, read
from arctag.metrics import METRICS, score
from arctag.metrics.tokens import SPACES
from tests.metrics.material import FEATS
from tests.metrics.plain_counts import conll_counts, elas_counts, sdp_counts
from tests.places import SAMPLES

Token = tuple[str, list[str]]  # its form, and its words if it is a multiword token
RELATIONS = ("obl", "obl:x", "obl:y", "nsubj", "conj:a>1.1>obj", "conj:b>1.1>obj", "punct")
TREE_RELATIONS = (*RELATIONS, "case", "case:x", "det")
TAGS = ("VB", "NN", "_")
seeds = st.integers(0, 2**32)


def random_tokens(rng: random.Random, forms: tuple[str, ...]) -> list[list[Token]]:
    return [
        [(rng.choice(forms), rng.choice(([], [], [], ["a", "b"]))) for _ in range(rng.randint(1, 4))]
        for _ in range(rng.randint(1, 5))
    ]


def with_empty_nodes(ids: list[str], rng: random.Random) -> list[str]:
    return [name for word in ids for name in ([word] if rng.random() < 0.9 else [word, f"{word}.1"])]


def conllu(rng: random.Random, sentences: list[list[Token]]) -> str:
    """Sentences of these tokens with random trees, graphs, tags and empty nodes."""
    lines: list[str] = []
    for number, sentence in enumerate(sentences):
        lines.append(f"# sent_id = s{number}")
        count = sum(len(parts) or 1 for _, parts in sentence)
        words = [str(i + 1) for i in range(count)]
        nodes = with_empty_nodes(words, rng)
        forms = iter(part for form, parts in sentence for part in parts or [form])
        starts, word = {}, 1
        for form, parts in sentence:
            if parts:
                starts[str(word)] = f"{word}-{word + len(parts) - 1}\t{form}" + "\t_" * 8
            word += len(parts) or 1
        for name in nodes:
            if name in starts:
                lines.append(starts[name])
            heads = sorted({rng.choice(["0", *nodes]) for _ in range(rng.randint(0, 3))}, key=float)
            deps = "|".join(
                f"{head}:{relation}" for head in heads for relation in rng.sample(RELATIONS[:4], rng.choice((1, 1, 2)))
            )
            tree = rng.random() < 0.9 and "." not in name
            head, deprel = (str(rng.randint(0, count)), rng.choice(TREE_RELATIONS)) if tree else ("_", "_")
            form = "gap" if "." in name else next(forms)
            tags = [rng.choice(cells) for cells in (("_", "a", "b"), TAGS, TAGS, FEATS)]
            lines.append("\t".join([name, form, *tags, head, deprel, deps or "_", "_"]))
        lines.append("")
    return "\n".join(lines) + "\n"


def sdp(rng: random.Random, sentences: list[list[str]]) -> str:
    """Sentences of these words with random graphs, predicates and frames."""
    lines = ["#SDP 2015"]
    for number, words in enumerate(sentences):
        lines.append(f"#{number + 1}")
        predicates = [rng.random() < 0.5 for _ in words]
        for i, word in enumerate(words):
            flags = [rng.choice("+-"), "+" if predicates[i] else "-", rng.choice(("_", "f", "g"))]
            arguments = [rng.choice(("_", "_", "A", "B")) for _ in range(sum(predicates))]
            lines.append("\t".join([str(i + 1), word, "_", rng.choice(TAGS), *flags, *arguments]))
        lines.append("")
    return "\n".join(lines) + "\n"


def random_graph(rng: random.Random, n: int) -> Graph:
    arcs = [(rng.randint(0, n), rng.randint(1, n), rng.choice(RELATIONS)) for _ in range(rng.randint(0, 2 * n))]
    return Graph(n, arcs)


def edited(rng: random.Random, sentence: Sentence) -> Sentence:
    """Perhaps no longer what its block has."""
    match rng.randint(0, 6):
        case 0:
            return sentence.with_graph(random_graph(rng, sentence.size))
        case 1:
            return Sentence(sentence.rows, sentence.graph, format=sentence.format)
        case 2 if sentence.format == "conllu":
            return sentence.with_columns({6: ["0"] * sentence.size, 7: ["root"] * sentence.size})
        case 3:
            return sentence.with_columns({3: ["VB"] * sentence.size}).replace(comments=())
        case _:
            return sentence


def sentences_of(path: Path, text: str, rng: random.Random) -> list[Sentence]:
    path.write_text(text, encoding="utf-8")
    sentences = list(read(path))
    return [edited(rng, sentence) for sentence in sentences] if rng.random() < 0.5 else sentences


def found(metric: str, gold: list[Sentence], system: list[Sentence]) -> list[list[int]]:
    counts: list[list[int]] = METRICS[metric].count(gold, system).tolist()
    return counts


@given(seeds, st.booleans())
def test_aligned_counts_are_the_plain_ones(tmp_path_factory: pytest.TempPathFactory, seed: int, odd: bool) -> None:
    rng = random.Random(seed)
    tokens = random_tokens(rng, ("a", "b", "a b", " ", "\u00a0", "é") if odd else ("a", "b", "ab", "é"))
    folder = tmp_path_factory.mktemp("files")
    gold, system = (sentences_of(folder / f"{name}.conllu", conllu(rng, tokens), rng) for name in ("gold", "system"))
    merged = [[token for sentence in tokens for token in sentence]]
    other = sentences_of(folder / "other.conllu", conllu(rng, merged), rng)
    for one, two in ((gold, system), (gold, other), (other, gold)):
        assert found("elas", one, two) == elas_counts(one, two)
        assert found("conll", one, two) == conll_counts(one, two)


@given(seeds)
def test_sdp_counts_are_the_plain_ones(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    rng = random.Random(seed)
    words = [[rng.choice("ab") for _ in range(rng.randint(1, 5))] for _ in range(rng.randint(1, 4))]
    tokens: list[list[Token]] = [[(word, []) for word in some] for some in words]
    folder = tmp_path_factory.mktemp("files")
    files = [
        sentences_of(folder / f"{i}.{name}", text, rng)
        for i in range(2)
        for name, text in (("sdp", sdp(rng, words)), ("conllu", conllu(rng, tokens)))
    ]
    for gold in files:
        for system in files:
            assert found("sdp", gold, system) == sdp_counts(gold, system)


@pytest.mark.parametrize(
    ("name", "metric"),
    [*(("sample.conllu", metric) for metric in METRICS), ("sample.sdp", "sdp"), ("sample.sdp", "elas")],
)
def test_counts_of_the_samples_are_the_plain_ones(name: str, metric: str) -> None:
    rng = random.Random(1)
    gold = list(read(SAMPLES / name))
    system = [s.with_graph(random_graph(rng, s.size)) if rng.random() < 0.3 else s for s in gold]
    plain = {"elas": elas_counts, "conll": conll_counts, "sdp": sdp_counts}[metric]
    assert found(metric, gold, system) == plain(gold, system)


def test_elas_reads_trees_of_sentences_whose_graphs_were_not_read(sample: Path) -> None:
    words = list(read(sample, words_only=True))
    assert score(words, words, "elas").figures["UAS"]["f1"] == 100.0


def test_elas_spaces_are_the_space_separators() -> None:
    pattern = re.compile(f"[{SPACES}]")
    characters = map(chr, range(sys.maxunicode + 1))
    assert all(bool(pattern.match(c)) == (unicodedata.category(c) == "Zs") for c in characters)
