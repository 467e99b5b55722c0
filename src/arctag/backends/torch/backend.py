"""`TorchBackend`: a network run by torch; the answers are numpy arrays."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file, save_file
from torch import nn

from arctag.backends.inputs.layout import layout
from arctag.backends.protocol import Backend, Tags
from arctag.backends.torch.heads.arcs import ArcScorer
from arctag.backends.torch.heads.graphs import GraphHead
from arctag.backends.torch.layers import Tensors
from arctag.backends.torch.tagger import Tagger
from arctag.backends.torch.torch_flags import PARSING, cpu_bf16, torch_flags
from arctag.encodings.labels import offsets_of
from arctag.errors import InputError
from arctag.layers.odds import log_odds
from arctag.layers.types import Arrays, Floats, Longs
from arctag.modelfile.config import ModelConfig
from arctag.modelfile.format_2 import renamed
from arctag.modelfile.networks import WEIGHTS

ON_CPU = ("lengths", "steps", "char_steps")
_ARCS_AT_A_TIME = 1 << 16  # a model that knows little may let through every pair of a long sentence
NOT_READ = ("chars", "char_lengths")  # `char_read` has them in a better order


def to_device(arrays: Arrays, device: torch.device) -> Tensors:
    """Arrays as tensors; what torch wants on the CPU stays there."""
    here = {name: torch.from_numpy(array) for name, array in arrays.items() if name not in NOT_READ}
    if device.type == "cpu":
        return here
    there = {name: tensor for name, tensor in here.items() if name not in ON_CPU}
    flat = torch.cat([tensor.reshape(-1) for tensor in there.values()])  # all in one go
    # a GPU fetches them by itself, when it is done with other work
    parts = flat.pin_memory().to(device, non_blocking=True) if device.type == "cuda" else flat.to(device)
    cut = torch.split(parts, [tensor.numel() for tensor in there.values()])
    return {**here, **{name: part.view(there[name].shape) for name, part in zip(there, cut, strict=True)}}


@dataclass
class State:
    """A batch that was read or, on a GPU, is being read."""

    nodes: torch.Tensor
    inputs: Tensors
    tags: dict[str, list[tuple[torch.Tensor, torch.Tensor]]]
    """The answers of the tag heads of each layer, on their way to the CPU."""
    done: Any
    """On a GPU: the event that all of this is there."""


class TorchBackend(Backend):
    """A network on some device."""

    def __init__(self, config: ModelConfig, model: Tagger, device: str | None = None) -> None:
        self.config, self.model = config, model
        try:
            self.device = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
            self.model.to(self.device)
            self._questions = _question_stream(self.device) if self.device.type == "cuda" else None
        except (RuntimeError, AssertionError, NotImplementedError) as error:  # what torch raises for a device it lacks
            raise InputError(f"device {device!r} cannot be used: {str(error).splitlines()[0]}") from error

    @classmethod
    def load(cls, config: ModelConfig, folder: Path, device: str | None = None) -> Self:
        """From the weights in a model folder."""
        path = folder / WEIGHTS
        try:
            with safe_open(path, framework="pt") as file:
                stored = renamed({k: tuple(file.get_slice(k).get_shape()) for k in file.keys()})  # noqa: SIM118
        except (OSError, SafetensorError) as error:
            reason = str(error).splitlines()[0]
            raise InputError(f"{path}: the weights cannot be used ({reason})") from error
        expected = _shapes(config, folder, len(stored))
        for name in sorted(expected.keys() | stored.keys()):
            if expected.get(name) != stored.get(name):
                shapes = f"{expected.get(name, 'nothing')} expected, {stored.get(name, 'nothing')} found"
                raise InputError(f"{path}: the weights do not fit config.json ({name}: {shapes})")
        weights = renamed(load_file(path))
        for name, tensor in weights.items():
            if tensor.is_floating_point() and not tensor.isfinite().all():
                raise InputError(f"{path}: the weights cannot be used ({name} holds what is not a finite number)")
        model = Tagger(config)
        model.load_state_dict(weights)
        model.eval()
        return cls(config, model, device)

    def save(self, folder: Path) -> None:
        """Write the weights."""
        state = {name: tensor.detach().cpu().contiguous().clone() for name, tensor in self.model.state_dict().items()}
        save_file(state, folder / WEIGHTS, metadata={"format": "pt"})
        (folder / WEIGHTS).chmod(folder.stat().st_mode & 0o666)  # safetensors lets nobody else read it

    @property
    def ahead(self) -> int:
        """On a GPU, one: much of the time of reading is spent on launching its work, and threads can share that."""
        return 0 if self._questions is None or self.model.training else 1

    @contextmanager
    def _quiet(self) -> Iterator[None]:
        was = self.model.training
        if was:  # else there is no need to go over all of its parts
            self.model.eval()
        try:
            with torch_flags(PARSING), torch.inference_mode(), self._autocast():
                yield
        finally:
            if was:
                self.model.train()

    def _autocast(self) -> AbstractContextManager[Any]:
        if self.device.type != "cpu" or not cpu_bf16() or any(isinstance(one, nn.LSTM) for one in self.model.modules()):
            return nullcontext()
        return torch.autocast("cpu", torch.bfloat16)

    @contextmanager
    def _asking(self, state: State) -> Iterator[None]:
        """Ask about a batch that was read. None of it may be freed before the answers are here: they are copied."""
        with self._quiet():
            if self._questions is None:
                yield
                return
            with torch.cuda.stream(self._questions):
                self._questions.wait_event(state.done)
                yield

    def read(self, arrays: Arrays, layers: Collection[str]) -> State:
        """Run the encoder and the tag heads of layers over a batch; the state is passed to the other methods."""
        with self._quiet():
            inputs = to_device(arrays, self.device)
            nodes = self.model.nodes(inputs)
            tags = {name: list(map(self._tags, self.model.head(name).tag_scores(nodes, inputs))) for name in layers}
            return State(nodes, inputs, tags, self._event())

    def join(self, states: Iterable[tuple[State, Longs]], lengths: Longs) -> State:
        """One state for the given words of several."""
        with self._quiet():
            nodes = torch.empty(0)
            tags: dict[str, list[list[tuple[torch.Tensor, torch.Tensor]]]] = {}
            at = 1
            for state, words in states:
                if at == 1:
                    nodes = state.nodes.new_empty(1 + int(lengths.sum()), state.nodes.shape[1])
                    nodes[0] = state.nodes[0]  # the root
                nodes[at : at + len(words)] = state.nodes[self._on(words + 1)]
                if state.done is not None:
                    state.done.synchronize()
                chosen = torch.from_numpy(words)
                for name, answers in state.tags.items():
                    parts = tags.setdefault(name, [[] for _ in answers])
                    for part, (labels, values) in zip(parts, answers, strict=True):
                        part.append((labels[chosen], values[chosen]))
                at += len(words)
            joined = {name: [_concatenated(part) for part in parts] for name, parts in tags.items()}
            return State(nodes, to_device(layout(lengths.tolist()), self.device), joined, self._event())

    def _event(self) -> Any:
        """On a GPU: the event that everything launched so far is done."""
        return torch.cuda.current_stream(self.device).record_event() if self._questions is not None else None

    def _tags(self, scores: list[torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor]:
        """[words, groups, 2]: the two best labels of each group and their log-probabilities."""
        groups = [group.float().log_softmax(-1).topk(min(2, group.shape[-1])) for group in scores]
        asynchronous = self._questions is not None  # else nothing says when they are there
        labels = torch.stack([group.indices.expand(-1, 2) for group in groups], dim=1)
        values = torch.stack([group.values.expand(-1, 2) for group in groups], dim=1)
        return labels.to("cpu", non_blocking=asynchronous), values.to("cpu", non_blocking=asynchronous)

    def tags(self, state: State, layer: str) -> list[Tags]:
        """For each tag head of a layer the best and the second label of every word."""
        if state.done is not None:
            state.done.synchronize()
        return [_best_and_second(labels.numpy(), values.numpy()) for labels, values in state.tags[layer]]

    def _arc_head(self, layer: str) -> GraphHead:
        head = self.model.head(layer)
        assert isinstance(head, GraphHead)
        return head

    def _scorer(self, layer: str) -> ArcScorer:
        scorer = self._arc_head(layer).arcs
        assert scorer is not None
        return scorer

    def relations(self, state: State, layer: str, heads: Longs, dependents: Longs) -> tuple[Longs, Floats]:
        """The best relation of each arc and its probability."""
        with self._asking(state):
            best, probable = self._arc_head(layer).relations.best(state.nodes, self._on(heads), self._on(dependents))
            return best.cpu().numpy(), probable.cpu().numpy()

    def verify(self, state: State, layer: str, heads: Longs, dependents: Longs) -> Floats:
        """The log-odds of each given arc: linear in their number."""
        scorer = self._scorer(layer)
        with self._asking(state):
            arcs = (torch.split(self._on(numbers), _ARCS_AT_A_TIME) for numbers in (heads, dependents))
            parts = [scorer(state.nodes, *some) for some in zip(*arcs, strict=True)]
            scores: Floats = torch.cat(parts).float().cpu().numpy()
            return scores

    def search(self, state: State, layer: str, threshold: float) -> tuple[Longs, Longs, Floats]:
        """Every arc of at least this probability among all pairs (the baseline's quadratic search)."""
        scorer = self._scorer(layer)
        with self._asking(state):
            scores, mask = scorer.all_pairs(state.nodes, state.inputs)
            scores = scores.float()
            places = ((scores >= log_odds(threshold)) & mask).nonzero(as_tuple=True)
            found: Floats = scores[places].cpu().numpy()
            sentence, dependent, head = torch.stack(places).cpu().numpy()
        first = offsets_of(state.inputs["lengths"].numpy())
        heads = np.where(head > 0, first[sentence] + head, 0)
        return heads, first[sentence] + dependent + 1, found

    def _on(self, numbers: Longs) -> torch.Tensor:
        return torch.from_numpy(numbers).to(self.device)


def _concatenated(parts: list[tuple[torch.Tensor, torch.Tensor]]) -> tuple[torch.Tensor, torch.Tensor]:
    labels, values = zip(*parts, strict=True)
    return torch.cat(labels), torch.cat(values)


def _best_and_second(labels: Longs, values: Floats) -> Tags:
    """[words, groups, 2]: the second label differs from the best one in the group that is least certain."""
    best, sure = labels[:, :, 0], values[:, :, 0]
    doubtful = sure.argmin(-1)[:, None] == np.arange(labels.shape[1])
    return Tags(best, np.where(doubtful, labels[:, :, 1], best), np.exp(sure.sum(-1)))


def _question_stream(device: torch.device) -> Any:
    """A stream for questions about one batch while the next is being read."""
    make: Any = torch.cuda.Stream
    return make(device, priority=-1)


def _shapes(config: ModelConfig, folder: Path, tensors: int) -> dict[str, tuple[int, ...]]:
    """The shapes of the weights that a config asks for, without taking any memory for them."""
    for key, value in _integers(config.to_json()):
        # there would be a module for each, whatever the weights
        if any(word in key for word in ("layer", "group", "expert", "block")) and value > max(1000, tensors):
            raise InputError(f"{folder}: config.json asks for too much ({key} = {value})")
    try:
        with torch.device("meta"):
            return {name: tuple(tensor.shape) for name, tensor in Tagger(config).state_dict().items()}
    except Exception as error:  # whatever a hostile config may lead to
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise InputError(f"{folder}: config.json describes no network ({reason})") from error


def _integers(value: object, key: str = "") -> Iterator[tuple[str, int]]:
    """All integers in JSON, with the keys under which they stand."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _integers(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from _integers(inner, key)
    elif isinstance(value, int):
        yield key, value
