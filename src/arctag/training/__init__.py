"""Training: a typed config, batches, the loop as a stream of events, checkpoints."""

from arctag.training.api import train
from arctag.training.config import TrainConfig
from arctag.training.events import Evaluated, Finished, Noticed, Started, Stepped

__all__ = ["Evaluated", "Finished", "Noticed", "Started", "Stepped", "TrainConfig", "train"]
