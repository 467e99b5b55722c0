"""`OnnxBackend`: the questions a parser asks of a network, answered by ONNX Runtime."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from arctag.backends.inputs import Arrays
from arctag.backends.onnx.feeds import sentence_feeds
from arctag.backends.onnx.file import (
    ARC_TABLES,
    PIECES,
    RELATION_ANSWERS,
    RELATION_ARCS,
    RELATION_TABLES,
    TUPLE_ANSWERS,
    VECTORS,
    tag_answers,
)
from arctag.backends.onnx.sessions import open_session, providers, run
from arctag.backends.onnx.windows import Windows
from arctag.backends.protocol import Floats, Longs, Tags
from arctag.cores import usable_threads
from arctag.encodings.labels import offsets_of
from arctag.errors import InputError
from arctag.modelfile.config import ModelConfig
from arctag.modelfile.folder import ENCODER, RELATIONS, WORDS

T = TypeVar("T")
Part = TypeVar("Part")
_PIECES_AT_A_TIME, _WORDS_AT_A_TIME, _ARCS_AT_A_TIME = 640, 512, 512


@dataclass(frozen=True)
class State:
    """What the network says of the nodes of a batch."""

    lengths: Longs
    tables: dict[str, npt.NDArray[Any]]
    """By name, with a row for each node: the root, then the words."""


class OnnxBackend:
    """The sessions of an exported model, ready to be asked."""

    ahead = 0

    def __init__(self, config: ModelConfig, folder: Path, device: str | None = None, threads: int = 0) -> None:
        self.config, self.folder, self.device = config, folder, device or "cpu"
        self.threads = threads or usable_threads()
        where = providers(self.device)
        with ThreadPoolExecutor(2) as pool:  # opening takes a while, and ONNX Runtime lets others work meanwhile
            words = pool.submit(open_session, folder / WORDS, where)
            encoder = pool.submit(open_session, folder / ENCODER, where) if config.encoder == "transformer" else None
            self._relations = None if config.relation_head == "tuple" else open_session(folder / RELATIONS, where)
            self._words, self._encoder = words.result(), encoder.result() if encoder else None
        self._pool = ThreadPoolExecutor(self.threads)  # which starts threads when there is work for them
        self._widths = _widths(config)
        found = {info.name: info.shape[-1] for info in self._words.get_outputs()}
        if found != {name: width for name, (width, _) in self._widths.items()}:
            raise InputError(f"{folder / WORDS}: the network does not fit config.json")

    def save(self, folder: Path) -> None:
        """Write the files once more."""
        used = {WORDS: True, ENCODER: self._encoder is not None, RELATIONS: self._relations is not None}
        for name in (name for name, is_used in used.items() if is_used):
            if not (self.folder / name).is_file():
                raise InputError(f"{self.folder / name} is gone since the model was loaded: there is nothing to copy")
            shutil.copyfile(self.folder / name, folder / name)

    def read(self, arrays: Arrays) -> State:
        """Run the network over a batch; what comes back is handed to the other questions."""
        lengths = arrays["lengths"]
        if not lengths.sum():
            kinds = {name: np.int64 if labels else np.float32 for name, (_, labels) in self._widths.items()}
            return State(lengths, {name: np.zeros((1, self._widths[name][0]), kind) for name, kind in kinds.items()})
        feeds: dict[str, npt.NDArray[Any]] = dict(arrays)
        if self._encoder is not None:
            feeds[VECTORS] = self._vectors(arrays)
        wanted = {info.name for info in self._words.get_inputs()}

        def answer(part: tuple[int, int]) -> dict[str, npt.NDArray[Any]]:
            given = sentence_feeds(feeds, *part)
            return run(self._words, {name: given[name] for name in wanted})

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
        windows = Windows(arrays)

        def answer(part: Longs) -> tuple[Longs, Floats]:
            return windows.pool(part, run(self._encoder, {PIECES: windows.take(part)})[VECTORS])

        found = self._each(answer, windows.parts(_PIECES_AT_A_TIME))
        vectors = np.empty((len(arrays["first"]), found[0][1].shape[1]), dtype=np.float32)
        for words, rows in found:
            vectors[words] = rows
        return vectors

    def _sentences(self, lengths: Longs) -> list[tuple[int, int]]:
        """The batch in runs of sentences, about as many words in each; one for each thread unless that is too large."""
        offsets = offsets_of(lengths)
        most = min(_WORDS_AT_A_TIME, -(-int(offsets[-1]) // self.threads))
        bounds = [0, *(np.flatnonzero(np.diff(offsets[:-1] // most)) + 1).tolist(), len(lengths)]
        return [(a, b) for a, b in zip(bounds, bounds[1:], strict=False) if offsets[a] < offsets[b]]

    def _check(self, tables: dict[str, npt.NDArray[Any]], nodes: int) -> None:
        """A network from anywhere may say anything: there must be an answer for each node, and labels that exist."""
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

    def tuples(self, state: State) -> tuple[Longs, Floats]:
        """The best tuple of relations of each word and its probability."""
        found = self._labels(state, TUPLE_ANSWERS)
        return found.best[:, 0], found.probability

    def relations(self, state: State, heads: Longs, dependents: Longs) -> tuple[Longs, Floats]:
        """The best relation of each arc and its probability."""
        if not len(heads):  # ONNX Runtime stumbles over tables without rows
            return np.zeros(0, np.int64), np.zeros(0, np.float32)
        tables = {name: state.tables[name] for name in RELATION_TABLES}

        def answer(arcs: slice) -> dict[str, npt.NDArray[Any]]:
            given = dict(zip(RELATION_ARCS, (heads[arcs], dependents[arcs]), strict=True))
            return run(self._relations, {**tables, **given})

        found = self._each(answer, _arcs(len(heads)))
        best, doubt = (np.concatenate([part[name] for part in found]) for name in RELATION_ANSWERS)
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
        for first, stop in zip(offsets, offsets[1:], strict=False):  # each sentence for itself: no padding
            nodes = np.concatenate([[0], np.arange(first, stop) + 1])
            mine = left[nodes[1:]]
            found = _sigmoid(mine[:, :-1] @ right[nodes].T + mine[:, -1:])
            dependent, head = np.nonzero(found >= max(threshold, 1e-9))
            heads.append(nodes[head])
            dependents.append(nodes[1 + dependent])
            probabilities.append(found[dependent, head])
        return np.concatenate(heads), np.concatenate(dependents), np.concatenate(probabilities)

    def _each(self, work: Callable[[Part], T], parts: Sequence[Part]) -> list[T]:
        """What is made of each part, on as many threads as there are."""
        if self.threads == 1 or len(parts) < 2:
            return [work(part) for part in parts]
        return list(self._pool.map(work, parts))


def _widths(config: ModelConfig) -> dict[str, tuple[int, Sequence[int]]]:
    """How wide each table must be and, where it holds labels, how many there are in each column."""
    found: dict[str, tuple[int, Sequence[int]]] = {}
    for i, space in enumerate(config.spaces):
        best, second, doubt = tag_answers(i)
        found |= dict.fromkeys((best, second), (len(space.sizes), space.sizes)) | {doubt: (len(space.sizes), ())}
    if config.relation_head == "tuple":
        best, second, doubt = TUPLE_ANSWERS
        found |= dict.fromkeys((best, second), (1, (len(config.tuples),))) | {doubt: (1, ())}
    else:
        found |= dict.fromkeys(RELATION_TABLES, (config.relation_size, ()))
    if config.verify or config.biaffine:
        found |= {ARC_TABLES[0]: (config.arc_size, ()), ARC_TABLES[1]: (config.arc_size + 1, ())}
    return found


def _are_labels(numbers: npt.NDArray[Any], counts: Sequence[int] | int) -> bool:
    return bool(((numbers >= 0) & (numbers < np.array(counts))).all())


def _joined(parts: list[dict[str, npt.NDArray[Any]]]) -> dict[str, npt.NDArray[Any]]:
    """The tables of all parts as one; the root, which heads each of them, is kept once."""
    if len(parts) == 1:
        return parts[0]
    return {name: np.concatenate([rows, *(part[name][1:] for part in parts[1:])]) for name, rows in parts[0].items()}


def _arcs(count: int) -> list[slice]:
    return [slice(start, start + _ARCS_AT_A_TIME) for start in range(0, count, _ARCS_AT_A_TIME)]


def _sigmoid(scores: Floats) -> Floats:
    """Without overflow, whatever the scores."""
    small = np.exp(-np.abs(scores))
    found: Floats = np.where(scores >= 0, 1, small) / (1 + small)
    return found
