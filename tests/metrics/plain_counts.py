"""The counts of all metrics word by word, in plain Python: the oracle of those on flat arrays."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator

from arctag import Sentence
from arctag.metrics.alignment import Words, align, same_spans, words_of
from arctag.metrics.conll import ConllMetric
from arctag.metrics.elas import ElasMetric
from arctag.metrics.graph_scores import universal
from arctag.metrics.sdp import COLUMNS as SDP_COLUMNS
from arctag.metrics.tags import universal_features
from arctag.metrics.tree_scores import CONTENT, FUNCTION
from arctag.transforms import empty_nodes

Dependency = tuple[int, str]  # head (0: root; words of the whole file from 1), relation
Row = dict[str, int]
Tags = tuple[str, str, str, str]  # lemma, UPOS, XPOS, universal features


class Side:
    """One file's dependencies, word by word."""

    def __init__(self, sentences: list[Sentence]) -> None:
        collapsed = [empty_nodes.collapse(sentence) for sentence in sentences]
        self.words: Words = words_of(collapsed)
        self.first: list[int] = []
        self.basic: list[Dependency | None] = []
        self.enhanced: list[list[Dependency]] = [[] for _ in range(len(self.words))]
        self.tags: list[Tags] = []
        for sentence in collapsed:
            before = len(self.basic)
            self.first.append(before)
            self.basic.extend(_basic(sentence, before))
            self.tags.extend((row[2], row[3], row[4], universal_features(row[5])) for row in sentence.node_rows)
            for head, dependent, relation in sentence.graph.triples():
                self.enhanced[before + dependent - 1].append((head and before + head, relation))
        self.function_words: list[list[int]] = [[] for _ in range(len(self.words))]
        for word, arc in enumerate(self.basic):
            if arc is not None and arc[0] and arc[1] in FUNCTION:
                self.function_words[arc[0] - 1].append(word)

    def sentence_of(self, word: int) -> int:
        return bisect_right(self.first, word) - 1

    def renumber(self, names: list[int]) -> None:
        self.basic = [arc and (names[arc[0]], arc[1]) for arc in self.basic]
        self.enhanced = [[(names[head], relation) for head, relation in arcs] for arcs in self.enhanced]


def _basic(sentence: Sentence, before: int) -> Iterator[Dependency | None]:
    for row in sentence.node_rows:
        if sentence.format != "conllu" or row[6] == "_":
            yield None
        else:
            yield int(row[6]) and before + int(row[6]), row[7].split(":")[0]


def elas_counts(gold: list[Sentence], system: list[Sentence]) -> list[list[int]]:
    """One row per gold sentence."""
    return [[row[column] for column in ElasMetric().columns] for row in _rows(gold, system)]


def conll_counts(gold: list[Sentence], system: list[Sentence]) -> list[list[int]]:
    """One row per gold sentence."""
    return [list(row.values()) for row in _rows(gold, system)]


def _rows(gold: list[Sentence], system: list[Sentence]) -> list[Row]:
    ours, theirs = Side(gold), Side(system)
    pairs = align(ours.words, theirs.words)
    names = [0, *(-number for number in range(1, len(theirs.words) + 1))]
    for g, s in pairs:
        names[s + 1] = g + 1
    theirs.renumber(names)
    places = [ours.words.sentence_at(start) for start in theirs.words.starts]
    rows = [dict.fromkeys(ConllMetric().columns, 0) for _ in gold]
    _add_spans(rows, "Tokens", ours.words, ours.words.tokens, theirs.words.tokens)
    _add_spans(rows, "Sentences", ours.words, ours.words.sentence_spans, theirs.words.sentence_spans)
    for word in range(len(ours.words)):
        _add_word(rows[ours.sentence_of(word)], "gold", ours.basic[word], ours.enhanced[word])
    for word, place in enumerate(places):
        _add_word(rows[place], "system", theirs.basic[word], theirs.enhanced[word])
    for g, s in pairs:
        row = rows[ours.sentence_of(g)]
        for name in ("Words", "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas"):
            row[f"{name} aligned"] += 1
        row["Words correct"] += 1
        _add_tags(row, ours.tags[g], theirs.tags[s])
        _add_basic(row, ours.basic[g], theirs.basic[s])
        _add_tagged(row, (ours, g), (theirs, s), names)
        _add_enhanced(row, ours.enhanced[g], theirs.enhanced[s])
    return rows


def _add_spans(
    rows: list[Row], name: str, words: Words, gold: list[tuple[int, int]], system: list[tuple[int, int]]
) -> None:
    for side, spans in (("gold", gold), ("system", system), ("correct", [gold[i] for i in same_spans(gold, system)])):
        for start, _ in spans:
            rows[words.sentence_at(start)][f"{name} {side}"] += 1


