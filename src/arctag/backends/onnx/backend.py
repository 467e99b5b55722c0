"""`OnnxBackend`: an exported network, run by ONNX Runtime."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Self, TypeVar

import numpy as np
import numpy.typing as npt

from arctag.backends.onnx.feeds import sentence_feeds
from arctag.backends.onnx.file import (
    ARC_TABLES,
    RELATION_ANSWERS,
    RELATION_ARCS,
    RELATION_TABLES,
    SUBWORDS,
    TUPLE_ANSWERS,
    VECTORS,
    tag_answers,
)
from arctag.backends.onnx.sessions import open_session, providers, run
from arctag.backends.onnx.windows import Windows
from arctag.backends.protocol import Backend, Tags
from arctag.backends.tuples import RelationTuples
from arctag.backends.types import Arrays, Floats, Longs
from arctag.cores import usable_threads
from arctag.encodings.labels import offsets_of
from arctag.errors import InputError
from arctag.modelfile.config import ModelConfig
from arctag.modelfile.networks import ENCODER, RELATIONS, WORDS

T = TypeVar("T")
Job = TypeVar("Job")
_SUBWORDS_AT_A_TIME, _WORDS_AT_A_TIME, _ARCS_AT_A_TIME = 640, 512, 512


@dataclass(frozen=True)
class State:
    """What the network knows of the nodes of a batch."""

    lengths: Longs
    tables: dict[str, npt.NDArray[Any]]
    """By name, with a row for each node: the root, then the words."""


class OnnxBackend(Backend):
    """The sessions of an exported model."""

    def __init__(self, config: ModelConfig, folder: Path, device: str | None = None, threads: int = 0) -> None:
        self.config, self.folder, self.device = config, folder, device or "cpu"
        self.threads = threads or usable_threads()
        self._tuples = RelationTuples.of(config.tuples) if config.tuples else None
        names = [WORDS, *([RELATIONS] if self._tuples is None else [])]
        if (folder / ENCODER).is_file():
            names.append(ENCODER)
        opened = partial(open_session, where=providers(self.device))
        with ThreadPoolExecutor(2) as pool:  # opening takes a while, and ONNX Runtime lets others work meanwhile
            self._sessions = dict(zip(names, pool.map(opened, [folder / name for name in names]), strict=True))
        self._pool = ThreadPoolExecutor(self.threads)  # which starts threads when there is work for them
        self._widths = _widths(config)
        self._input_names = {info.name for info in self._sessions[WORDS].get_inputs()}
        if VECTORS in self._input_names and ENCODER not in names:
            raise InputError(f"{folder} is not a model folder: {ENCODER} is missing")
        results = {info.name: info.shape[-1] for info in self._sessions[WORDS].get_outputs()}
        if results != {name: width for name, (width, _) in self._widths.items()}:
            raise InputError(f"{folder / WORDS}: the network does not fit config.json")

    @classmethod
    def load(cls, config: ModelConfig, folder: Path, device: str | None = None) -> Self:
        """From the ONNX files in a model folder."""
        return cls(config, folder, device)

    def save(self, folder: Path) -> None:
        """Copy the files."""
        for name in self._sessions:
            if not (self.folder / name).is_file():
                raise InputError(f"{self.folder / name} is gone since the model was loaded: there is nothing to copy")
            shutil.copyfile(self.folder / name, folder / name)

    def read(self, arrays: Arrays) -> State:
        """Run the network over a batch; the state is passed to the other methods."""
        lengths = arrays["lengths"]
        if not lengths.sum():
            kinds = {name: np.int64 if labels else np.float32 for name, (_, labels) in self._widths.items()}
            return State(lengths, {name: np.zeros((1, self._widths[name][0]), kind) for name, kind in kinds.items()})
        feeds: dict[str, npt.NDArray[Any]] = dict(arrays)
        if VECTORS in self._input_names:
            feeds[VECTORS] = self._vectors(arrays)

        def answer(job: tuple[int, int]) -> dict[str, npt.NDArray[Any]]:
            inputs = sentence_feeds(feeds, *job)
            if missing := self._input_names - inputs.keys():
                raise InputError(f"{self.folder / WORDS}: the network does not fit inputs.json ({missing.pop()})")
            return run(self._sessions[WORDS], {name: inputs[name] for name in self._input_names})

        tables = _joined(self._each(answer, self._sentences(lengths)))
        self._check(tables, int(lengths.sum()) + 1)
        return State(lengths, tables)

    def join(self, states: Iterable[tuple[State, Longs]], lengths: Longs) -> State:
        """One state for the given words of several."""
        tables: dict[str, npt.NDArray[Any]] = {}
        at = 1
        for state, words in states:
            for name, table in state.tables.items():
                if name not in tables:
                    tables[name] = np.empty((1 + lengths.sum(), table.shape[1]), table.dtype)
                    tables[name][0] = table[0]  # the root
                np.take(table[1:], words, axis=0, out=tables[name][at : at + len(words)])
            at += len(words)
        return State(lengths, tables)

    def _vectors(self, arrays: Arrays) -> Floats:
        """[words, size]: what the pretrained encoder says of each word."""
        if "subwords" not in arrays:
            raise InputError(f"{self.folder / ENCODER}: the network does not fit inputs.json (subwords)")
        windows, session = Windows(arrays), self._sessions[ENCODER]

        def answer(job: Longs) -> tuple[Longs, Floats]:
            return windows.pool(job, run(session, {SUBWORDS: windows.take(job)})[VECTORS])

        results = self._each(answer, windows.jobs(_SUBWORDS_AT_A_TIME))
        vectors = np.empty((len(arrays["first"]), results[0][1].shape[1]), dtype=np.float32)
        for words, rows in results:
            vectors[words] = rows
        return vectors

    def _sentences(self, lengths: Longs) -> list[tuple[int, int]]:
        """The batch in jobs of about as many words each; one for each thread unless that is too large."""
        offsets = offsets_of(lengths)
        most = min(_WORDS_AT_A_TIME, -(-int(offsets[-1]) // self.threads))
        bounds = [0, *(np.flatnonzero(np.diff(offsets[:-1] // most)) + 1).tolist(), len(lengths)]
        return [(a, b) for a, b in zip(bounds, bounds[1:], strict=False) if offsets[a] < offsets[b]]

    def _check(self, tables: dict[str, npt.NDArray[Any]], nodes: int) -> None:
        """A network from anywhere may answer anything: there must be an answer for each node, and labels that exist."""
        for name, (width, labels) in self._widths.items():
            table = tables[name]
            if table.shape != (nodes, width) or (labels and not _are_labels(table, labels)):
                raise InputError(f"{self.folder / WORDS}: the network does not fit config.json ({name})")

    def tags(self, state: State) -> list[Tags]:
        """For each encoding the best and the second label of every word."""
        return [self._labels(state, tag_answers(i)) for i in range(len(self.config.encodings))]

    def _labels(self, state: State, names: tuple[str, str, str]) -> Tags:
        best, second, doubt = (state.tables[name][1:] for name in names)
        # the second label differs from the best one in the group that is least certain
        doubtful = np.arange(doubt.shape[1]) == doubt.argmax(-1)[:, None]
        return Tags(best, np.where(doubtful, second, best), np.reciprocal(doubt.prod(-1)))

    def relations(self, state: State, heads: Longs, dependents: Longs) -> tuple[Longs, Floats]:
        """The best relation of each arc and its probability."""
        if self._tuples is not None:
            tags = self._labels(state, TUPLE_ANSWERS)
            return self._tuples.relations(tags.best[:, 0], dependents - 1), tags.probability[dependents - 1]
        if not len(heads):  # ONNX Runtime fails on tables without rows
            return np.zeros(0, np.int64), np.zeros(0, np.float32)
        tables = {name: state.tables[name] for name in RELATION_TABLES}

        def answer(arcs: slice) -> dict[str, npt.NDArray[Any]]:
            numbers = dict(zip(RELATION_ARCS, (heads[arcs], dependents[arcs]), strict=True))
            return run(self._sessions[RELATIONS], {**tables, **numbers})

        results = self._each(answer, _arcs(len(heads)))
        best, doubt = (np.concatenate([result[name] for result in results]) for name in RELATION_ANSWERS)
        if len(best) != len(heads) or not _are_labels(best, len(self.config.relations)):
            raise InputError(f"{self.folder / RELATIONS}: the network does not fit config.json")
        return best, np.reciprocal(doubt)

    def verify(self, state: State, heads: Longs, dependents: Longs) -> Floats:
        """The probability of each given arc: linear in their number."""
        right, left = (state.tables[name] for name in ARC_TABLES)

        def answer(arcs: slice) -> Floats:
            mine = left[dependents[arcs]]
            scores: Floats = np.einsum("as,as->a", mine[:, :-1], right[heads[arcs]]) + mine[:, -1]
            return scores

        scores = np.concatenate([np.zeros(0, np.float32), *self._each(answer, _arcs(len(heads)))])
        return np.maximum(_sigmoid(scores), np.float32(1e-30))

    def search(self, state: State, threshold: float) -> tuple[Longs, Longs, Floats]:
        """Every arc of at least this probability among all pairs (the baseline's quadratic search)."""
        right, left = (state.tables[name] for name in ARC_TABLES)
        offsets = offsets_of(state.lengths)
        heads, dependents, probabilities = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], [np.zeros(0, np.float32)]
        for first, stop in zip(offsets, offsets[1:], strict=False):  # each sentence by itself: no padding
            nodes = np.concatenate([[0], np.arange(first, stop) + 1])
            mine = left[nodes[1:]]
            probable = _sigmoid(mine[:, :-1] @ right[nodes].T + mine[:, -1:])
            dependent, head = np.nonzero(probable >= max(threshold, 1e-9))
            heads.append(nodes[head])
            dependents.append(nodes[1 + dependent])
            probabilities.append(probable[dependent, head])
        return np.concatenate(heads), np.concatenate(dependents), np.concatenate(probabilities)

    def _each(self, work: Callable[[Job], T], jobs: Sequence[Job]) -> list[T]:
        """The result of each job, on as many threads as there are."""
        if self.threads == 1 or len(jobs) < 2:
            return [work(job) for job in jobs]
        return list(self._pool.map(work, jobs))


