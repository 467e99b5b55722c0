"""Engines that call the parser of record batches: the examples of docs/scale.md, and what comes out of them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from arctag.arrow import ArrowParser
from tests.documents import code_blocks
from tests.patience import HANGS
from tests.places import ROOT

PAGE = ROOT / "docs" / "scale.md"
OFFLINE = {"HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1", "SPARK_LOCAL_IP": "127.0.0.1"}
RUN = """
import sys, warnings
from tests.documents import python
from types import SimpleNamespace
path = sys.argv[1]
example = SimpleNamespace(parsed=open(path).read(), path=path, line=0, namespace={"__name__": "__main__"})
sys.exit(python(example))
"""


def _example(words: str) -> str:
    (block,) = [block for block in code_blocks(PAGE, "python") if words in block]
    return block


def _run(folder: Path, script: str, texts: str = "") -> None:
    """Run an example in a process of its own, with the texts of the page; what it prints must be what it says."""
    example = folder / "example.py"
    for block in (texts or _example("# texts.py"), script):
        example.write_text(block.removeprefix("# texts.py\n"))
        environment = {**os.environ, **OFFLINE, "PYTHONPATH": str(ROOT), "HF_HOME": str(folder / "home")}
        command = [sys.executable, "-c", RUN, str(example)]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=HANGS)
        assert done.returncode == 0, done.stderr


def _rows(path: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
    return sorted(rows, key=lambda row: (row["doc_id"], row["sent_id"] or ""))


def _expected(folder: Path) -> list[dict[str, Any]]:
    parser = ArrowParser("en", text="body", id="id")
    pq.write_table(parser(pq.read_table(folder / "texts.parquet")), folder / "expected.parquet")
    return _rows(folder / "expected.parquet")


@pytest.mark.full
def test_engines_datasets(tmp_path: Path) -> None:
    pytest.importorskip("datasets", reason="datasets is not installed")
    _run(tmp_path, _example("from datasets import"))
    assert _rows(tmp_path / "parsed-by-datasets.parquet") == _expected(tmp_path)


@pytest.mark.full
def test_engines_spark(tmp_path: Path) -> None:
    pytest.importorskip("pyspark", reason="pyspark is not installed")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Spark needs Java, and there is none")
    _run(tmp_path, _example("mapInArrow"))
    assert _rows(tmp_path / "parsed-by-spark") == _expected(tmp_path)


KILLED_ONCE = """
import os, pathlib, signal

def batches(some, parse=parser.batches, mark=pathlib.Path("killed").resolve()):
    for number, batch in enumerate(parse(some)):
        yield batch
        if number == 1 and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.full
def test_engines_spark_worker_that_is_killed_costs_nothing(tmp_path: Path) -> None:
    pytest.importorskip("pyspark", reason="pyspark is not installed")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Spark needs Java, and there is none")
    script = _example("mapInArrow").replace("local[2]", "local[2,4]").replace('"500"', '"5"')
    script = script.replace("texts = spark", KILLED_ONCE + "texts = spark").replace("(parser.batches", "(batches")
    script = "\n".join(line for line in script.splitlines() if not line.startswith("print"))
    many = (
        'texts = {"id": [f"d{i:03}" for i in range(60)], "body": ["She wants to leave. He stays.", None, "Go!"] * 20}'
    )
    make = _example("# texts.py").replace(_example("# texts.py").splitlines()[4], many)
    _run(tmp_path, script, make)
    assert (tmp_path / "killed").exists()
    assert _rows(tmp_path / "parsed-by-spark") == _expected(tmp_path)


def test_engines_schema_has_types_that_all_of_them_know() -> None:
    """No dictionaries, views, large types or unsigned numbers: Spark has none of them."""

    def kinds(kind: pa.DataType) -> set[str]:
        if pa.types.is_struct(kind):
            return set().union(*(kinds(field.type) for field in kind))
        return kinds(kind.value_type) if pa.types.is_list(kind) else {str(kind)}

    schema = ArrowParser("en").schema
    assert set().union(*(kinds(field.type) for field in schema)) == {"string", "int32", "float"}
    assert all(field.nullable for field in schema)
