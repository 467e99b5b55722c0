"""`parse`: a Ray dataset of documents in, a Ray dataset of sentences out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import ray
from ray.data import ActorPoolStrategy

from arctag.arrow import ArrowParser
from arctag.errors import InputError
from arctag.parsing.parser import ParseOptions

if TYPE_CHECKING:
    from ray.data import Dataset

CPU_BATCH, GPU_BATCH = 256, 4096
"""Documents of a batch."""
_BATCHES_OF_A_BLOCK = 4


def parse(
    dataset: Dataset,
    model: str | Path = "en",
    *,
    text: str | None = None,
    words: str | None = None,
    id: str | None = None,
    options: ParseOptions | None = None,
    layout: str = "paragraphs",
    actors: int | tuple[int, int] | None = None,
    num_cpus: float = 1,
    num_gpus: float = 0,
    batch_size: int | None = None,
    device: str | None = None,
) -> Dataset:
    """Parse the documents of a Ray dataset: a row for each sentence of each document (the columns: docs/arrow.md).

    `text` or `words` names the column with documents, and `id` the one with their ids; other columns are not kept. A
    document that cannot be parsed is a row with its error.

    There are so many `actors`, or from so many to so many, by default one for each CPU or share of a GPU that the
    cluster has; each loads the model, and takes `num_cpus` and `num_gpus`, which may be a fraction.
    `batch_size` is the number of documents that are parsed together: 256 by default, and 4096 on a GPU.

    Reading and writing take CPUs too: if actors leave none of the cluster's, that is an `InputError`, since Ray would
    wait for ever.
    """
    _check_room(actors, num_cpus)
    size = batch_size or (GPU_BATCH if num_gpus else CPU_BATCH)
    parser = ArrowParser(
        model, text, words, id, options or ParseOptions(), layout, device or ("cuda" if num_gpus else "cpu")
    )
    _ = parser.schema, parser.fields  # what is wrong with them is an error now, not later and elsewhere
    # a small file is one block, and a block is parsed by one actor
    blocks = dataset.repartition(target_num_rows_per_block=_BATCHES_OF_A_BLOCK * size)
    return blocks.map_batches(
        _Actor,
        fn_constructor_args=[parser],
        batch_format="pyarrow",
        batch_size=size,
        compute=_pool(actors),
        num_cpus=num_cpus,
        num_gpus=num_gpus or None,
    )


def _check_room(actors: int | tuple[int, int] | None, cpus: float) -> None:
    """Refuse actors that leave no CPU of the cluster to what comes before and after them."""
    least = actors if isinstance(actors, int) else actors[0] if actors else 1
    resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call, unused-ignore]
    there = resources.get("CPU", 0.0)
    if least * cpus + 1 > there:
        raise InputError(
            f"{least} actors take {least * cpus:g} of the {there:g} CPUs of the cluster, and reading and writing need "
            "one more: use fewer actors, or give each less (num_cpus=0.5)"
        )


def _pool(actors: int | tuple[int, int] | None) -> ActorPoolStrategy:
    if isinstance(actors, int):
        return ActorPoolStrategy(size=actors)
    if actors is None:
        return ActorPoolStrategy(min_size=1)
    return ActorPoolStrategy(min_size=actors[0], max_size=actors[1])


class _Actor:
    """What parses batches in a process of its own.

    The model is loaded for the first batch, not in the constructor: Ray tries failed constructors again.
    """

    def __init__(self, parser: ArrowParser) -> None:
        self.parser = parser

    def __call__(self, batch: pa.Table) -> pa.Table:
        return self.parser(batch)