def _widths(config: ModelConfig) -> dict[str, tuple[int, Sequence[int]]]:
    """How wide each table must be and, where it holds labels, how many there are in each column."""
    widths: dict[str, tuple[int, Sequence[int]]] = {}
    for i, space in enumerate(config.spaces):
        best, second, doubt = tag_answers(i)
        widths |= dict.fromkeys((best, second), (len(space.sizes), space.sizes)) | {doubt: (len(space.sizes), ())}
    if config.tuples:
        best, second, doubt = TUPLE_ANSWERS
        widths |= dict.fromkeys((best, second), (1, (len(config.tuples),))) | {doubt: (1, ())}
    else:
        widths |= dict.fromkeys(RELATION_TABLES, (config.relation_hidden, ()))
    if config.verify or config.biaffine:
        widths |= {ARC_TABLES[0]: (config.arc_hidden, ()), ARC_TABLES[1]: (config.arc_hidden + 1, ())}
    return widths


def _are_labels(numbers: npt.NDArray[Any], counts: Sequence[int] | int) -> bool:
    return bool(((numbers >= 0) & (numbers < np.array(counts))).all())


def _joined(parts: list[dict[str, npt.NDArray[Any]]]) -> dict[str, npt.NDArray[Any]]:
    """The tables of all jobs as one; the root, which comes first in each of them, is kept once."""
    if len(parts) == 1:
        return parts[0]
    return {name: np.concatenate([rows, *(part[name][1:] for part in parts[1:])]) for name, rows in parts[0].items()}


def _arcs(count: int) -> list[slice]:
    return [slice(start, start + _ARCS_AT_A_TIME) for start in range(0, count, _ARCS_AT_A_TIME)]


def _sigmoid(scores: Floats) -> Floats:
    """Without overflow, whatever the scores."""
    small = np.exp(-np.abs(scores))
    probabilities: Floats = np.where(scores >= 0, 1, small) / (1 + small)
    return probabilities
