"""Settings: one name and one default in training, in the model and on the command line."""

from __future__ import annotations

from dataclasses import fields

from arctag.cli.train import command
from arctag.layers.graphs import GraphLayer
from arctag.layers.settings import GraphSettings, TagSettings
from arctag.layers.tags import TagLayer
from arctag.modelfile.config import ModelConfig
from arctag.modelfile.settings import NetworkSettings
from arctag.training.config import TrainConfig

SHARED = {NetworkSettings: ModelConfig, GraphSettings: GraphLayer}
OPEN = {"encoding", "nearby", "lexical"}  # the treebank decides


def test_settings_of_a_model_are_those_of_its_training() -> None:
    trained = TrainConfig().resolved()
    keys = [(field.name, model) for settings, model in SHARED.items() for field in fields(settings)]
    assert len(keys) > 15
    for key, model in keys:
        if key not in OPEN:
            assert {field.name: field.default for field in fields(model)}[key] == getattr(trained, key), key


def test_settings_of_tags_are_those_of_the_layer() -> None:
    defaults = {field.name: field.default for field in fields(TagLayer)}
    for field in fields(TagSettings):
        assert defaults[field.name] == (False if field.name == "shapes" else field.default)  # the encoder decides


def test_settings_are_options_of_the_command_line() -> None:
    keys = [field.name for field in fields(TrainConfig)]
    assert {field.name for settings in SHARED for field in fields(settings)} < set(keys)
    options = {parameter.name: parameter for parameter in command.params}
    for key in keys:
        assert f"--{key.replace('_', '-')}" in options[key].opts
        assert not options[key].default  # the config has it
