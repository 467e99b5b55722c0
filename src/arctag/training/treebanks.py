"""Treebanks: the files of a run, and which layers each of them has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arctag.errors import InputError
from arctag.formats import read
from arctag.layers import STANDARD
from arctag.layers.filled import Places, chosen, filled
from arctag.sentence import Sentence
from arctag.training.clashes import File, check_clashes
from arctag.training.config import Further, TrainConfig
from arctag.transforms import empty_nodes

MAIN = ""
"""The name of the treebank of `--train`; others are named after the layer that they bring."""


@dataclass(frozen=True)
class Treebank:
    """Sentences to learn from and to be scored on, and the layers that they have."""

    name: str
    train: list[Sentence]
    dev: list[Sentence]
    layers: Places
    """Where each layer stands, by name."""
    repeat: int = 1
    """How often it is read in an epoch."""
    silver: bool = False
    """Whether teachers have labelled it: what there is to learn is then taken from the others."""

    @property
    def words(self) -> int:
        """How many words there are to learn from."""
        return sum(sentence.size for sentence in self.train)


def read_treebank(files: Sequence[str], empty: str) -> list[Sentence]:
    """The sentences of several files, joined, their empty nodes treated; sentences without words are left out."""
    return _joined(_read_files(files, empty))


def _read_files(files: Sequence[str], empty: str) -> list[File]:
    treat = empty_nodes.TREATMENTS[empty]
    read_ones = [File(file, [treat(sentence) for sentence in read(file)]) for file in files]
    if files and not any(file.sentences for file in read_ones):
        raise InputError(f"no sentence in {', '.join(files)}")
    return [File(name, [sentence for sentence in sentences if sentence.size]) for name, sentences in read_ones]


def _joined(files: Sequence[File]) -> list[Sentence]:
    return [sentence for file in files for sentence in file.sentences]


def read_treebanks(config: TrainConfig) -> list[Treebank]:
    """All treebanks of a run, the main one first; files that fill a layer differently are an `InputError`."""
    treebanks: list[Treebank] = []
    compared: list[tuple[Places, list[File]]] = []
    for name, named in {MAIN: Further(train=config.train, dev=config.dev), **config.also}.items():
        train, dev = _read_files(named.train, config.empty), _read_files(named.dev, config.empty)
        sentences = _joined(train)
        layers = _further_layers(name, named, sentences) if name else _main_layers(config, sentences)
        treebanks.append(Treebank(name, sentences, _joined(dev), layers, named.repeat))
        compared.append((layers, [*train, *dev]))
    check_clashes(compared)
    return treebanks


def _main_layers(config: TrainConfig, train: Sequence[Sentence]) -> Places:
    """The layers that were asked for, else all that the files fill."""
    layers = chosen(train, config.layers) if config.layers else filled(train)
    if not layers:
        raise InputError("the training files fill no column that could be learned")
    return layers


def _further_layers(name: str, files: Further, train: Sequence[Sentence]) -> Places:
    """The layer that a treebank brings: its graph, unless a column is named."""
    if files.column or name in STANDARD:
        return chosen(train, [f"{name}={files.column}" if files.column else name])
    return {name: chosen(train, ["graph"])["graph"]}
