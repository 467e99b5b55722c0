"""Silver: a treebank that teachers have made of text. It is learned from beside gold, and never scored on."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from arctag.blocks.flat import Flat, Table
from arctag.columns import STANDARD as COLUMNS
from arctag.encodings.labels import offsets_of
from arctag.errors import InputError
from arctag.formats import read
from arctag.graph import BoolArray
from arctag.layers import STANDARD, Standard
from arctag.layers.columns import BLANK
from arctag.layers.filled import Places
from arctag.layers.graphs import GraphLayer
from arctag.sentence import Sentence
from arctag.training import checkpoint
from arctag.training.config import TrainConfig
from arctag.training.labelling import Labelling
from arctag.training.teachers import find_teachers
from arctag.training.treebanks import Treebank
from arctag.transforms import empty_nodes

NAME = "silver"
_ALWAYS_FILLED = ("UPOS", "LEMMA", "HEAD")
_MOST = 0.99  # of the sentences of a treebank


def silver_folder(config: TrainConfig) -> Path:
    """Where the labelled text is: in the folder that was named, else in that of the run until this is finished."""
    return Path(config.silver) if config.silver else Path(config.output) / checkpoint.FOLDER / checkpoint.SILVER


def plan_labelling(config: TrainConfig, gold: Sequence[Treebank], device: str | None) -> tuple[Labelling, Places]:
    """How the text of a run is labelled, and the layers that it then has."""
    learned: Places = {}
    for treebank in gold:
        for name, place in treebank.layers.items():
            if config.silver_of(name):
                learned.setdefault(name, place)
    if not learned:
        raise InputError("every layer is left out of the silver: there is nothing for a teacher to label")
    teachers = find_teachers(config.teacher, learned)
    labelling = Labelling(config.unlabelled, config.unlabelled_format, teachers, silver_folder(config), device)
    taught = {name for teacher in teachers for name in teacher.layers}
    return labelling, {name: _place(name, place) for name, place in learned.items() if name in taught}


def _place(name: str, place: Standard) -> Standard:
    """Where teachers write a layer: in its own column of CoNLL-U, or in one that has its name."""
    return STANDARD.get(name, Standard(place.kind, name))


def sparse_layers(gold: Sequence[Treebank]) -> set[str]:
    """The layers of graphs in which a sentence may well have no arc, as in PropBank one without a predicate."""
    return {
        name
        for treebank in gold
        for name, place in treebank.layers.items()
        if place.kind == "graph" and np.mean(_has_arcs(treebank.train, place)) < _MOST
    }


def read_silver(file: Path, layers: Places, empty: str, sparse: Container[str] = ()) -> Treebank:
    """The labelled text as a treebank, without the sentences that a teacher could not label.

    That a graph has no arc shows it, except in the layers that are sparse.
    """
    if not file.is_file():  # another process was to label it
        raise InputError(f"{file} is not there: the text was not labelled")
    treat = empty_nodes.TREATMENTS[empty]
    sentences = [treat(sentence) for sentence in read(file, on_error=lambda _: None) if not sentence.error]
    sentences = [sentence for sentence in sentences if sentence.size]
    labelled = _labelled(Flat(sentences), {name: place for name, place in layers.items() if name not in sparse})
    kept = [sentence for sentence, good in zip(sentences, labelled.tolist(), strict=True) if good]
    if not kept:
        raise InputError("the unlabelled text has no sentence that the teachers could label")
    return Treebank(NAME, kept, [], layers, silver=True)


def _labelled(flat: Flat, layers: Places) -> BoolArray:
    """Which sentences have every layer; columns in which a blank is a value are not looked at."""
    good = np.ones(len(flat.sentences), dtype=np.bool_)
    for place in layers.values():
        if place.kind == "graph":
            good &= _has_arcs(flat.sentences, place)
        elif place.column in _ALWAYS_FILLED:
            texts = Table()
            numbers = flat.column(COLUMNS.index(place.column), texts)
            blank = list(texts).index(BLANK) if BLANK in texts else -1
            sums = np.cumsum(numbers == blank)
            good &= np.diff(np.concatenate([[0], sums[offsets_of(flat.sizes)[1:] - 1]])) == 0
    return good


def _has_arcs(sentences: Sequence[Sentence], place: Standard) -> BoolArray:
    return np.diff(GraphLayer.graphs_in(sentences, place.column).arcs.starts) > 0


def mixed(gold: Sequence[Treebank], silver: Treebank, repeat: int | None) -> list[Treebank]:
    """Gold and silver; gold is read so often in an epoch that it is about a third of its words, or as often as said."""
    words = sum(treebank.words * treebank.repeat for treebank in gold)
    times = repeat or max(1, round(silver.words / (2 * words)))
    return [*(replace(treebank, repeat=treebank.repeat * times) for treebank in gold), silver]
