"""The grid file and the runs it describes."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from harness.grid import find_file, read_grid, select

from arctag.encodings import encoding, standard_names
from arctag.errors import InputError, UnknownName
from tests.experiments import SCRIPTS
from tests.experiments.tools import changed, runs_by_id


def test_grid_has_every_run_once() -> None:
    grid = read_grid(SCRIPTS / "grid.toml")
    runs = grid.runs()
    assert len({run.id for run in runs}) == len(runs)
    sizes = {block.name: sum(block.name in run.blocks for run in runs) for block in grid.blocks}
    taggers, treebanks = len(_names()), len(grid.treebanks)
    assert sizes["paper-bilstm"] == treebanks * (taggers + 1)
    assert sizes["paper-minilm"] == 3 * (taggers + 1)
    assert sizes["beyond-bilstm"] == 3 * 10
    ids = {run.id for run in runs}
    assert {"iwpt_ta--absolute--plain--bilstm--s0", "dm_wescience--biaffine--minilm--s2"} <= ids
    assert {"dm_wescience--union-3--vote--minilm--s0", "en_ewt--bits6-4--best-planes--bilstm--s0"} <= ids
    assert not any("--biaffine--plain" in name for name in ids)
    measured = {run.id for run in grid.runs([*grid.speed, *grid.lengths])}
    assert measured <= ids  # only a model that is trained can be timed


def test_grid_knows_only_real_encodings() -> None:
    grid = read_grid(SCRIPTS / "grid.toml")
    taggers = {name: parser for name, parser in grid.parsers.items() if not parser.baseline}
    assert {encoding(part).name for parser in taggers.values() for part in parser.encoding.split(",")} <= set(_names())
    assert set(_names()) <= taggers.keys()
    for name in _names():  # the package knows the short name, too
        assert encoding(grid.parsers[name].short).name == name == grid.parsers[name].encoding


def _names() -> list[str]:
    """The encodings that learn the graph alone, without tags, as all runs of the grid do."""
    return [name for name in standard_names() if not encoding(name).needs_tags]


def test_settings_come_from_encoder_size_variant_and_block(tiny: Path) -> None:
    _, runs = runs_by_id(tiny)
    plain = runs["sample--bits6-4--plain--bilstm--s0"]
    assert (plain.keys["size"], plain.keys["epochs"], plain.keys["verify"]) == (8, 2, False)
    assert "seconds_per_mb" not in plain.keys
    endless = runs["sample--bits6-4--plain--bilstm--s0--epochs=100000--patience=100000"]
    assert endless.keys["epochs"] == 100000
    assert endless.fingerprint != plain.fingerprint
    assert "verify" not in runs["sample--biaffine--bilstm--s0"].keys


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"@two"', '"@three"', "unknown list"),
        ('parsers = ["bits6-4"]', 'parsers = ["bits6-5"]', "Did you mean 'bits6-4'"),
        ('encoding = "bits6-4" }', 'encoding = "bit6-4" }', "unknown encoding 'bit6-4'"),
        ("tag_hidden = 8", "tag_hiden = 8", "unknown key"),
        ('size = "tiny"', 'sise = "tiny"', "unknown key"),
        ('title = "Sample"\n', "", "missing 1 required"),
        ("[encoders]", "[encoders]\n'a/b' = { title = 'x' }", "the name 'a/b'"),
        ("startup_seconds", "startup", "unknown key"),
        ("seeds = [0]", "seeds = 0", "seeds must be a list of whole numbers"),
        ("seeds = [0]", "seeds = ['a']", "seeds must be a list of whole numbers"),
        ('treebanks = ["sample"]', "treebanks = 3", "a list of names was expected"),
        ("[report]", '[report]\nweights = { once = "twice", double = "verified", baseline = {} }', "twice"),
    ],
)
def test_mistakes_are_reported(tiny: Path, old: str, new: str, message: str) -> None:
    changed(tiny, (old, new))
    with pytest.raises((InputError, UnknownName), match=re.escape(message)):
        read_grid(tiny).runs()


def test_same_run_in_two_blocks_is_one(tiny: Path) -> None:
    changed(tiny, ('name = "broken"', 'name = "main-again"'), ('set = { vectors = "nowhere.txt" }\n', ""))
    assert read_grid(tiny).runs()[0].blocks == ("main", "main-again")


def test_two_runs_of_one_name_are_refused(tiny: Path) -> None:
    changed(tiny, ('"nowhere.txt"', '"a/b"'), ("epochs = 100000, patience = 100000", 'vectors = "a:b"'))
    with pytest.raises(InputError, match="blocks broken and endless differ"):
        read_grid(tiny).runs()


def test_patterns_match_ids_and_blocks(tiny: Path) -> None:
    runs = read_grid(tiny).runs()
    assert {run.id for run in select(runs, ["*--biaffine--*"])} == {"sample--biaffine--bilstm--s0"}
    assert len(select(runs, ["main"])) == 3
    assert select(runs, []) == runs
    assert select(runs, ["bits6-4"]) == []


def test_files_may_be_compressed(tmp_path: Path) -> None:
    assert find_file(tmp_path, "test.conllu") is None
    compressed = tmp_path / "test.conllu.gz"
    compressed.write_bytes(gzip.compress(b"x"))
    assert find_file(tmp_path, "test.conllu") == compressed
    plain = tmp_path / "test.conllu"
    plain.write_bytes(b"x")
    assert find_file(tmp_path, "test.conllu") == plain
