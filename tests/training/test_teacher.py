"""Learning from a teacher as well as from the gold graphs."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from arctag.backends.inputs import Tokens
from arctag.backends.torch.backend import TorchBackend, to_device
from arctag.backends.torch.losses import Answers, soft_losses
from arctag.backends.torch.tagger import Tagger
from arctag.encodings.encoded import EncodedGraphs
from arctag.errors import InputError
from arctag.parsing.parser import Parser
from arctag.training.dataset import Dataset
from arctag.training.teacher import Teacher
from tests.networks import fit, small

CPU = torch.device("cpu")


def model(parser: Parser) -> Tagger:
    assert isinstance(parser.backend, TorchBackend)
    return parser.backend.model


def test_teacher_answers_cannot_be_bettered(tmp_path: Path) -> None:
    """At the teacher's own answers every soft loss is at its least: no gradient is left."""
    parser = fit(small(tmp_path / "m", epochs=1))
    words = ["She", "wants", "to", "leave"]
    data = Dataset.build(parser.config, [Tokens(words)], EncodedGraphs([next(parser.parse([words])).graph]))
    arrays, targets = data.batch([0], parser.inputs)
    with torch.no_grad():
        known = model(parser).eval().answers(to_device(arrays, CPU), to_device(targets, CPU))
    assert known.arcs is not None
    tags, relations, arcs = (t.clone().requires_grad_() for t in (known.tags[0][0], known.relations, known.arcs))
    losses = soft_losses(Answers(known.words, [[tags]], relations, known.by_word, arcs, known.pairs), known)
    torch.stack(list(losses.values())).sum().backward()  # type: ignore[no-untyped-call]
    for scores in (tags, relations, arcs):
        assert scores.grad is not None
        assert float(scores.grad.abs().max()) < 1e-6
    assert all(float(loss.detach()) > 0 for loss in losses.values())  # the teacher has doubts


def test_teacher_alone_teaches(tmp_path: Path, sample: Path) -> None:
    """With all the weight on the teacher a student learns its graphs without ever seeing a gold one."""
    taught = fit(small(tmp_path / "teacher", epochs=8))
    student = fit(small(tmp_path / "student", epochs=8, teacher=str(tmp_path / "teacher"), teacher_weight=1.0, seed=3))
    alone = fit(small(tmp_path / "alone", epochs=1, seed=3))
    wanted = [s.graph.arc_set() for s in taught.parse(sample)]

    def shared(parser: Parser) -> int:
        return sum(len(w & s.graph.arc_set()) for w, s in zip(wanted, parser.parse(sample), strict=True))

    assert shared(student) > shared(alone)


def test_teacher_of_other_labels_is_refused(tmp_path: Path) -> None:
    fit(small(tmp_path / "teacher", epochs=1, encoding="relative"))
    with pytest.raises(InputError, match="has other encodings: train both on the same files"):
        fit(small(tmp_path / "student", teacher=str(tmp_path / "teacher")))


def test_teacher_without_arc_scorer_is_refused(tmp_path: Path) -> None:
    plain = fit(small(tmp_path / "teacher", epochs=1, verify=False, encoding="bits6-4"))
    whole = fit(small(tmp_path / "whole", epochs=1, encoding="bits6-4"))
    assert plain.config.relations == whole.config.relations
    with pytest.raises(InputError, match="has no arc scorer"):
        Teacher(str(tmp_path / "teacher"), whole.config, "cpu")
