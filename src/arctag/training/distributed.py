"""Training in several processes: `torchrun` sets the variables, plain torch adds up gradients and counts."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt
import torch
from torch import distributed as dist
from torch import nn

T = TypeVar("T")


@dataclass(frozen=True)
class Group:
    """This process among those of the run; a single one needs nothing."""

    rank: int = 0
    size: int = 1
    owned: bool = False
    """Whether the process group was started here; one that the program around has started is left to it."""

    @classmethod
    def join(cls, device: str) -> Group:
        """Join the processes that `torchrun` started, if it did."""
        size = int(os.environ.get("WORLD_SIZE", "1"))
        if size == 1:
            return cls()
        owned = not dist.is_initialized()
        if owned:
            dist.init_process_group("nccl" if device.startswith("cuda") else "gloo")
        return cls(dist.get_rank(), size, owned)

    @property
    def first(self) -> bool:
        """Whether this is the process that writes files."""
        return self.rank == 0

    def add_gradients(self, parameters: Iterable[nn.Parameter]) -> None:
        """Replace gradients by their sum over all processes; a process may have had no batch."""
        if self.size == 1:
            return
        kept = list(parameters)
        flat = torch.cat([(p.grad if p.grad is not None else torch.zeros_like(p)).reshape(-1) for p in kept])
        dist.all_reduce(flat)
        at = 0
        for p in kept:
            p.grad = flat[at : at + p.numel()].view_as(p).clone()
            at += p.numel()

    def add_up(self, counts: npt.NDArray[np.float64], device: torch.device) -> npt.NDArray[np.float64]:
        """The sum of counts over all processes, in every process."""
        if self.size == 1:
            return counts
        tensor = torch.from_numpy(counts.copy()).to(device)
        dist.all_reduce(tensor)
        return tensor.cpu().numpy()

    def sum(self, value: float, device: torch.device) -> float:
        """The sum of a number over all processes."""
        return float(self.add_up(np.array([value]), device)[0])

    def agree(self, value: float, device: torch.device) -> bool:
        """Whether a number is the same in all processes."""
        if self.size == 1:
            return True
        ends = torch.tensor([value, -value], dtype=torch.float64, device=device)
        dist.all_reduce(ends, dist.ReduceOp.MAX)
        return float(ends[0]) == -float(ends[1])

    def lead(self, steps: Iterable[T], device: torch.device) -> Iterator[T]:
        """What the first process does while the others `follow`: none of them waits for longer than a step.

        To wait for all of it at once could take longer than processes may wait for each other.
        """
        try:
            for step in steps:
                self.sum(1.0, device)
                yield step
        finally:
            self.sum(0.0, device)

    def follow(self, device: torch.device) -> None:
        """Wait until the first process has taken its steps."""
        while self.sum(0.0, device):
            pass

    def wait(self) -> None:
        """Wait until all processes have come this far."""
        if self.size > 1:
            dist.barrier()

    def leave(self) -> None:
        """Leave the process group."""
        if self.owned and dist.is_initialized():
            dist.destroy_process_group()
