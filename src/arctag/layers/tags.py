"""`TagLayer`: one tag a word, whatever it says: UPOS, XPOS, FEATS, a key of MISC, a further column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from arctag.blocks.forms import Forms
from arctag.cells import Numbers
from arctag.columns import STANDARD as UNIVERSAL_COLUMNS
from arctag.encodings.label_space import UNKNOWN
from arctag.encodings.labels import offsets_of
from arctag.errors import InputError
from arctag.graph import BoolArray
from arctag.layers.base import LearnedLayer, Outcome, Output, Question, Selection, Targets
from arctag.layers.columns import BLANK, cells, number_of
from arctag.layers.settings import TagSettings, TagTraining
from arctag.layers.types import Arrays, Counts, Floats, Longs
from arctag.sentence import Sentence

_NEVER_BLANK = ("UPOS", "LEMMA")  # in these columns a blank means that nobody has filled them


class Tagged(NamedTuple):
    """The predicted tags of a batch."""

    sizes: Numbers
    tags: Longs
    """The number of each word's tag."""
    cells: Forms
    """What is written for each word."""
    probabilities: Floats


class TagTargets(Targets):
    """The tags of a treebank by number."""

    def __init__(self, tags: Longs, known: BoolArray) -> None:
        self.tags = tags
        self.known = known
        """Which words have a tag at all, seen in training or not."""

    def batch(self, selection: Selection) -> Arrays:
        """Those of some sentences."""
        return {"tags0": self.tags[selection.words][:, None]}


@dataclass(frozen=True, kw_only=True)
class TagLayer(TagSettings, LearnedLayer):
    """One tag a word."""

    tags: tuple[str, ...]
    """Those that are known, most frequent first."""
    shapes: bool = False

    kind: ClassVar[str] = "tags"
    network: ClassVar[str] = "arctag.backends.torch.heads.tagging:TaggingHead"
    in_labels: ClassVar[tuple[str, ...]] = ("tags",)
    training: ClassVar[type[TagTraining]] = TagTraining

    @property
    def sizes(self) -> tuple[tuple[int, ...], ...]:
        """How many labels each group of each tag head has: one softmax."""
        return ((len(self.tags),),)

    @property
    def written(self) -> tuple[str, ...]:
        """The column, the key of MISC that was learned, or its own name."""
        misc, _, key = self.column.partition(":")
        return (key,) if misc.upper() == "MISC" and key else super().written

    @property
    def summary(self) -> dict[str, Any]:
        """How many tags there are."""
        return {"tags": len(self.tags)}

    def check(self) -> None:
        """There must be tags, each once."""
        super().check()
        if not self.tags or len(set(self.tags)) != len(self.tags):
            raise InputError(f"layer {self.name}: no tags, or one of them twice")

    @classmethod
    def learn(
        cls, name: str, column: str, sentences: Sequence[Sentence], settings: TagTraining
    ) -> tuple[Self, TagTargets]:
        """The layer with the tags of sentences, and what there is to learn from these."""
        wanted = cls.tags_of(sentences, column)
        counts = Counter(tag for tag in wanted if tag is not None)
        known = [tag for tag, count in counts.items() if count >= settings.min_count]
        if not known:
            raise InputError(f"column {column} holds nothing that layer {name} could learn")
        shared = {field.name: getattr(settings, field.name) for field in fields(TagSettings)}
        tags = tuple(sorted(known, key=lambda tag: (-counts[tag], tag)))
        layer = cls(**shared, name=name, column=column, tags=tags)
        return layer, layer._numbered(wanted)

    @classmethod
    def values(cls, sentences: Sequence[Sentence], column: str) -> Counter[str]:
        """The tags; of features their names, since the values of some are many."""
        tags = Counter(cells(sentences, column))
        values: Counter[str] = Counter()
        for tag, count in tags.items():
            for part in tag.split("|") if tag != BLANK else ():
                values[part.partition("=")[0]] += count
        return values

    def targets(self, sentences: Sequence[Sentence]) -> TagTargets:
        """The tags of the sentences by number."""
        return self._numbered(self.tags_of(sentences, self.column))

    @classmethod
    def tags_of(cls, sentences: Sequence[Sentence], column: str) -> list[str | None]:
        """The tag of every word; None where it is not known."""
        found: list[str | None] = list(cells(sentences, column))
        return [None if tag == BLANK else tag for tag in found] if column in _NEVER_BLANK else found

    def _numbered(self, tags: Iterable[str | None]) -> TagTargets:
        numbers: dict[str | None, int] = {tag: number for number, tag in enumerate(self.tags)}
        tags = list(tags)
        known = np.array([tag is not None for tag in tags], dtype=np.bool_)
        return TagTargets(np.array([numbers.get(tag, UNKNOWN) for tag in tags], dtype=np.int64), known)

    def propose(self, question: Question) -> Tagged:
        """The best tag of each word."""
        with question.timer("network"):
            (tags,) = question.answers.tags(self.name)
        best = tags.best[:, 0]
        return Tagged(question.sizes, best, self.cells_of(best, question.words), tags.probability)

    def cells_of(self, tags: Longs, words: Sequence[Sequence[str]]) -> Forms:  # noqa: ARG002
        """What is written for each word."""
        return Forms(tags.astype(np.int32), list(self.tags))

    def conclude(self, question: Question, proposed: Tagged, others: Mapping[str, Any]) -> Tagged:  # noqa: ARG002
        """There is nothing to add."""
        return proposed

    def write(self, sentences: Sequence[Sentence], prediction: Tagged, output: Output) -> list[Sentence]:  # noqa: ARG002
        """The sentences with the tags in their column."""
        ends = offsets_of(prediction.sizes).tolist()
        return [
            self.with_tags(sentence, prediction.cells[start:end])
            for sentence, start, end in zip(sentences, ends, ends[1:], strict=False)
        ]

    def with_tags(self, sentence: Sentence, tags: Forms) -> Sentence:
        """A sentence with these tags in their column."""
        if (number := number_of(sentence, self.column)) is not None:
            return sentence.with_columns({number: tags})
        if self.column in UNIVERSAL_COLUMNS:  # which the format of the sentence does not have
            return sentence
        return sentence.with_layers(columns={self.written[0]: tags})

    def counts(self, gold: Targets, selection: Selection, prediction: Tagged) -> Counts:
        """Right tags, and all that are known in gold; a tag that was never seen is wrong."""
        assert isinstance(gold, TagTargets)
        wanted = gold.tags[selection.words]
        known = np.count_nonzero(gold.known[selection.words])
        return np.array([np.count_nonzero(wanted == prediction.tags), known], dtype=np.float64)

    def outcome(self, counts: Counts, sentences: int) -> Outcome[Self]:  # noqa: ARG002
        """The accuracy."""
        return Outcome(self, {"accuracy": float(100 * counts[0] / max(counts[1], 1))})
