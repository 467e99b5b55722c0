"""The encodings that the tests go through, each with every option it has; those for trees are apart."""

from __future__ import annotations

from arctag.encodings import ENCODINGS, Encoding, encoding, tree_names

CROSSINGS = ("relaxed", "strict")
PLANES = ("greedy", "best")


def label(enc: Encoding) -> str:
    """A name for pytest that shows the options too."""
    options = [getattr(enc, name) for name in ("crossing", "planes", "first_null") if hasattr(enc, name)]
    return "/".join([enc.name, *options])


def with_options(name: str) -> list[Encoding]:
    """An encoding with every combination of its options."""
    enc = {encoding(name, crossing=crossing, planes=planes) for crossing in CROSSINGS for planes in PLANES}
    if name.startswith("bits4"):
        enc.add(encoding(name, first_null="root"))
    return sorted(enc, key=label)


def names(*ks: int) -> list[str]:
    """The name of every registered encoding of graphs, for these numbers of planes."""
    return [
        name
        for family, entry in ENCODINGS.items()
        if not entry.make.trees_only
        for name in ([f"{family}-{k}" for k in ks] if entry.ks else [family])
    ]


ALL = [enc for name in names(1, 2, 3) for enc in with_options(name)]
MANY_PLANES = [enc for name in names(5) if name.endswith("-5") for enc in with_options(name)]
GREEDY = [enc for enc in ALL if getattr(enc, "planes", "greedy") == "greedy"]
TREES = [*(encoding(name) for name in tree_names()), encoding("treebrackets-2", crossing="strict")]
