"""Graphs as lists of heads, dependents, relations and probabilities: an entry for each relation of each arc."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from arctag.blocks.arcs import BlockArcs
from arctag.cells import Longs, Numbers
from arctag.encodings.labels import offsets_of
from arctag.formats.columnar.schema import GRAPH
from arctag.formats.columnar.strings import lists, numbers_of
from arctag.graph import FloatArray


def graph_array(
    starts: Longs, heads: Numbers, dependents: Numbers, relations: pa.Array, probabilities: FloatArray | None = None
) -> pa.Array:
    """The graphs of sentences; the arcs of sentence s are those from `starts[s]` to `starts[s + 1] - 1`."""
    known = pa.nulls(len(heads), pa.float32())
    if probabilities is not None:
        known = pa.array(probabilities, pa.float32(), mask=np.isnan(probabilities))
    return lists([numbers_of(heads), numbers_of(dependents), relations, known], starts, GRAPH)


def array_of_graphs(graphs: BlockArcs, probabilities: FloatArray | None = None) -> pa.Array:
    """The same from arcs that may have several relations; without probabilities their own are taken."""
    arcs, numbers, names = graphs.arcs, graphs.numbers, graphs.names
    counts = np.array([len(relations) for relations in names], dtype=np.int64)
    of_arcs = counts[numbers] if len(names) else np.zeros(0, np.int64)
    firsts = offsets_of(counts)[:-1]
    within = np.arange(of_arcs.sum()) - np.repeat(offsets_of(of_arcs)[:-1], of_arcs)
    texts = pa.array([name for relations in names for name in relations], pa.string())
    relations = texts.take(pa.array(np.repeat(firsts[numbers], of_arcs) + within if len(names) else within))
    if probabilities is None:
        probabilities = graphs.probabilities
    return graph_array(
        offsets_of(of_arcs)[arcs.starts],
        np.repeat(arcs.heads, of_arcs),
        np.repeat(arcs.dependents, of_arcs),
        relations,
        None if probabilities is None else np.repeat(probabilities, of_arcs),
    )


def probabilities_of(graphs: BlockArcs, starts: Longs, heads: Numbers, dependents: Numbers) -> FloatArray | None:
    """What graphs say of some of their arcs, in any order; not a number where they say nothing."""
    if graphs.probabilities is None:
        return None
    arcs, size = graphs.arcs, int(graphs.arcs.sizes.max(initial=0)) + 1
    known, wanted = _keys(arcs.starts, arcs.heads, arcs.dependents, size), _keys(starts, heads, dependents, size)
    places = np.searchsorted(known, wanted)
    found = np.append(known, -1)[places] == wanted
    return np.where(found, np.append(graphs.probabilities, np.float32(np.nan))[places], np.float32(np.nan))


def _keys(starts: Longs, heads: Numbers, dependents: Numbers, size: int) -> Longs:
    """A number for each arc, by sentence, dependent and head."""
    owners = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    keys: Longs = (owners * size + dependents) * size + heads
    return keys
