"""What a treebank is like, and what each encoding makes of it: statistics, coverage, a recommendation.

The statistics are the paper's: empty nodes and their arcs are left out, several relations between
two words are one arc, arcs from the root count, planes are counted by strict greedy assignment.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from arctag.blocks.arcs import BlockArcs
from arctag.blocks.flat import Flat
from arctag.blocks.suited import suited
from arctag.encodings import Arcs, Encoding, encoding, standard_names, tree_names
from arctag.encodings.cycles import cyclic
from arctag.encodings.labels import offsets_of
from arctag.encodings.planes import plane_counts
from arctag.encodings.recommendation import ENOUGH, choose, oracle_f
from arctag.errors import InputError
from arctag.layers.columns import has_trees
from arctag.layers.graphs import MAIN
from arctag.layers.trees import TREE, TreeLayer
from arctag.sentence import Sentence
from arctag.transforms import empty_nodes
from arctag.transforms.basic_tree import has_tree

POSITIONAL = ("absolute", "relative", "pos")
_LARGER = "Try a larger K, or hierarchical, which covers every graph."


@dataclass(frozen=True, eq=False)
class Treebank:
    """A treebank as encodings see it: arcs in flat arrays."""

    sentences: Sequence[Sentence]
    arcs: Arcs
    relation_counts: np.ndarray[Any, np.dtype[np.int64]]
    """For each arc, how many relations it carries."""
    relations: frozenset[str]

    @classmethod
    def of(cls, sentences: Iterable[Sentence]) -> Treebank:
        """Read sentences, dropping empty nodes."""
        kept = empty_nodes.treated(list(sentences), empty_nodes.drop)
        if not kept:
            raise InputError("no sentence to look at")
        return cls._made(kept, Flat(kept).graphs)

    @classmethod
    def _made(cls, sentences: Sequence[Sentence], graphs: BlockArcs) -> Treebank:
        counts = np.array([len(names) for names in graphs.names], dtype=np.int64)
        # there may be names that only arcs of empty nodes had
        relations = frozenset(name for number in np.unique(graphs.numbers) for name in graphs.names[number])
        return cls(sentences, graphs.arcs, counts[graphs.numbers], relations)

    @cached_property
    def trees(self) -> Treebank:
        """The trees of the same sentences: HEAD and DEPREL or, where there are none, the graphs if they are trees."""
        if not all(map(has_trees, self.sentences)) or not any(map(has_tree, self.sentences)):
            return self
        return self._made(self.sentences, TreeLayer.graphs_in(self.sentences, TREE))


def statistics(treebank: Treebank) -> dict[str, Any]:
    """The paper's treebank statistics, under the names of its table."""
    arcs = treebank.arcs
    sentences, tokens, count = len(arcs), int(arcs.sizes.sum()), len(arcs.heads)
    planes = plane_counts(arcs, "strict")
    return {
        "sentences": sentences,
        "tokens": tokens,
        "arcs": count,
        "planes_percent": [round(100 * float(np.mean(planes == k)), 2) for k in range(1, 6)],
        "heads_per_token": round(count / max(tokens, 1), 2),
        "dependents_per_node": round(count / (tokens + sentences), 2),
        "arcs_per_graph": round(count / sentences, 2),
        "length": round(tokens / sentences, 2),
        "cyclic_sentences": int(cyclic(arcs).sum()),
        "relations": len(treebank.relations),
        "most_planes": int(planes.max()),
        "longest": int(arcs.sizes.max()),
        **_degrees(arcs),
    }


def _degrees(arcs: Arcs) -> dict[str, float]:
    """Shares of words with no head, and with more than one."""
    first = np.repeat(offsets_of(arcs.sizes)[:-1], np.diff(arcs.starts))
    degree = np.bincount(first + arcs.dependents - 1, minlength=int(arcs.sizes.sum()))
    return {
        "headless_percent": round(100 * float(np.mean(degree == 0)), 2),
        "reentrant_percent": round(100 * float(np.mean(degree > 1)), 2),
        "most_heads": int(degree.max(initial=0)),
    }


