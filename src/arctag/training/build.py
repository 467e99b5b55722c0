"""From files and a config to a parser with fresh weights, ready to learn."""

from __future__ import annotations

import atexit
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from arctag.backends.inputs import PieceInputs, Tokens, WordInputs
from arctag.backends.torch.backend import TorchBackend
from arctag.backends.torch.hub import only_here
from arctag.backends.torch.subwords import from_tokenizer, load_tokenizer
from arctag.backends.torch.tagger import Tagger
from arctag.encodings import Arcs
from arctag.encodings.label_space import LabelSpace, relation_vocabulary
from arctag.encodings.recommendation import AUTO, best_encoding
from arctag.errors import InputError
from arctag.graph import Graph
from arctag.modelfile.config import BIAFFINE, NULL, ModelConfig
from arctag.modelfile.folder import TOKENIZER
from arctag.parsing.parser import Inputs, Parser
from arctag.sentence import Sentence
from arctag.training.config import TrainConfig
from arctag.training.data import find_tuples

_REACHES = ((0.995, 0), (0.97, 4), (0.0, 10))  # the least share of arcs that labels cover, and how far to look beyond
Vectors = dict[str, npt.NDArray[np.float32]]


def with_encoding(config: TrainConfig, sentences: list[Sentence]) -> TrainConfig:
    """The config with what `auto` stands for: the encoding that suits the training graphs."""
    if config.encodings != (AUTO,):
        return config
    if config.head == "factored":  # only bits have factors
        return replace(config, encoding="bits6-4")
    arcs = Arcs.of([s.graph for s in sentences])
    found = best_encoding(arcs, config.verify, planes=config.planes, crossing=config.crossing)
    return replace(config, encoding=found)


def build_parser(config: TrainConfig, sentences: list[Sentence]) -> Parser:
    """A parser whose labels, relations and words are those of the training sentences."""
    config = with_encoding(config, sentences)
    torch.manual_seed(config.seed)
    vectors = _read_vectors(config.vectors) if config.vectors else {}
    inputs, options, kind, files = _inputs(config, sentences, vectors)
    model_config = _model_config(config, [s.graph for s in sentences], kind, options)
    model_config = replace(model_config, basic_relations=_basic_relations(sentences))
    model = Tagger(model_config)
    if kind == "transformer":
        _load_pretrained(model, config.encoder)
    elif vectors:
        _load_vectors(model, vectors, inputs)
    return Parser(model_config, inputs, TorchBackend(model_config, model, config.device or None), files)


def _basic_relations(sentences: list[Sentence]) -> tuple[str, ...]:
    """The relations of the basic trees, where the files have them beside the graphs."""
    found = {row[7] for s in sentences if s.format == "conllu" for row in s.node_rows if row[6] != "_"}
    return tuple(sorted(found - {"_"}))


def _model_config(config: TrainConfig, graphs: list[Graph], encoder: str, options: dict[str, Any]) -> ModelConfig:
    names = tuple(name for name in config.encodings if name != BIAFFINE)
    relations = relation_vocabulary(r for graph in graphs for r in graph.relations)
    if not relations:
        raise InputError("the training files hold no arc: there is nothing to learn")
    assert config.relations is not None  # this and the next: filled in by `resolved`
    assert config.context_layers is not None
    made = ModelConfig(
        encodings=names, spaces=(), relations=tuple(relations), encoder=encoder, encoder_options=options,
        planes=config.planes, crossing=config.crossing, relation_head=config.relations,
        arc_scorer=bool(config.arc_loss), verify=config.verify, combine=config.combine,
        alternatives=config.alternatives, certain=config.certain,
        context_layers=config.context_layers, context_size=config.context_size, tag_size=config.hidden,
        relation_size=100 if config.relations == "biaffine" else config.hidden, arc_size=config.arc_size,
        dropout=config.dropout, empty=config.empty,
    )  # fmt: skip
    arcs = Arcs.of(graphs)
    spaces, has_null = [], False
    covered = np.zeros(len(arcs.heads), dtype=np.bool_)
    for chosen in made.make_encodings():
        labels = chosen.encode_all(arcs)
        covered |= chosen.covers_all(arcs)
        has_null = has_null or labels.artificial is not None
        factored = config.head == "factored"
        spaces.append(LabelSpace.factored(chosen) if factored else LabelSpace.build(labels, config.least_label))
    # the arc scorer tells null arcs from real ones where there is one; else they are a relation, as in the paper
    known = (*relations, NULL) if has_null and not made.verify else tuple(relations)
    made = replace(made, spaces=tuple(spaces), relations=known, nearby=_nearby(config, covered))
    return replace(made, tuples=find_tuples(made, graphs)) if made.relation_head == "tuple" else made


