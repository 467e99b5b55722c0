"""Further scores of the runs of the main tables: exact match, ELAS, other files, labels, planes, cycles."""

from __future__ import annotations

from collections.abc import Iterator

from harness.pages.context import Context
from harness.pages.tables import Column, figure, score_tables
from harness.summary import of_test, sdp, tag_accuracy

_PLANES = ("1", "2", "3", "4", "5", "6")


def exact_match(context: Context) -> Iterator[str]:
    """Sentences whose graph is right as a whole."""

    def columns(_: Context, __: str) -> list[Column]:
        return [figure(context, name, sdp(name)) for name in ("UM", "LM")]

    return score_tables(context, columns)


def without_tops(context: Context) -> Iterator[str]:
    """UF and LF without arcs from the root."""

    def columns(_: Context, __: str) -> list[Column]:
        return [figure(context, name, sdp(name, tops="excluding_tops")) for name in ("UF", "LF")]

    return score_tables(context, columns)


def elas(context: Context) -> Iterator[str]:
    """The scores of the IWPT shared tasks, for CoNLL-U."""

    def columns(_: Context, treebank: str) -> list[Column]:
        if not context.treebank(treebank).test.endswith(".conllu"):
            return []
        return [figure(context, name, of_test("elas", name)) for name in ("ELAS", "EULAS")]

    return score_tables(context, columns)


def other_files(context: Context) -> Iterator[str]:
    """UF and LF on other files than the test file."""

    def columns(_: Context, treebank: str) -> list[Column]:
        return [
            figure(context, f"{file} {name}", sdp(name, test=file))
            for file in context.treebank(treebank).also
            for name in ("UF", "LF")
        ]

    return score_tables(context, columns)


def tagging(context: Context) -> Iterator[str]:
    """The accuracy of labels, and how many sentences have well-formed ones."""

    def columns(_: Context, __: str) -> list[Column]:
        return [figure(context, "tag", tag_accuracy), figure(context, "wf", of_test("well_formed_percent"))]

    return score_tables(context, columns)


def planes(context: Context) -> Iterator[str]:
    """UF by the number of planes that a graph needs."""

    def columns(_: Context, treebank: str) -> list[Column]:
        counts = _sentences(context, treebank, "by_planes")
        return [
            figure(context, f"{k} UF (n = {counts[k]:,})", of_test("by_planes", k, "UF", scale=100))
            for k in _PLANES
            if k in counts
        ]

    return score_tables(context, columns)


def cycles(context: Context) -> Iterator[str]:
    """UF and LF of sentences with and without a cycle."""

    def columns(_: Context, treebank: str) -> list[Column]:
        counts = _sentences(context, treebank, "by_cyclic")
        return [
            figure(context, f"{kind} {name} (n = {counts[kind]:,})", of_test("by_cyclic", kind, name, scale=100))
            for kind in ("cyclic", "acyclic")
            if kind in counts
            for name in ("UF", "LF")
        ]

    return score_tables(context, columns)


def _sentences(context: Context, treebank: str, kind: str) -> dict[str, int]:
    """How many sentences of the test file are of each kind: the same for every run."""
    cells = (cell for key, cell in context.summary.cells.items() if key.treebank == treebank)
    splits = (result["tests"]["test"].get(kind) for cell in cells for result in cell)
    return {name: part["sentences"] for split in splits if split for name, part in split.items()}
