"""Training configs: keys and types checked, presets, TOML there and back."""

from __future__ import annotations

import tomllib
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import pytest

from arctag.errors import InputError, UnknownName
from arctag.training.config import (
    Further,
    TrainConfig,
    field_help,
    from_mapping,
    preset_names,
    read_preset,
    read_toml,
    to_toml,
)


def test_config_unknown_key_lists_the_known_ones() -> None:
    with pytest.raises(UnknownName) as caught:
        from_mapping({"learning_rat": 1.0}, "my.toml")
    assert "unknown key in my.toml: 'learning_rat'. Did you mean 'learning_rate'?" in str(caught.value)
    assert all(field.name in str(caught.value) for field in fields(TrainConfig))


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("epochs", "5", "epochs: found '5'; expected int"),
        ("epochs", 5.0, "epochs: found 5.0; expected int"),
        ("epochs", True, "epochs: found True; expected int"),
        ("epochs", 0, "epochs: found 0; expected int >= 1"),
        ("verify", 1, "verify: found 1; expected bool"),
        ("encoder", 5, "encoder: found 5; expected str"),
        ("learning_rate", "fast", "learning_rate: found 'fast'; expected float"),
        ("nearby", "far", "nearby: found 'far'; expected int"),
        ("train", 5, "train: found 5; expected list"),
        ("train", ["a", 5], r"train\[1\]: found 5; expected str"),
        ("train", None, "train: found None; expected list"),
        ("planes", "lazy", "unknown value for planes in x.toml: 'lazy'. Known: best, greedy"),
        ("relation_head", "affine", "x.toml: unknown value for relation_head: 'affine'. Did you mean 'biaffine'"),
    ],
)
def test_config_wrong_type_is_told(key: str, value: object, expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        from_mapping({key: value}, "x.toml")


def test_config_takes_what_is_meant() -> None:
    config = from_mapping({"train": "a.conllu", "dev": ["b", "c"], "learning_rate": 1, "arc_scorer": None}, "x")
    assert (config.train, config.dev, config.learning_rate, config.arc_scorer) == (("a.conllu",), ("b", "c"), 1.0, None)


@pytest.mark.parametrize(
    "bad",
    [
        {"planes": "lazy"}, {"crossing": "x"}, {"tag_head": "x"}, {"relation_head": "x"}, {"combine": "x"},
        {"empty": "keep"}, {"pooling": "max"}, {"precision": "fp16"}, {"encoding": "bits9-2"}, {"encoding": "bits6"},
        {"encoding": ""}, {"encoding": "biaffine,bits6-4"}, {"encoding": "auto,bits6-4"}, {"encoding": " , "},
        {"epochs": 0}, {"patience": 0}, {"accumulate": 0}, {"evaluate_every": 0}, {"size": 0}, {"encoder_layers": 0},
        {"word_size": 0}, {"tag_hidden": 0}, {"relation_hidden": 0}, {"arc_hidden": 0}, {"min_word_count": 0},
        {"min_label_count": 0}, {"char_size": 0}, {"tag_size": 0}, {"tag_size": 7}, {"context_size": 0},
        {"context_layers": -1}, {"window": -1}, {"batch_tokens": 0}, {"alternatives": -1}, {"alternatives": 10**9},
        {"dropout": 1.0}, {"dropout": -0.1}, {"dropout": float("nan")}, {"word_dropout": 1.5}, {"warmup": 1.0},
        {"warmup": -1.0}, {"beta2": 1.0}, {"weight_decay": -1.0}, {"learning_rate": -1.0},
        {"learning_rate": float("nan")}, {"learning_rate": float("inf")}, {"encoder_learning_rate": -1.0},
        {"clip": 0.0}, {"clip": float("nan")}, {"arc_weight": -1.0}, {"seed": -1}, {"seed": 2**40},
    ],
    ids=str,
)  # fmt: skip
def test_config_bad_values_are_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(InputError) as caught:
        from_mapping(bad, "x")
    assert "\n" not in str(caught.value)
    assert any(name in str(caught.value) for name in (*bad, "biaffine stands alone"))


@pytest.mark.parametrize("name", preset_names())
def test_config_presets_load(name: str) -> None:
    config = from_mapping(read_preset(name), name).resolved()
    assert not config.verify
    assert config.epochs == 200


def test_config_the_presets_are_three() -> None:
    assert preset_names() == ["paper-bilstm", "paper-xlmr", "paper-xlnet"]
    with pytest.raises(UnknownName, match="Known: paper-bilstm, paper-xlmr, paper-xlnet"):
        read_preset("paper")


@pytest.mark.parametrize(
    "config",
    [
        TrainConfig(),
        TrainConfig(train=("a b", 'q"\\uote', "tab\t", "ünï"), name="\x7f\n", learning_rate=1e-5, verify=False),
        TrainConfig(
            layers=("upos", "ner=MISC:NER"),
            layer={"upos": {"weight": 0.5}, "tree": {"encoding": "relative"}},
            also={"dm": Further(train=("a.sdp",), repeat=2), "srl": Further(train=("b",), dev=("c",), column="SRL")},
        ),
        *(from_mapping(read_preset(name), name) for name in preset_names()),
    ],
)
def test_config_resolved_survives_toml(config: TrainConfig) -> None:
    config = config.resolved()
    open_keys = {key for key, value in asdict(config).items() if value is None}
    # the data decides about these, and the encoder about its dropout
    assert {"nearby"} <= open_keys <= {"nearby", "lexical", "gold_repeat", "encoder_dropout"}
    assert from_mapping(tomllib.loads(to_toml(config)), "x") == config
    assert config.resolved() == config


def test_config_resolved_depends_on_the_encoder() -> None:
    word, pretrained = TrainConfig().resolved(), TrainConfig(encoder="xlm-r").resolved()
    assert (word.context_layers, pretrained.context_layers) == (0, 2)
    assert word.arc_scorer
    assert not TrainConfig(verify=False).resolved().arc_scorer
    assert TrainConfig(verify=False, arc_scorer=True).resolved().arc_scorer
    assert word.relation_weight == TrainConfig(verify=False, arc_scorer=True).resolved().relation_weight == 2
    assert TrainConfig(verify=False).resolved().relation_weight == 1
    assert TrainConfig(relation_weight=0.5).resolved().relation_weight == 0.5
    baseline = TrainConfig(encoding="biaffine").resolved()
    assert baseline.relation_weight == 1
    assert (baseline.verify, baseline.arc_scorer, baseline.relation_head) == (False, True, "biaffine")


def test_config_a_rate_of_nothing_is_kept() -> None:
    config = TrainConfig(learning_rate=0.0, encoder_learning_rate=0.0).resolved()
    assert (config.learning_rate, config.encoder_learning_rate) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("content", "message"), [(b"epochs = ", "not TOML"), (b"\xff", "not TOML"), (None, "cannot read")]
)
def test_config_damaged_file_is_refused(tmp_path: Path, content: bytes | None, message: str) -> None:
    path = tmp_path / "my.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_toml(path)


def test_config_every_key_is_documented() -> None:
    assert [key for key, (text, _) in field_help().items() if not text] == []
    assert not any("MISSING" in str(default) for _, default in field_help().values())


@pytest.mark.parametrize(
    "text", ["threshold = ", "seed = " + "9" * 5000, "train = " + "[" * 5000, "encoder = 5", "pooling = 'x'"]
)
def test_config_errors_name_the_file(tmp_path: Path, text: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=r"mine\.toml"):
        from_mapping(read_toml(path), str(path))