def _add_word(row: Row, side: str, basic: Dependency | None, enhanced: list[Dependency]) -> None:
    for name in ("Words", "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas"):
        row[f"{name} {side}"] += 1
    if basic is not None:
        row[f"UAS {side}"] += 1
        row[f"LAS {side}"] += 1
        for name in ("CLAS", "MLAS", "BLEX"):
            row[f"{name} {side}"] += basic[1] in CONTENT
    row[f"ELAS {side}"] += len(enhanced)
    row[f"EULAS {side}"] += len(enhanced)


def _add_tags(row: Row, gold: Tags, system: Tags) -> None:
    for name, i in (("UPOS", 1), ("XPOS", 2), ("UFeats", 3)):
        row[f"{name} correct"] += gold[i] == system[i]
    row["AllTags correct"] += gold[1:] == system[1:]
    row["Lemmas correct"] += gold[0] in ("_", system[0])


def _add_tagged(row: Row, gold: tuple[Side, int], system: tuple[Side, int], names: list[int]) -> None:
    """MLAS and BLEX, of a gold word and its partner."""
    (ours, g), (theirs, s) = gold, system
    arc = ours.basic[g]
    if arc is None or arc[1] not in CONTENT:
        return
    row["MLAS aligned"] += 1
    row["BLEX aligned"] += 1
    if arc == theirs.basic[s]:
        row["BLEX correct"] += ours.tags[g][0] in ("_", theirs.tags[s][0])
        row["MLAS correct"] += (
            _morphology(ours, g) == _morphology(theirs, s)
            and [(word + 1, _morphology(ours, word)) for word in ours.function_words[g]]
            == [(names[word + 1], _morphology(theirs, word)) for word in theirs.function_words[s]]
        )  # fmt: skip


def _morphology(side: Side, word: int) -> tuple[str, str, str]:
    arc, (_, upos, _, feats) = side.basic[word], side.tags[word]
    return arc[1] if arc else "", upos, feats


def _add_basic(row: Row, gold: Dependency | None, system: Dependency | None) -> None:
    if gold is None:
        return
    content = gold[1] in CONTENT
    row["UAS aligned"] += 1
    row["LAS aligned"] += 1
    row["CLAS aligned"] += content
    if system is not None and gold[0] == system[0]:
        row["UAS correct"] += 1
        row["LAS correct"] += gold == system
        row["CLAS correct"] += gold == system and content


def _add_enhanced(row: Row, gold: list[Dependency], system: list[Dependency]) -> None:
    row["ELAS aligned"] += 1
    row["EULAS aligned"] += 1
    row["ELAS correct"] += len(set(gold) & set(system))
    counts = Counter([(head, universal(relation)) for head, relation in gold])
    row["EULAS correct"] += sum([counts[head, universal(relation)] for head, relation in system])


def sdp_counts(gold: list[Sentence], system: list[Sentence]) -> list[list[int]]:
    """One row per sentence; the words are the same."""
    pairs = zip(map(empty_nodes.drop, gold), map(empty_nodes.drop, system), strict=True)
    return [_sdp_row(one, other) for one, other in pairs]


def _sdp_row(gold: Sentence, system: Sentence) -> list[int]:
    labelled = [set(s.graph.triples()) for s in (gold, system)]
    unlabelled = [{(head, dependent, "") for head, dependent, _ in some} for some in labelled]
    row = [1]
    for sides in (labelled, unlabelled, *([{t for t in s if t[0]} for s in some] for some in (labelled, unlabelled))):
        row += [len(sides[0]), len(sides[1]), len(sides[0] & sides[1]), int(sides[0] == sides[1])]
    predications = [set(_predications(s)) for s in (gold, system)]
    framed = [some if s.format == "sdp" else set() for s, some in zip((gold, system), predications, strict=True)]
    for ours, theirs in ([{p[:2] for p in some} for some in predications], framed):
        row += [len(ours), len(theirs), len(ours & theirs)]
    assert len(row) == len(SDP_COLUMNS)
    return row


def _predications(sentence: Sentence) -> Iterator[tuple[int, frozenset[tuple[int, str]], str]]:
    """Every verbal predicate with its arguments and its frame."""
    arguments: dict[int, set[tuple[int, str]]] = {}
    for head, dependent, relation in sentence.graph.triples():
        arguments.setdefault(head, set()).add((dependent, relation))
    is_sdp = sentence.format == "sdp"
    for word, row in enumerate(sentence.node_rows, start=1):
        predicate = row[5] == "+" if is_sdp and not sentence.edited else word in arguments
        tag = row[3] if is_sdp or row[4] == "_" else row[4]
        if predicate and tag.startswith("V"):
            yield word, frozenset(arguments.get(word, ())), row[6] if is_sdp else ""
