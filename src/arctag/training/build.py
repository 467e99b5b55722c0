"""From treebanks and a config to a parser with fresh weights, ready to learn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any, Literal, NamedTuple

import torch

from arctag.backends.torch.backend import TorchBackend
from arctag.backends.torch.encoders import ENCODERS
from arctag.backends.torch.heads import RELATION_HEADS
from arctag.backends.torch.tagger import Tagger
from arctag.errors import InputError, UnknownName
from arctag.layers import Layer, LearnedLayer, Targets, learned_kind
from arctag.layers.arc_targets import GraphTargets
from arctag.layers.arcs import ArcLayer
from arctag.layers.derived_trees import DerivedTreeLayer
from arctag.layers.filled import filled, half_filled
from arctag.layers.graphs import MAIN, GraphLayer
from arctag.layers.settings import TAG_LAYER, GraphTraining, TagTraining
from arctag.layers.trees import TREE, TreeLayer
from arctag.modelfile.config import ModelConfig
from arctag.modelfile.settings import NetworkSettings
from arctag.parsing.parser import Parser
from arctag.training.config import TrainConfig
from arctag.training.dataset import Dataset, Mixture
from arctag.training.treebanks import Treebank


class Built(NamedTuple):
    """A parser to train, its network, and the training data in its labels."""

    parser: Parser
    backend: TorchBackend
    data: Mixture


def build(config: TrainConfig, treebanks: Sequence[Treebank]) -> Built:
    """A parser whose labels, relations and words are those of the treebanks."""
    encoder = ENCODERS[config.encoder_kind].load_class()
    gold = [treebank for treebank in treebanks if not treebank.silver]
    names = dict.fromkeys(name for treebank in gold for name in treebank.layers)
    for name in config.layer:
        if name not in names:
            if name == TREE and (why := half_filled(treebanks[0].train)):
                raise InputError(why)
            raise UnknownName("layer that has settings:", name, names)
    learned = {name: _learned(name, config, gold, TAG_LAYER in names) for name in names}
    data = Mixture([_dataset(treebank, gold, learned, config.tags) for treebank in treebanks])
    prepared = encoder.prepare(config, [tokens for part in data.parts for tokens in part.tokens])
    layers = _linked([layer for layer, _ in learned.values()])
    model_config = ModelConfig(
        **{field.name: getattr(config, field.name) for field in fields(NetworkSettings)},
        encoder=config.encoder_kind,
        encoder_options=prepared.options,
        layers=(*layers, *_derived(layers, treebanks[0])),
    )
    torch.manual_seed(config.seed)
    model = Tagger(model_config)
    prepared.fill(model.encoder)
    backend = TorchBackend(model_config, model, config.device or None)
    return Built(Parser(model_config, prepared.inputs, backend, prepared.files), backend, data)


def _learned(
    name: str, config: TrainConfig, treebanks: Sequence[Treebank], has_tags: bool
) -> tuple[LearnedLayer, Targets]:
    """A layer with what there is of it in the treebanks that have it, and its targets there, one after another."""
    those = [treebank for treebank in treebanks if name in treebank.layers]
    place = those[0].layers[name]
    kind = learned_kind(place.kind)
    source: Literal["lemma", "form"] = "lemma" if "lemma" in those[0].layers else "form"
    sentences = [sentence for treebank in those for sentence in treebank.train]
    settings = _settings(name, kind, config, source)
    if isinstance(settings, GraphTraining) and settings.needs_tags and not has_tags:
        raise InputError(
            f"layer {name}: encoding {settings.encoding} needs the layer {TAG_LAYER} beside it, whose tags its labels "
            "count; learn that, too, or use another encoding"
        )
    layer, targets = kind.learn(name, place.column, sentences, settings)
    if isinstance(layer, ArcLayer) and RELATION_HEADS[layer.relation_head].load_class().by_word:
        assert isinstance(targets, GraphTargets)
        layer, targets = layer.with_tuples(targets)
    return layer, targets


def _settings(name: str, kind: type[LearnedLayer], config: TrainConfig, source: Literal["lemma", "form"]) -> Any:
    """The settings of a layer: its own, else those of the whole run; words in relations are copied from a source."""
    settings = config.settings_of(name, kind.training)
    if isinstance(settings, GraphTraining) and settings.lexical == "lemma" and source != "lemma":
        raise InputError(
            f"layer {name}: lexical = 'lemma' needs the layer lemma beside it; learn that, too, or use 'form'"
        )
    if isinstance(settings, GraphTraining) and settings.lexical is None:
        return replace(settings, lexical=source if kind is GraphLayer else "none")
    if not isinstance(settings, TagTraining):
        return settings
    if settings.shapes and not config.pretrained:
        raise InputError(f"layer {name}: shapes are for pretrained encoders; {config.encoder} reads characters")
    return replace(settings, shapes=config.pretrained) if settings.shapes is None else settings


def _dataset(
    treebank: Treebank, gold: Sequence[Treebank], learned: dict[str, tuple[LearnedLayer, Targets]], tags: bool
) -> Dataset:
    """A treebank in the labels of the layers that were learned from gold."""
    targets = {}
    for name, place in treebank.layers.items():
        layer, known = learned[name]
        if place.kind != layer.kind:
            raise InputError(f"layer {name} is {place.kind} in one treebank and {layer.kind} in another")
        alone = not treebank.silver and sum(name in other.layers for other in gold) == 1
        there = replace(layer, column=place.column)  # which may be another one than in the first treebank
        targets[name] = known if alone else there.targets(treebank.train)
    return Dataset.build(treebank.train, targets, treebank.repeat, tags)


def _linked(layers: Sequence[Layer]) -> list[Layer]:
    """The layers; the main graph is completed by the tree, if both are learned."""
    has_tree = any(isinstance(layer, TreeLayer) and layer.name == TREE for layer in layers)
    return [
        replace(layer, tree=TREE) if has_tree and isinstance(layer, GraphLayer) and layer.name == MAIN else layer
        for layer in layers
    ]


def _derived(layers: Sequence[Layer], main: Treebank) -> list[Layer]:
    """The tree inside the graph, for a model that learns the graph alone of files that have both."""
    names = {layer.name for layer in layers}
    if "graph" not in names or "tree" in names or "tree" not in filled(main.train):
        return []
    relations = {relation for sentence in main.train for relation in sentence.column(7)}
    return [DerivedTreeLayer(name="tree", column="HEAD", relations=tuple(sorted(relations - {"_"})))]
