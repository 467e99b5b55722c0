"""`OnnxBackend`: an exported network, run by ONNX Runtime."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any, Self, TypeVar

import numpy as np
import numpy.typing as npt

from arctag.backends.cores import usable_threads
from arctag.backends.onnx.arc_scores import arc_scores
from arctag.backends.onnx.feeds import sentence_feeds
from arctag.backends.onnx.file import ARC_TABLES, NODES, RELATION_ANSWERS, SUBWORDS, VECTORS, WORD_SHAPES
from arctag.backends.onnx.layer_sessions import LayerSessions, Tables
from arctag.backends.onnx.sessions import open_session, providers, run
from arctag.backends.onnx.windows import Windows
from arctag.backends.protocol import Backend, Tags
from arctag.encodings.labels import offsets_of
from arctag.errors import InputError
from arctag.layers.odds import log_odds
from arctag.layers.types import Arrays, Floats, Longs
from arctag.modelfile.config import ModelConfig
from arctag.modelfile.networks import ENCODER, RELATIONS, WORDS

T = TypeVar("T")
Job = TypeVar("Job")
_SUBWORDS_AT_A_TIME, _WORDS_AT_A_TIME, _ARCS_AT_A_TIME = 640, 512, 512


@dataclass(frozen=True)
class State:
    """What the network knows of the nodes of a batch."""

    lengths: Longs
    tables: dict[str, Tables]
    """Of each layer by name, with a row for each node: the root, then the words."""


class OnnxBackend(Backend):
    """The sessions of an exported model; those of a layer are opened when it is first asked for."""

    def __init__(self, config: ModelConfig, folder: Path, device: str | None = None, threads: int = 0) -> None:
        self.config, self.folder, self.device = config, folder, device or "cpu"
        self.threads = threads or usable_threads()
        self._opened = partial(open_session, where=providers(self.device))
        names = [WORDS, *([ENCODER] if (folder / ENCODER).is_file() else [])]
        with ThreadPoolExecutor(2) as pool:  # opening takes a while, and ONNX Runtime lets others work meanwhile
            self._sessions = dict(zip(names, pool.map(self._opened, [folder / name for name in names]), strict=True))
        self._pool = ThreadPoolExecutor(self.threads)  # which starts threads when there is work for them
        self._lock = Lock()
        self._layers: dict[str, LayerSessions] = {}
        self._input_names = {info.name for info in self._sessions[WORDS].get_inputs()}
        if VECTORS in self._input_names and ENCODER not in names:
            raise InputError(f"{folder} is not a model folder: {ENCODER} is missing")
        # in models of Arctag 0.1 one network knows all of a single layer
        self._joint = NODES not in {info.name for info in self._sessions[WORDS].get_outputs()}
        for layer in config.networks:  # a folder that is not complete is reported at once
            self._check_files(layer.name)

    @classmethod
    def load(cls, config: ModelConfig, folder: Path, device: str | None = None) -> Self:
        """From the ONNX files in a model folder."""
        return cls(config, folder, device)

    def _check_files(self, layer: str) -> None:
        if self._joint:
            self._layer(layer)
            return
        for name in LayerSessions.files(self.config.learned(layer)):
            if not (self.folder / name).is_file():
                raise InputError(f"{self.folder} is not a model folder: {name} is missing")

    def _layer(self, name: str) -> LayerSessions:
        """The sessions of a layer."""
        with self._lock:
            if name not in self._layers:
                words = self._sessions[WORDS] if self._joint else None
                self._layers[name] = LayerSessions.open(self.config.learned(name), self.folder, self._opened, words)
            return self._layers[name]

    def open(self, layers: Collection[str]) -> None:
        """Open the files of layers."""
        for name in layers:
            self._layer(name)

    def save(self, folder: Path) -> None:
        """Copy the files."""
        names = list(self._sessions)
        names += [RELATIONS] if self._joint and (self.folder / RELATIONS).is_file() else []
        if not self._joint:
            names += [name for layer in self.config.networks for name in LayerSessions.files(layer)]
        for name in names:
            if not (self.folder / name).is_file():
                raise InputError(f"{self.folder / name} is gone since the model was loaded: there is nothing to copy")
            shutil.copyfile(self.folder / name, folder / name)

    def read(self, arrays: Arrays, layers: Collection[str]) -> State:
        """Run the network over a batch; the state is passed to the other methods, which ask about these layers."""
        lengths = arrays["lengths"]
        asked = {name: self._layer(name) for name in layers}
        if not lengths.sum():
            return State(lengths, {name: layer.nothing() for name, layer in asked.items()})
        feeds: dict[str, npt.NDArray[Any]] = dict(arrays)
        if VECTORS in self._input_names:
            feeds[VECTORS] = self._vectors(arrays)

        def answer(job: tuple[int, int]) -> dict[str, Tables]:
            inputs = sentence_feeds(feeds, *job)
            if missing := self._input_names - inputs.keys():
                raise InputError(f"{self.folder / WORDS}: the network does not fit inputs.json ({missing.pop()})")
            known = run(self._sessions[WORDS], {name: inputs[name] for name in self._input_names})
            known |= {WORD_SHAPES: np.append(0, inputs[WORD_SHAPES])} if WORD_SHAPES in inputs else {}
            return {name: layer.words(known) for name, layer in asked.items()}

        parts = self._each(answer, self._sentences(lengths))
        joined = self._each(lambda name: _joined([part[name] for part in parts]), list(asked))
        tables = dict(zip(asked, joined, strict=True))
        for name, layer in asked.items():
            layer.check(tables[name], int(lengths.sum()) + 1)
        return State(lengths, tables)

    def join(self, states: Iterable[tuple[State, Longs]], lengths: Longs) -> State:
        """One state for the given words of several."""
        joined: dict[str, Tables] = {}
        at = 1
        for state, words in states:
            for layer, known in state.tables.items():
                tables = joined.setdefault(layer, {})
                for name, table in known.items():
                    if name not in tables:
                        tables[name] = np.empty((1 + lengths.sum(), table.shape[1]), table.dtype)
                        tables[name][0] = table[0]  # the root
                    np.take(table[1:], words, axis=0, out=tables[name][at : at + len(words)])
            at += len(words)
        return State(lengths, joined)

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

    def tags(self, state: State, layer: str) -> list[Tags]:
        """For each tag head of a layer the best and the second label of every word."""
        return self._layer(layer).tags(state.tables[layer])

    def relations(self, state: State, layer: str, heads: Longs, dependents: Longs) -> tuple[Longs, Floats]:
        """The best relation of each arc and its probability."""
        sessions, tables = self._layer(layer), state.tables[layer]
        if not len(heads):  # ONNX Runtime fails on tables without rows
            return np.zeros(0, np.int64), np.zeros(0, np.float32)
        if sessions.tuples is not None:
            return sessions.by_word(tables, dependents)
        results = self._each(lambda arcs: sessions.arcs(tables, heads[arcs], dependents[arcs]), _arcs(len(heads)))
        best, doubt = (np.concatenate([result[name] for result in results]) for name in RELATION_ANSWERS)
        sessions.check_relations(best, len(heads))
        return best, np.reciprocal(doubt)

    def verify(self, state: State, layer: str, heads: Longs, dependents: Longs) -> Floats:
        """The log-odds of each given arc: linear in their number."""
        right, left = (state.tables[layer][name] for name in ARC_TABLES)

        def answer(arcs: slice) -> Floats:
            return arc_scores(left, right, heads[arcs], dependents[arcs])

        return np.concatenate([np.zeros(0, np.float32), *self._each(answer, _arcs(len(heads)))])

    def search(self, state: State, layer: str, threshold: float) -> tuple[Longs, Longs, Floats]:
        """Every arc of at least this probability among all pairs (the baseline's quadratic search)."""
        right, left = (state.tables[layer][name] for name in ARC_TABLES)
        offsets = offsets_of(state.lengths)
        heads, dependents, found = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], [np.zeros(0, np.float32)]
        for first, stop in zip(offsets, offsets[1:], strict=False):  # each sentence by itself: no padding
            nodes = np.concatenate([[0], np.arange(first, stop) + 1])
            mine = left[nodes[1:]]
            scores = mine[:, :-1] @ right[nodes].T + mine[:, -1:]
            dependent, head = np.nonzero(scores >= log_odds(threshold))
            heads.append(nodes[head])
            dependents.append(nodes[1 + dependent])
            found.append(scores[dependent, head])
        return np.concatenate(heads), np.concatenate(dependents), np.concatenate(found)

    def _each(self, work: Callable[[Job], T], jobs: Sequence[Job]) -> list[T]:
        """The result of each job, on as many threads as there are."""
        if self.threads == 1 or len(jobs) < 2:
            return [work(job) for job in jobs]
        return list(self._pool.map(work, jobs))


def _joined(parts: list[dict[str, npt.NDArray[Any]]]) -> dict[str, npt.NDArray[Any]]:
    """The tables of all jobs as one; the root, which comes first in each of them, is kept once."""
    if len(parts) == 1:
        return parts[0]
    return {name: np.concatenate([rows, *(part[name][1:] for part in parts[1:])]) for name, rows in parts[0].items()}


def _arcs(count: int) -> list[slice]:
    return [slice(start, start + _ARCS_AT_A_TIME) for start in range(0, count, _ARCS_AT_A_TIME)]
