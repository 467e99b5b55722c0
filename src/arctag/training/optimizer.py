"""AdamW, and how its learning rates rise and fall."""

from __future__ import annotations

import torch

from arctag.training.config import TrainConfig


def make_optimizer(config: TrainConfig, model: torch.nn.Module) -> torch.optim.Optimizer:
    """AdamW, with a learning rate of its own for a pretrained encoder and no weight decay for biases and norms."""
    groups: dict[tuple[float, float], list[torch.nn.Parameter]] = {}
    for name, parameter in model.named_parameters():
        pretrained = config.pretrained and name.startswith("encoder.")
        rate = config.encoder_learning_rate if pretrained else config.learning_rate
        decay = config.weight_decay if parameter.dim() > 1 else 0.0
        groups.setdefault((rate, decay), []).append(parameter)
    fused = True
    return torch.optim.AdamW(
        [{"params": ps, "lr": rate, "base": rate, "weight_decay": decay} for (rate, decay), ps in groups.items()],
        betas=(0.9, config.beta2),
        fused=fused,
    )


def schedule(config: TrainConfig, step: int, total: int) -> float:
    """The share of the learning rate at a step: linear warm-up, then linear decay."""
    rise = max(1, int(config.warmup * total))
    if step <= rise and config.warmup > 0:
        return step / rise
    return max(0.0, (total - step + 1) / max(1, total - rise)) if config.linear_decay else 1.0