def _nearby(config: TrainConfig, covered: npt.NDArray[np.bool_]) -> int:
    """How far around a word to look for arcs that no label can propose; most of those are short."""
    if config.nearby is not None:
        return config.nearby
    return next(reach for least, reach in _REACHES if covered.mean() >= least)


def _inputs(
    config: TrainConfig, sentences: list[Sentence], vectors: Vectors
) -> tuple[Inputs, dict[str, Any], str, Path | None]:
    """What turns words into numbers, and the shape of the encoder that reads those."""
    if config.pretrained:
        return _pretrained_inputs(config)
    tokens = [Tokens(s.words, s.tags) for s in sentences]
    words = WordInputs.build(tokens, chars=config.chars, tags=config.tags, least=config.least_word, extra=vectors)
    options: dict[str, Any] = {
        **words.table_sizes(),
        "word_size": config.words,
        "char_size": config.char_size,
        "tag_size": config.tag_size,
        "word_dropout": config.word_dropout,
        "dropout": config.dropout,
    }
    if config.encoder != "lookup":
        options.update(size=config.size, layers=config.layers)
    return words, options, config.encoder, None


def _pretrained_inputs(config: TrainConfig) -> tuple[PieceInputs, dict[str, Any], str, Path]:
    from transformers import AutoConfig

    tokenizer = load_tokenizer(config.encoder)
    try:
        here = only_here(config.encoder)
        shape = AutoConfig.from_pretrained(config.encoder, trust_remote_code=False, local_files_only=here)
    except (OSError, ValueError) as error:
        raise InputError(f"no encoder {config.encoder!r}: {str(error).splitlines()[0]}") from error
    if config.window > (most := _positions(shape)):
        raise InputError(f"window must be at most {most} for {config.encoder}, not {config.window}")
    files = Path(tempfile.mkdtemp(prefix="arctag-"))
    atexit.register(shutil.rmtree, files, ignore_errors=True)
    tokenizer.save_pretrained(files / TOKENIZER)
    inputs = from_tokenizer(tokenizer, config.window or min(_positions(shape), 512), config.pooling)
    return inputs, {"config": shape.to_diff_dict(), "pooling": config.pooling}, "transformer", files


def _positions(shape: Any) -> int:
    """How many pieces an encoder can take; RoBERTa's kin lose two positions to padding."""
    limit = getattr(shape, "max_position_embeddings", None) or -1  # XLNet's kin have no limit
    return limit - 2 if limit > 2 else sys.maxsize


def _load_pretrained(model: Tagger, name: str) -> None:
    from transformers import AutoModel

    try:
        with _without_bar():
            loaded = AutoModel.from_pretrained(
                name, trust_remote_code=False, local_files_only=only_here(name), dtype=torch.float32
            )
    except (OSError, ValueError) as error:
        raise InputError(f"no weights for encoder {name!r}: {str(error).splitlines()[0]}") from error
    encoder: Any = model.encoder
    encoder.model.load_state_dict(loaded.state_dict(), strict=False)


@contextmanager
def _without_bar() -> Iterator[None]:
    """A model loads in a moment, and the run has a bar of its own."""
    from transformers.utils import logging

    bars: Any = logging
    before = bars.is_progress_bar_enabled()
    bars.disable_progress_bar()
    try:
        yield
    finally:
        if before:
            bars.enable_progress_bar()


def _read_vectors(path: str) -> Vectors:
    """Static vectors by lower-cased word, as words are looked up; a word written so wins over others."""
    from arctag.formats.files import lines

    found: Vectors = {}
    exact: set[str] = set()
    for number, line in lines(path):
        word, *numbers = line.rstrip().split(" ")
        if number == 1 and len(numbers) == 1:
            continue  # word2vec's header
        name = word.lower()
        if name in exact or (name in found and word != name):
            continue
        try:
            found[name] = np.array(numbers, dtype=np.float32)
        except ValueError as error:
            raise InputError(f"{path}:{number}: found {error}; expected a word and its numbers") from error
        if word == name:
            exact.add(name)
    return found


def _load_vectors(model: Tagger, vectors: Vectors, inputs: Inputs) -> None:
    assert isinstance(inputs, WordInputs)
    encoder: Any = getattr(model.encoder, "lookup", model.encoder)
    table: torch.Tensor = encoder.words.weight
    with torch.no_grad():
        for word, numbers in vectors.items():
            if len(numbers) != table.shape[1]:
                raise InputError(f"the vector of {word!r} has {len(numbers)} numbers; set words = {len(numbers)}")
            table[inputs.words[word]] = torch.from_numpy(numbers).to(table.device)
