"""Models of format 2, from Arctag 0.1: one graph, whose settings stood beside those of the network."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeVar

from arctag.layers.derived_trees import DerivedTreeLayer
from arctag.layers.graphs import MAIN, GraphLayer

VERSION = 2
_LABELS = ("spaces", "relations", "tuples")
_HEADS = ("tags.", "relations.", "arcs.")
T = TypeVar("T")


def upgraded(value: dict[str, Any], labels: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """`config.json` and `labels.json` as they are today."""
    settings = {field.name for field in fields(GraphLayer)}
    graph = {key: value[key] for key in settings & value.keys()} | {
        "kind": GraphLayer.kind,
        "name": MAIN,
        "column": "DEPS",
    }
    long = {key: labels[key] for key in _LABELS if key in labels} if isinstance(labels, dict) else {}
    rest = {key: item for key, item in value.items() if key not in settings}
    layers, names = [graph], {MAIN: long}
    if relations := rest.pop("basic_relations", ()):
        layers.append({"kind": DerivedTreeLayer.kind, "name": "tree", "column": "HEAD"})
        names["tree"] = {"relations": relations}
    return {**rest, "layers": layers}, names


def renamed(weights: Mapping[str, T]) -> dict[str, T]:
    """The weights by their names today; those of format 3 stay as they are."""
    return {f"heads.0.{name}" if name.startswith(_HEADS) else name: tensor for name, tensor in weights.items()}
