"""Settings: one name and one default in training, in the model and on the command line."""

from __future__ import annotations

from dataclasses import fields

from arctag.cli.train import command
from arctag.modelfile.config import ModelConfig
from arctag.modelfile.settings import ModelSettings
from arctag.training.config import TrainConfig

SHARED = [field.name for field in fields(ModelSettings)]
OPEN = {"encoding", "nearby"}  # the treebank decides


def test_settings_of_a_model_are_those_of_its_training() -> None:
    trained = TrainConfig().resolved()
    defaults = {field.name: field.default for field in fields(ModelConfig)}
    assert len(SHARED) > 15
    for key in set(SHARED) - OPEN:
        assert defaults[key] == getattr(trained, key), key


def test_settings_are_options_of_the_command_line() -> None:
    keys = [field.name for field in fields(TrainConfig)]
    assert set(SHARED) < set(keys)
    options = {parameter.name: parameter for parameter in command.params}
    for key in keys:
        assert f"--{key.replace('_', '-')}" in options[key].opts
        assert options[key].default is None  # the config has it
