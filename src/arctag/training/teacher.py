"""Distillation: a larger model answers about every training batch, and the new one learns its probabilities."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from arctag.backends.inputs import Tokens
from arctag.backends.torch.backend import TorchBackend, to_device
from arctag.backends.torch.losses import Answers, soft_losses
from arctag.errors import InputError
from arctag.modelfile.config import ModelConfig
from arctag.parsing.loading import load


class Teacher:
    """A trained model that the new one learns from."""

    def __init__(self, folder: str, student: ModelConfig, device: str) -> None:
        self.parser = load(folder, device)
        backend, known = self.parser.backend, self.parser.config
        if not isinstance(backend, TorchBackend):
            raise InputError(f"{folder} is an exported model: a teacher must be one that `arctag train` wrote")
        for what, same in (
            ("encodings", known.encodings == student.encodings),
            ("labels", [s.to_json() for s in known.spaces] == [s.to_json() for s in student.spaces]),
            ("relations", (known.relations, known.tuples) == (student.relations, student.tuples)),
        ):
            if not same:
                raise InputError(
                    f"the teacher {folder} has other {what}: train both on the same files, with the same encoding"
                )
        if student.arc_scorer and not known.arc_scorer:
            raise InputError(f"the teacher {folder} has no arc scorer: train it with verify or arc_scorer")
        self.model, self.device = backend.model.eval(), backend.device

    def losses(self, answers: Answers, sentences: Sequence[Tokens], targets: dict[str, Tensor]) -> dict[str, Tensor]:
        """The losses against the teacher's answers; it has inputs of its own."""
        with torch.no_grad():
            inputs = to_device(self.parser.inputs.arrays(sentences), self.device)
            known = self.model.answers(inputs, targets)
        return soft_losses(answers, known)
