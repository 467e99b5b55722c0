"""Speed of encodings: on whole files, and on sentences of growing length."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from arctag.analysis.timing import best_of
from arctag.encodings import Arcs, Encoding, encoding, standard_names, tree_names
from arctag.encodings.labels import offsets_of
from arctag.encodings.trees.base import are_trees
from arctag.errors import InputError
from arctag.graph import IntArray

LENGTHS = (10, 100, 1_000, 10_000)


def bench_encodings(arcs: Arcs, names: Sequence[str] | None = None, **options: Any) -> dict[str, dict[str, int]]:
    """Tokens per second of encoding and decoding a whole file at once: one thread, kernels warm."""
    tokens = int(arcs.sizes.sum())
    rows = {}
    for name in names or _suitable(arcs):
        chosen = encoding(name, **options)
        encode, decode = _seconds(chosen, arcs)
        rows[chosen.name] = {
            "encode_tokens_per_s": round(tokens / encode),
            "decode_tokens_per_s": round(tokens / decode),
        }
    return rows


def _suitable(arcs: Arcs) -> list[str]:
    """The encodings to measure where none is named."""
    return standard_names() + (tree_names() if are_trees(arcs) else [])


def _seconds(chosen: Encoding, arcs: Arcs) -> tuple[float, float]:
    labels = chosen.encode_all(arcs)
    return best_of(lambda: chosen.encode_all(arcs)), best_of(lambda: chosen.decode_all(labels))


def bench_lengths(
    arcs: Arcs, names: Sequence[str] | None = None, lengths: Iterable[int] = LENGTHS, **options: Any
) -> dict[str, dict[str, dict[str, float]]]:
    """Nanoseconds per token when the same sentences are joined into longer and longer ones."""
    rows: dict[str, dict[str, dict[str, float]]] = {}
    for length in lengths:
        joined = join_to_length(arcs, length)
        scale = 1e9 / int(joined.sizes.sum())
        for name in names or _suitable(arcs):
            chosen = encoding(name, **options)
            encode, decode = _seconds(chosen, joined)
            rows.setdefault(chosen.name, {})[str(length)] = {
                "encode_ns_per_token": round(encode * scale, 1),
                "decode_ns_per_token": round(decode * scale, 1),
            }
    return rows


def join_to_length(arcs: Arcs, length: int, tokens: int = 50_000) -> Arcs:
    """About `tokens` words in sentences of about `length` words, made by joining neighbours (or cutting).

    Trees stay trees: of those that are cut, words without a head are below the root.
    """
    trees = are_trees(arcs)
    sizes: list[int] = [0]
    starts: list[int] = [0]
    heads: list[IntArray] = []
    dependents: list[IntArray] = []
    tags: list[IntArray] = []
    words = offsets_of(arcs.sizes)
    if not arcs.sizes.sum():
        raise InputError("no words to measure with")
    count, total, i = 0, 0, 0
    while total < tokens:
        s = i % len(arcs)
        i += 1
        part = slice(arcs.starts[s], arcs.starts[s + 1])
        head, dependent, size = arcs.heads[part], arcs.dependents[part], int(arcs.sizes[s])
        if size > length:  # keep the first words and the arcs among them
            inside = (trees | (head <= length)) & (dependent <= length)
            head, dependent, size = head[inside], dependent[inside], length
            head = np.where(head <= length, head, 0)
        if sizes[-1] + size > length:
            sizes.append(0)
            starts.append(count)
        heads.append(np.where(head > 0, head + sizes[-1], 0).astype(np.int32))
        dependents.append(dependent + np.int32(sizes[-1]))
        if arcs.tags is not None:
            tags.append(arcs.tags[words[s] : words[s] + size])
        sizes[-1] += size
        count += len(head)
        total += size
    return Arcs(
        np.array(sizes, dtype=np.int32),
        np.array([*starts, count], dtype=np.int64),
        np.concatenate(heads),
        np.concatenate(dependents),
        np.concatenate(tags) if tags else None,
    )
