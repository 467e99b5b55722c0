"""From sentences and a config to a parser with fresh weights, ready to learn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import NamedTuple

import numpy as np
import torch

from arctag.backends.inputs import Tokens
from arctag.backends.torch.backend import TorchBackend
from arctag.backends.torch.encoders import ENCODERS
from arctag.backends.torch.encoders.base import Prepared
from arctag.backends.torch.heads import RELATION_HEADS
from arctag.backends.torch.tagger import Tagger
from arctag.encodings import Encoding, Labels
from arctag.encodings.encoded import EncodedGraphs
from arctag.encodings.label_space import LabelSpace, relation_vocabulary
from arctag.encodings.labels import offsets_of
from arctag.encodings.recommendation import AUTO, best_encoding
from arctag.errors import InputError
from arctag.graph import BoolArray
from arctag.modelfile.config import NULL, ModelConfig
from arctag.modelfile.settings import ModelSettings
from arctag.parsing.parser import Parser
from arctag.sentence import Sentence
from arctag.training.config import TrainConfig
from arctag.training.dataset import ArcTargets, Dataset

_FACTORED = "bits6-4"  # only bits have factors
_REACHES = ((0.995, 0), (0.97, 4), (0.0, 10))  # the least share of arcs that labels cover, and how far to look beyond


class Built(NamedTuple):
    """A parser to train, its network, and the training data in its labels."""

    parser: Parser
    backend: TorchBackend
    data: Dataset


def with_encoding(config: TrainConfig, graphs: EncodedGraphs) -> TrainConfig:
    """The config with what `auto` stands for: the encoding that suits the training graphs."""
    if config.encodings != (AUTO,):
        return config
    if config.tag_head == "factored":
        return replace(config, encoding=_FACTORED)
    best = best_encoding(graphs, config.verify, planes=config.planes, crossing=config.crossing)
    return replace(config, encoding=best)


def build(config: TrainConfig, sentences: Sequence[Sentence], graphs: EncodedGraphs) -> Built:
    """A parser whose labels, relations and words are those of the training sentences; the graphs are theirs."""
    config = with_encoding(config, graphs)
    encoder = ENCODERS[config.encoder_kind].load_class()
    tokens = [Tokens(sentence.words, sentence.tags) for sentence in sentences]
    prepared = encoder.prepare(config, tokens)
    model_config, arcs = _model_config(config, sentences, graphs, prepared)
    torch.manual_seed(config.seed)
    model = Tagger(model_config)
    prepared.fill(model.encoder)
    backend = TorchBackend(model_config, model, config.device or None)
    parser = Parser(model_config, prepared.inputs, backend, prepared.files)
    return Built(parser, backend, Dataset.build(model_config, tokens, graphs, arcs))


def _model_config(
    config: TrainConfig, sentences: Sequence[Sentence], graphs: EncodedGraphs, prepared: Prepared
) -> tuple[ModelConfig, ArcTargets]:
    """The shape of the model, and the arcs it learns from."""
    relations = tuple(relation_vocabulary(names for graph in graphs.graphs for names in graph.relations))
    if not relations:
        raise InputError("the training files hold no arc: there is nothing to learn")
    encodings = config.make_encodings()
    labels = [graphs.labels(chosen) for chosen in encodings]
    if any(some.artificial is not None for some in labels) and not config.verify:
        relations = (*relations, NULL)  # as in the paper; an arc scorer rejects null arcs
    arcs = ArcTargets.of(relations, encodings, graphs)
    assert config.relation_head is not None  # filled in by `resolved`
    by_word = RELATION_HEADS[config.relation_head].load_class().by_word
    tuples = arcs.word_tuples(offsets_of(graphs.arcs.sizes)) if by_word else []
    shared = {field.name: getattr(config, field.name) for field in fields(ModelSettings)}
    if config.nearby is None:
        shared["nearby"] = _nearby([graphs.covered(chosen) for chosen in encodings])
    model_config = ModelConfig(
        **shared,
        encoder=config.encoder_kind,
        encoder_options=prepared.options,
        spaces=tuple(_space(config, chosen, some) for chosen, some in zip(encodings, labels, strict=True)),
        relations=relations,
        tuples=tuple(sorted(set(tuples))),
        basic_relations=_basic_relations(sentences),
    )
    return model_config, arcs


def _space(config: TrainConfig, chosen: Encoding, labels: Labels) -> LabelSpace:
    if config.tag_head == "factored":
        return LabelSpace.factored(chosen)
    return LabelSpace.build(labels, config.min_label_count)


def _nearby(covered: Sequence[BoolArray]) -> int:
    """How far around a word to look for arcs that no label can propose; most of those are short."""
    share = np.logical_or.reduce(covered).mean() if covered else 0.0
    return next(reach for least, reach in _REACHES if share >= least)


def _basic_relations(sentences: Sequence[Sentence]) -> tuple[str, ...]:
    """The relations of the basic trees, where the files have them beside the graphs."""
    relations = {row[7] for s in sentences if s.format == "conllu" for row in s.node_rows if row[6] != "_"}
    return tuple(sorted(relations - {"_"}))
