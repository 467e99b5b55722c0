"""The grid file: treebanks, parsers, variants, encoders and blocks of runs; expanded into single runs."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from fnmatch import fnmatchcase
from itertools import product
from pathlib import Path
from typing import Any, TypeVar

from arctag.errors import InputError, UnknownName
from arctag.training.config import from_mapping, read_toml

T = TypeVar("T")
RATE = "seconds_per_mb"
"""A key of the settings that estimates the time of a run; it is not a training key."""
_SEPARATOR = "--"


@dataclass(frozen=True)
class Treebank:
    """Where the files of a treebank are, relative to the data folder."""

    title: str
    group: str
    size: str
    """Which settings it is trained with."""
    train: str
    dev: str
    test: str
    also: dict[str, str] = field(default_factory=dict)
    """Further files to score on, by name."""

    @property
    def tests(self) -> dict[str, str]:
        """All files to score on, by name."""
        return {"test": self.test, **self.also}

    @property
    def files(self) -> list[str]:
        """All files."""
        return [self.train, self.dev, *self.tests.values()]


@dataclass(frozen=True)
class Parser:
    """What is trained: one or several encodings, or a baseline."""

    short: str
    """Its name in the paper."""
    encoding: str
    baseline: bool = False
    """A baseline has no variants."""

    @property
    def family(self) -> str:
        """Its name in the paper without the number of planes; parsers of one family have the same marker."""
        return re.sub(r"_\d+", "", self.short)


@dataclass(frozen=True)
class Variant:
    """A way to use a parser: keys of the training config."""

    title: str
    set: dict[str, Any]


@dataclass(frozen=True)
class Encoder:
    """The network that reads words; without `encoder`, a pretrained one whose folder is an option of the scripts."""

    title: str
    encoder: str = ""
    source: str = ""
    """Where to get a pretrained one."""


@dataclass(frozen=True)
class Block:
    """All combinations of some names."""

    name: str
    treebanks: list[str]
    parsers: list[str]
    variants: list[str]
    encoders: list[str]
    seeds: list[int]
    set: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Weights:
    """Which runs show the effect of doubling the weight of the relation loss."""

    once: str
    """A variant with weight 1."""
    double: str
    """The same variant with weight 2."""
    baseline: dict[str, Any]
    """The settings of the block in which the baseline has weight 2."""

    @property
    def overrides(self) -> tuple[tuple[str, Any], ...]:
        """The settings of the baseline, in the form that runs have."""
        return tuple(sorted(self.baseline.items()))


@dataclass(frozen=True)
class Run:
    """One training run."""

    blocks: tuple[str, ...]
    """The blocks it is in; its id does not depend on them."""
    treebank: str
    parser: str
    variant: str
    """Empty for a baseline."""
    encoder: str
    seed: int
    overrides: tuple[tuple[str, Any], ...]
    """Settings of its block."""
    keys: dict[str, Any]
    """All training keys except for the files and the encoder."""
    rate: float
    """Estimated seconds of an epoch per megabyte of training file."""

    @property
    def id(self) -> str:
        """Its name, and that of its result."""
        parts = [self.treebank, self.parser, self.variant, self.encoder, f"s{self.seed}"]
        parts += [re.sub(r"[^\w.=+-]", "_", f"{key}={value}") for key, value in self.overrides]
        return _SEPARATOR.join(part for part in parts if part)

    @property
    def about(self) -> dict[str, Any]:
        """What each of its results begins with."""
        return {
            "treebank": self.treebank, "parser": self.parser, "variant": self.variant, "encoder": self.encoder,
            "seed": self.seed, "overrides": dict(self.overrides),
        }  # fmt: skip

    @property
    def fingerprint(self) -> str:
        """A hash of all settings; a result with another one comes from other settings."""
        text = json.dumps([self.id, self.keys], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:12]


@dataclass(frozen=True)
class Grid:
    """The whole file."""

    path: Path
    startup_seconds: float
    treebanks: dict[str, Treebank]
    parsers: dict[str, Parser]
    variants: dict[str, Variant]
    encoders: dict[str, Encoder]
    settings: dict[str, dict[str, dict[str, Any]]]
    blocks: list[Block]
    speed: list[Block]
    lengths: list[Block]
    energy: list[Block]
    main_parsers: list[str]
    main_variants: list[str]
    weights: Weights | None

    def runs(self, blocks: Sequence[Block] | None = None) -> list[Run]:
        """Every run of some blocks (default: all that train), once."""
        runs: dict[str, Run] = {}
        for block in self.blocks if blocks is None else blocks:
            for run in self._expand(block):
                known = runs.get(run.id)
                if known and known.keys != run.keys:
                    raise InputError(f"{self.path}: blocks {known.blocks[0]} and {block.name} differ in run {run.id}")
                runs[run.id] = replace(run, blocks=(*known.blocks, block.name)) if known else run
        return list(runs.values())

    def _expand(self, block: Block) -> Iterator[Run]:
        overrides = tuple(sorted(block.set.items()))
        for encoder, treebank, parser, seed in product(block.encoders, block.treebanks, block.parsers, block.seeds):
            settings = self._settings(encoder, self.treebanks[treebank].size)
            rate = float(settings.pop(RATE, 1.0))
            for variant in [""] if self.parsers[parser].baseline else block.variants:
                keys = {
                    **settings,
                    **(self.variants[variant].set if variant else {}),
                    **block.set,
                    "encoding": self.parsers[parser].encoding,
                    "seed": seed,
                }
                run = Run((block.name,), treebank, parser, variant, encoder, seed, overrides, keys, rate)
                from_mapping({**keys, "encoder": self.encoders[encoder].encoder or encoder}, f"{self.path}, {run.id}")
                yield run

    def _settings(self, encoder: str, size: str) -> dict[str, Any]:
        settings = self.settings.get(encoder, {})
        return {**settings.get("all", {}), **settings.get(size, {})}


def read_grid(path: str | Path) -> Grid:
    """Read a grid file; an unknown name or key is an error."""
    raw = read_toml(path)
    source = str(path)
    known = {"startup_seconds", "treebanks", "parsers", "variants", "encoders", "settings", "lists", "blocks", "speed",
             "lengths", "energy", "report"}  # fmt: skip
    for key in raw:
        if key not in known:
            raise UnknownName(f"key in {source}:", key, known)
    tables: dict[str, dict[str, Any]] = {
        "treebanks": _table(Treebank, raw.get("treebanks", {}), source),
        "parsers": _table(Parser, raw.get("parsers", {}), source),
        "variants": _table(Variant, raw.get("variants", {}), source),
        "encoders": _table(Encoder, raw.get("encoders", {}), source),
    }
    lists = raw.get("lists", {})
    report = raw.get("report", {})

    def blocks(name: str) -> list[Block]:
        return [_block(item, lists, tables, source) for item in raw.get(name, [])]

    grid = Grid(
        path=Path(path),
        startup_seconds=float(raw.get("startup_seconds", 0)),
        treebanks=tables["treebanks"],
        parsers=tables["parsers"],
        variants=tables["variants"],
        encoders=tables["encoders"],
        settings=raw.get("settings", {}),
        blocks=blocks("blocks"),
        speed=blocks("speed"),
        lengths=blocks("lengths"),
        energy=blocks("energy"),
        main_parsers=_names(report.get("parsers", []), lists, tables["parsers"], source),
        main_variants=_names(report.get("variants", []), lists, tables["variants"], source),
        weights=_build(Weights, report["weights"], f"{source}, weights") if "weights" in report else None,
    )
    for encoder in grid.settings:
        _check("encoder", encoder, grid.encoders, source)
    for variant in (grid.weights.once, grid.weights.double) if grid.weights else ():
        _check("variant", variant, grid.variants, source)
    return grid


def _table(kind: type[T], raw: Mapping[str, Any], source: str) -> dict[str, T]:
    for name in raw:
        if not re.fullmatch(r"\w[\w.+]*(-[\w.+]+)*", name):  # it becomes part of a run's id
            raise InputError(f"{source}: the name {name!r} may hold letters, digits, '_', '.', '+' and single '-' only")
    return {name: _build(kind, value, f"{source}, {name}") for name, value in raw.items()}


def _build(kind: type[T], value: Mapping[str, Any], source: str) -> T:
    known = {f.name for f in fields(kind)}  # type: ignore[arg-type]
    for key in value:
        if key not in known:
            raise UnknownName(f"key in {source}:", key, known)
    try:
        return kind(**value)
    except TypeError as error:
        raise InputError(f"{source}: {str(error).split('() ')[-1]}") from error


def _block(value: Mapping[str, Any], lists: Mapping[str, list[str]], tables: dict[str, Any], source: str) -> Block:
    source = f"{source}, block {value.get('name', '?')!r}"
    names = {name: _names(value.get(name, []), lists, table, source) for name, table in tables.items()}
    block = _build(Block, {**value, **names}, source)
    if not (isinstance(block.seeds, list) and all(type(seed) is int and seed >= 0 for seed in block.seeds)):
        raise InputError(f"{source}: seeds must be a list of whole numbers, such as [0, 1], not {block.seeds!r}")
    return block


def _names(names: Iterable[str], lists: Mapping[str, list[str]], known: Mapping[str, Any], source: str) -> list[str]:
    """Names, with each `@list` replaced by its names; all must be known."""
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise InputError(f"{source}: a list of names was expected, not {names!r}")
    expanded: list[str] = []
    for name in names:
        if name.startswith("@"):
            _check("list", name[1:], lists, source)
            expanded.extend(lists[name[1:]])
        else:
            expanded.append(name)
    for name in expanded:
        _check("name", name, known, source)
    return list(dict.fromkeys(expanded))


def _check(kind: str, name: str, known: Iterable[str], source: str) -> None:
    if name not in known:
        raise UnknownName(f"{kind} in {source}:", name, known)


def select(runs: Iterable[Run], patterns: Sequence[str]) -> list[Run]:
    """The runs whose id, or one of whose blocks, matches one of the patterns (`*` and `?`); all, without patterns."""
    return [run for run in runs if rank(run, patterns) < max(len(patterns), 1)]


def rank(run: Run, patterns: Sequence[str]) -> int:
    """The index of the first pattern that matches a run or one of its blocks; their number, where none does."""
    matching = (i for i, p in enumerate(patterns) if any(fnmatchcase(name, p) for name in (run.id, *run.blocks)))
    return next(matching, len(patterns))


def find_file(data: Path, name: str) -> Path | None:
    """A file of a treebank, compressed or not."""
    return next((path for path in (data / name, data / f"{name}.gz") if path.is_file()), None)
