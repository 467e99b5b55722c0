"""What every job imports, imported once: `workers` forks jobs from a process that has imported this module."""

from __future__ import annotations

from contextlib import suppress

import torch

import arctag.analysis.evaluation
import arctag.training.loop  # noqa: F401

torch.optim.AdamW([torch.nn.Parameter(torch.zeros(1))])  # the first optimiser imports much of torch
with suppress(ImportError):
    import transformers.models.bert.modeling_bert
    import transformers.models.mpnet.modeling_mpnet  # noqa: F401