def coverage(treebank: Treebank, chosen: Encoding) -> dict[str, Any]:
    """How many labels an encoding makes, and what comes back of the treebank after decoding."""
    arcs, relations = treebank.arcs, treebank.relation_counts
    covered = chosen.covers_all(arcs)
    lost = np.diff(offsets_of(~covered)[arcs.starts])
    exact = round(100 * float(np.mean(lost == 0)), 2)
    return {
        "labels": chosen.encode_all(arcs).distinct(),
        "coverage": {
            "UF": oracle_f(int(covered.sum()), len(covered), chosen.trees_only),
            "LF": oracle_f(int(relations[covered].sum()), int(relations.sum()), chosen.trees_only),
            "UM": exact,
            "LM": exact,
        },
        "arcs_left_out": int(np.count_nonzero(~covered)),
        "unencodable": [treebank.sentences[i].id for i in np.flatnonzero(lost).tolist()],
    }


def diagnose(
    sentences: Iterable[Sentence],
    encodings: Sequence[str] | None = None,
    crossing: str = "relaxed",
    planes: str = "greedy",
    trees: bool = False,
) -> dict[str, Any]:
    """Statistics of a treebank, and labels and coverage for each encoding, with a recommendation.

    Encodings for trees are tried on HEAD and DEPREL: `trees` in the report. With `trees` the graphs are those trees,
    and all encodings are tried on them, as where there are no others (`layer` says which they are). Encodings that
    were not named and need tags, or trees, are left out where the treebank has none.
    """
    names = encodings or standard_names() + tree_names()
    chosen = [encoding(name, crossing=crossing, planes=planes) for name in names]
    treebank = Treebank.of(sentences)
    if not len(treebank.arcs.heads) and treebank.trees is not treebank:
        treebank, trees = treebank.trees, True
    report: dict[str, Any] = {"layer": TREE if trees else MAIN, "statistics": statistics(treebank)}
    report |= {"encodings": {}, "trees": {}, "left_out": {}}
    for one in chosen:
        try:
            material = treebank.trees if one.trees_only and not trees else treebank
            arcs = suited(material.arcs, material.sentences, one)
        except InputError as error:
            if encodings:
                raise
            report["left_out"][one.name] = str(error)
        else:
            table = "trees" if one.trees_only or trees else "encodings"
            report[table][one.name] = coverage(replace(material, arcs=arcs), one)
    report["options"] = {"crossing": crossing, "planes": planes}
    report["recommendation"] = recommend(report)
    return report


def recommend(report: dict[str, Any]) -> str:
    """Which encoding to train with, in words."""
    tables = ((report["encodings"], False), (report.get("trees", {}), True))
    sentences = report["statistics"]["sentences"]
    return "\n".join(_recommended(rows, sentences, for_trees) for rows, for_trees in tables if rows)


def _recommended(rows: dict[str, Any], sentences: int, for_trees: bool) -> str:

    def covered(name: str) -> float | None:
        return rows[name]["coverage"]["UF"] if name in rows else None

    best, plain = choose(covered, trees=for_trees), choose(covered, verify=False, trees=for_trees)
    if best is None:
        return _among(rows, sentences, for_trees)
    text = f"{'For trees use' if for_trees else 'Use'} {_described(best, rows[best], sentences)}"
    text += " It is what `arctag train` picks."
    if plain and plain != best:
        text += f" For plain tagging (--no-verify) it picks {plain}: {rows[plain]['labels']} labels."
    return text


def _among(rows: dict[str, Any], sentences: int, for_trees: bool) -> str:
    """A choice among the encodings that were named, where `arctag train` might choose another one."""
    enough = {name: row for name, row in rows.items() if row["coverage"]["UF"] >= ENOUGH}
    if not enough:
        best = max(rows, key=lambda name: (rows[name]["coverage"]["UF"], -rows[name]["labels"]))
        return (
            f"None of these covers {ENOUGH}% of the arcs{' of trees' if for_trees else ''}; {best} comes closest with "
            f"{rows[best]['coverage']['UF']}%. "
            + ("Try treehierarchical, which covers every tree." if for_trees else _LARGER)
        )
    # positions cover everything but are learned worst, in the paper and here: only if nothing else was named
    preferred = {name: row for name, row in enough.items() if name not in POSITIONAL} or enough
    best = min(preferred, key=lambda name: (preferred[name]["labels"], -preferred[name]["coverage"]["UF"]))
    return f"Of these{' for trees' if for_trees else ''}, use {_described(best, rows[best], sentences)}"


def _described(name: str, row: dict[str, Any], sentences: int) -> str:
    lost = len(row["unencodable"])
    left = f"{lost} of {sentences} sentences lose an arc" if lost else "every sentence"
    return f"{name}: {row['labels']} labels cover {row['coverage']['UF']}% of the arcs ({left})."
