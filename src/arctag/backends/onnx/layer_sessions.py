"""`LayerSessions`: the ONNX networks of one layer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from arctag.backends.onnx.file import (
    ARC_TABLES,
    RELATION_ARCS,
    RELATION_TABLES,
    TUPLE_ANSWERS,
    tag_answers,
)
from arctag.backends.onnx.sessions import run
from arctag.backends.protocol import Tags
from arctag.errors import InputError
from arctag.layers import LearnedLayer
from arctag.layers.arcs import ArcLayer
from arctag.layers.tuples import RelationTuples
from arctag.layers.types import Floats, Longs
from arctag.modelfile.networks import RELATIONS, WORDS, arcs_file, layer_file

Tables = dict[str, npt.NDArray[Any]]
Width = tuple[int, Sequence[int]]
"""How wide a table must be and, where it holds labels, how many there are in each column."""


@dataclass(frozen=True)
class LayerSessions:
    """What answers about one layer."""

    path: Path
    """The file of its words, for messages."""
    session: Any
    """Of words; None where the network of words knows the layer itself."""
    relations: Any
    """Of arcs; None for a layer that has none."""
    widths: dict[str, Width]
    labels: int
    """How many relations there are."""
    tuples: RelationTuples | None

    @staticmethod
    def files(layer: LearnedLayer) -> list[str]:
        """The files of a layer."""
        has_arcs = isinstance(layer, ArcLayer) and not layer.tuples
        return [layer_file(layer.name), *([arcs_file(layer.name)] if has_arcs else [])]

    @classmethod
    def open(cls, layer: LearnedLayer, folder: Path, opened: Callable[[Path], Any], words: Any = None) -> LayerSessions:
        """The sessions of a layer in a model folder; a network of words that knows the layer itself is given."""
        files = cls.files(layer) if words is None else [WORDS, *[RELATIONS][: len(cls.files(layer)) - 1]]
        session = opened(folder / files[0]) if words is None else words
        widths = _widths(layer)
        if {info.name: info.shape[-1] for info in session.get_outputs()} != {
            n: width for n, (width, _) in widths.items()
        }:
            raise InputError(f"{folder / files[0]}: the network does not fit config.json")
        relations = opened(folder / files[1]) if len(files) > 1 else None
        arcs = layer if isinstance(layer, ArcLayer) else None
        tuples = RelationTuples.of(arcs.tuples) if arcs and arcs.tuples else None
        own = session if words is None else None
        return cls(folder / files[0], own, relations, widths, len(arcs.relations) if arcs else 0, tuples)

    def nothing(self) -> Tables:
        """The tables of a batch without words."""
        kinds = {name: np.int64 if labels else np.float32 for name, (_, labels) in self.widths.items()}
        return {name: np.zeros((1, self.widths[name][0]), kind) for name, kind in kinds.items()}

    def words(self, known: Tables) -> Tables:
        """What the layer knows of nodes, from what the network of words gave."""
        if self.session is None:
            return {name: known[name] for name in self.widths}
        inputs = [info.name for info in self.session.get_inputs()]
        if missing := [name for name in inputs if name not in known]:
            raise InputError(f"{self.path}: the network does not fit inputs.json ({missing[0]})")
        return run(self.session, {name: known[name] for name in inputs})

    def check(self, tables: Tables, nodes: int) -> None:
        """A network from anywhere may answer anything: there must be an answer for each node, and labels that exist."""
        for name, (width, labels) in self.widths.items():
            table = tables[name]
            if table.shape != (nodes, width) or (labels and not _are_labels(table, labels)):
                raise InputError(f"{self.path}: the network does not fit config.json ({name})")

    def tags(self, tables: Tables) -> list[Tags]:
        """The labels of words, for each tag head."""
        count = sum(name.startswith("doubt") for name in self.widths)
        return [_labels(tables, tag_answers(i)) for i in range(count)]

    def by_word(self, tables: Tables, dependents: Longs) -> tuple[Longs, Floats]:
        """The relations of arcs from the tuples of their words."""
        assert self.tuples is not None
        tags = _labels(tables, TUPLE_ANSWERS)
        return self.tuples.relations(tags.best[:, 0], dependents - 1), tags.probability[dependents - 1]

    def arcs(self, tables: Tables, heads: Longs, dependents: Longs) -> Tables:
        """The best relations of arcs, and how much they are in doubt."""
        numbers = dict(zip(RELATION_ARCS, (heads, dependents), strict=True))
        return run(self.relations, {**{name: tables[name] for name in RELATION_TABLES}, **numbers})

    def check_relations(self, best: Longs, count: int) -> None:
        """There must be a relation for each arc."""
        if len(best) != count or not _are_labels(best, self.labels):
            raise InputError(f"{self.path.parent}: the network of relations does not fit config.json")


def _widths(layer: LearnedLayer) -> dict[str, Width]:
    """How wide each table of a layer must be."""
    widths: dict[str, Width] = {}
    for i, sizes in enumerate(layer.sizes):
        best, second, doubt = tag_answers(i)
        widths |= dict.fromkeys((best, second), (len(sizes), sizes)) | {doubt: (len(sizes), ())}
    if not isinstance(layer, ArcLayer):
        return widths
    if layer.tuples:
        best, second, doubt = TUPLE_ANSWERS
        widths |= dict.fromkeys((best, second), (1, (len(layer.tuples),))) | {doubt: (1, ())}
    else:
        widths |= dict.fromkeys(RELATION_TABLES, (layer.relation_hidden, ()))
    if layer.verify or layer.biaffine:
        widths |= {ARC_TABLES[0]: (layer.arc_hidden, ()), ARC_TABLES[1]: (layer.arc_hidden + 1, ())}
    return widths


def _labels(tables: Tables, names: tuple[str, str, str]) -> Tags:
    best, second, doubt = (tables[name][1:] for name in names)
    # the second label differs from the best one in the group that is least certain
    doubtful = np.arange(doubt.shape[1]) == doubt.argmax(-1)[:, None]
    return Tags(best, np.where(doubtful, second, best), np.reciprocal(doubt.prod(-1)))


def _are_labels(numbers: npt.NDArray[Any], counts: Sequence[int] | int) -> bool:
    return bool(((numbers >= 0) & (numbers < np.array(counts))).all())
