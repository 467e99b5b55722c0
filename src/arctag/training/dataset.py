"""A treebank as the numbers a network learns from, and batches of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from arctag.backends.inputs import Inputs, Tokens
from arctag.encodings.labels import offsets_of
from arctag.layers import LearnedLayer, Selection, Targets
from arctag.layers.types import Arrays, Longs
from arctag.parsing.batches import batches
from arctag.sentence import Sentence


@dataclass
class Dataset:
    """Sentences with the targets of the layers that they have, in flat arrays over the whole treebank."""

    tokens: list[Tokens]
    words: Longs
    """Where the words of each sentence start."""
    targets: Mapping[str, Targets]
    """By the names of layers."""
    repeat: int = 1
    """How often it is read in an epoch."""

    @classmethod
    def build(
        cls, sentences: Sequence[Sentence], targets: Mapping[str, Targets], repeat: int = 1, tags: bool = True
    ) -> Dataset:
        """Sentences whose targets are known; without tags where no encoder reads them."""
        words = offsets_of([sentence.size for sentence in sentences])
        # forms: numbers, not strings, of which there may be millions
        return cls([Tokens(s.forms, s.tags if tags else ()) for s in sentences], words, targets, repeat)

    @classmethod
    def of(cls, layers: Sequence[LearnedLayer], sentences: Sequence[Sentence]) -> Dataset:
        """Sentences in the labels of layers."""
        return cls.build(sentences, {layer.name: layer.targets(sentences) for layer in layers})

    def __len__(self) -> int:
        return len(self.tokens)

    def selection(self, chosen: Sequence[int]) -> Selection:
        """Some sentences by number."""
        return Selection.of(chosen, self.words)

    def batch(self, chosen: Sequence[int], inputs: Inputs) -> tuple[Arrays, dict[str, Arrays]]:
        """The inputs of these sentences, and the targets of each layer."""
        selection = self.selection(chosen)
        targets = {name: layer.batch(selection) for name, layer in self.targets.items()}
        return inputs.arrays([self.tokens[i] for i in chosen]), targets

    def shuffled(self, tokens: int, seed: Sequence[int], costs: Sequence[int]) -> list[list[int]]:
        """Batches of sentences of like length, in a random order that depends on the seed alone."""
        random = np.random.default_rng(list(seed))
        order = random.permutation(len(self))
        shuffled = [[int(order[i]) for i in batch] for batch in batches([costs[i] for i in order], tokens)]
        random.shuffle(shuffled)
        return shuffled


@dataclass
class Mixture:
    """Several treebanks; a batch comes from one of them."""

    parts: list[Dataset]

    def costs(self, inputs: Inputs) -> list[list[int]]:
        """What each sentence of each treebank counts for in a batch."""
        return [inputs.costs(part.tokens) for part in self.parts]

    def shuffled(self, tokens: int, seed: Sequence[int], costs: Sequence[Sequence[int]]) -> list[tuple[int, list[int]]]:
        """The batches of an epoch, each with the number of its treebank, in an order that depends on the seed alone."""
        everything = [
            (number, batch)
            for number, part in enumerate(self.parts)
            for time in range(part.repeat)
            for batch in part.shuffled(tokens, (*seed, number, time) if number or time else seed, costs[number])
        ]
        if len(self.parts) > 1:
            np.random.default_rng([*seed, len(self.parts)]).shuffle(everything)
        return everything
