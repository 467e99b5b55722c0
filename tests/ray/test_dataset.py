"""`arctag.ray.parse` as a step of a Ray dataset: the example of docs/scale.md, actors that die, what is refused."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("ray", reason="ray is not installed")

import pyarrow as pa
import pyarrow.parquet as pq

from tests.arrow.test_engines import _example, _expected, _rows, _run
from tests.patience import HANGS
from tests.places import ROOT
from tests.ray.drivers import SENTENCES

KILLED = """
import os, pathlib, signal, sys
import ray
import arctag.ray
from arctag.arrow import ArrowParser
from arctag.errors import InputError
from arctag.ray import dataset

class Dies(ArrowParser):
    def __call__(self, batch):
        mark = pathlib.Path("killed").resolve()
        if not mark.exists() and "d50" in batch["id"].to_pylist():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().__call__(batch)

ray.init("local", num_cpus=2, include_dashboard=False, log_to_driver=False)
texts = ray.data.read_parquet(os.path.abspath("texts.parquet"))
try:
    arctag.ray.parse(texts, text="body", actors=2)
    sys.exit("two actors take both CPUs")
except InputError as error:
    assert "reading and writing need one more" in str(error), error
try:
    arctag.ray.parse(texts, "nothing", text="body")
    sys.exit("there is no such model")
except InputError as error:
    pass
dataset.ArrowParser = Dies
parsed = arctag.ray.parse(texts, text="body", id="id", actors=2, num_cpus=0.5, batch_size=8)
parsed.write_parquet(os.path.abspath("parsed-by-ray"))
"""


@pytest.mark.full
def test_dataset_example_of_the_page(tmp_path: Path) -> None:
    _run(tmp_path, _example("arctag.ray.parse("))
    assert _rows(tmp_path / "parsed-by-ray") == _expected(tmp_path)


@pytest.mark.full
def test_dataset_actor_that_is_killed_costs_nothing(tmp_path: Path) -> None:
    texts = {
        "id": [f"d{i}" for i in range(100)],
        "body": [f"{SENTENCES[i % 7]} {SENTENCES[i % 3]}" for i in range(100)],
    }
    pq.write_table(pa.table(texts), tmp_path / "texts.parquet")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    (tmp_path / "script.py").write_text(KILLED)
    command = [sys.executable, "script.py"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=HANGS)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "killed").exists()
    assert _rows(tmp_path / "parsed-by-ray") == _expected(tmp_path)
