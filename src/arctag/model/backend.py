"""`TorchBackend`: the questions a parser asks of a network, answered by torch in numpy arrays."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from arctag.errors import InputError
from arctag.inputs import Arrays
from arctag.model.layers import Inputs
from arctag.model.tagger import Tagger
from arctag.model_config import ModelConfig

FloatArray = npt.NDArray[np.float32]
Longs = npt.NDArray[np.int64]
ON_CPU = ("lengths", "char_lengths")


def to_device(arrays: Arrays, device: torch.device) -> Inputs:
    """Arrays as tensors; what torch wants on the CPU stays there."""
    tensors = {}
    for name, array in arrays.items():
        tensor = torch.from_numpy(array)
        tensors[name] = tensor if name in ON_CPU or device.type == "cpu" else tensor.to(device, non_blocking=True)
    return tensors


class TorchBackend:
    """A network ready to be asked."""

    def __init__(self, config: ModelConfig, model: Tagger, device: str | None = None) -> None:
        self.config, self.model = config, model
        self.device = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
        self.model.to(self.device)

    @classmethod
    def load(cls, config: ModelConfig, folder: Path, device: str | None = None) -> TorchBackend:
        """From the weights in a model folder."""
        model = Tagger(config)
        path = folder / "model.safetensors"
        try:
            missing, unexpected = model.load_state_dict(load_file(path), strict=False)
        except (OSError, SafetensorError, RuntimeError) as error:
            reason = str(error).splitlines()[0]
            raise InputError(f"{path}: the weights cannot be used ({reason})") from error
        if missing or unexpected:
            odd = (missing or unexpected)[0]
            raise InputError(f"{path}: the weights do not fit config.json ({'no' if missing else 'unknown'} {odd!r})")
        return cls(config, model, device)

    def save(self, folder: Path) -> None:
        """Write the weights."""
        state = {name: tensor.detach().cpu().contiguous().clone() for name, tensor in self.model.state_dict().items()}
        save_file(state, folder / "model.safetensors", metadata={"format": "pt"})

    @contextmanager
    def _quiet(self) -> Iterator[None]:
        was = self.model.training
        self.model.eval()
        with torch.inference_mode():
            yield
        self.model.train(was)

    def read(self, arrays: Arrays) -> Any:
        """Run the encoder over a batch; what comes back is handed to the other questions."""
        with self._quiet():
            inputs = to_device(arrays, self.device)
            return self.model.nodes(inputs), inputs

    def tags(self, state: Any) -> list[tuple[Longs, FloatArray]]:
        """For each encoding: the best numbers [words, groups] and their probability [words]."""
        with self._quiet():
            answers = []
            for head in self.model.tags:
                groups = head(state[0][1:])
                best = [group.float().log_softmax(-1).max(-1) for group in groups]
                ids = torch.stack([b.indices for b in best], dim=-1)
                probability = torch.stack([b.values for b in best]).sum(0).exp()
                answers.append((ids.cpu().numpy(), probability.cpu().numpy()))
            return answers

    def relations(self, state: Any, heads: Longs, dependents: Longs) -> tuple[Longs, FloatArray]:
        """The best relation of each arc and its probability."""
        with self._quiet():
            assert self.model.relations is not None
            scores = self.model.relations(state[0], self._on(heads), self._on(dependents))
            best = scores.float().softmax(-1).max(-1)
            return best.indices.cpu().numpy(), best.values.cpu().numpy()

    def tuples(self, state: Any) -> tuple[Longs, FloatArray]:
        """The best tuple of relations of each word and its probability."""
        with self._quiet():
            assert self.model.tuples is not None
            best = self.model.tuples(state[0][1:])[0].float().softmax(-1).max(-1)
            return best.indices.cpu().numpy(), best.values.cpu().numpy()

    def verify(self, state: Any, heads: Longs, dependents: Longs) -> FloatArray:
        """The probability of each given arc: linear in their number."""
        with self._quiet():
            assert self.model.arcs is not None
            scores = self.model.arcs(state[0], self._on(heads), self._on(dependents))
            probabilities: FloatArray = scores.float().sigmoid().cpu().numpy()
            return probabilities

    def search(self, state: Any, threshold: float) -> tuple[Longs, Longs, FloatArray]:
        """Every arc of at least this probability among all pairs (the baseline's quadratic search)."""
        nodes, inputs = state
        with self._quiet():
            assert self.model.arcs is not None
            scores, mask = self.model.arcs.all_pairs(nodes, inputs)
            found = (scores.float().sigmoid() * mask).cpu().numpy()
        sentence, dependent, head = np.nonzero(found >= max(threshold, 1e-9))
        first = np.cumsum(arrays_lengths(inputs)) - arrays_lengths(inputs)
        heads = np.where(head > 0, first[sentence] + head, 0)
        return heads, first[sentence] + dependent + 1, found[sentence, dependent, head]

    def _on(self, numbers: Longs) -> torch.Tensor:
        return torch.from_numpy(numbers).to(self.device)


def arrays_lengths(inputs: Inputs) -> Longs:
    """The sentence lengths of a batch, in numpy."""
    lengths: Longs = inputs["lengths"].numpy()
    return lengths
