"""Every command that writes, under every fault: the old file stays, none appears half-written, and messages name it."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.faults import FATAL, HARMLESS
from tests.networks import SMALL, Models, as_options

CPU = ("--device", "cpu")
CALLS = {
    "convert": ("convert", "in.conllu", "OUT/out.conllu"),
    "convert packed": ("convert", "in.conllu", "OUT/out.conllu.gz"),
    "convert to a table": ("convert", "in.conllu", "OUT/out.parquet"),
    "convert to a stream": ("convert", "in.conllu", "OUT/out.arrow"),
    "encode": ("encode", "in.conllu", "-o", "OUT/out.labels"),
    "encode explained": ("encode", "in.conllu", "--explain", "-o", "OUT/out.txt"),
    "decode": ("decode", "in.labels", "--like", "in.conllu", "-o", "OUT/out.conllu"),
    "draw page": ("draw", "in.conllu", "-o", "OUT/out.html"),
    "draw pictures": ("draw", "in.conllu", "--limit", "2", "-o", "OUT/", "--force"),
    "parse": ("parse", "in.conllu", "-m", "MODEL", "-o", "OUT/out.conllu", *CPU),
    "parse packed": ("parse", "in.conllu", "-m", "MODEL", "-o", "OUT/out.conllu.gz", *CPU),
    "parse to a table": ("parse", "in.conllu", "-m", "MODEL", "-o", "OUT/out.parquet", *CPU),
    "parse chosen to a table": ("parse", "in.conllu", "-m", "MODEL", "--limit", "3", "-o", "OUT/out.arrow", *CPU),
    "parse to a folder": ("parse", "in.conllu", "-m", "MODEL", "-o", "OUT/", "--force", *CPU),
    "parse chosen": ("parse", "in.conllu", "-m", "MODEL", "--limit", "3", "-o", "OUT/out.jsonl", *CPU),
    "parse to a picture": ("parse", "in.conllu", "-m", "MODEL", "--limit", "1", "-o", "OUT/out.svg", *CPU),
}
"""A call of each command that writes files."""
RESUMED = ("parse", "parse packed", "parse to a table", "parse to a folder")
if find_spec("pyarrow") is None:
    CALLS = {name: arguments for name, arguments in CALLS.items() if "table" not in name and "stream" not in name}


@pytest.fixture
def place(tmp_path: Path, sample: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with a treebank and its labels."""
    monkeypatch.chdir(tmp_path)
    Path("in.conllu").write_bytes(sample.read_bytes())
    assert run("encode", "in.conllu", "-o", "in.labels").code == 0
    return tmp_path


def call(name: str, out: str, models: Models) -> list[str]:
    model = str(models("verified")) if "MODEL" in CALLS[name] else ""
    return [part.replace("OUT", out).replace("MODEL", model) for part in CALLS[name]]


def contents(folder: str) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()}


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("fault", FATAL)
@pytest.mark.parametrize("name", CALLS)
def test_faults_leave_the_old_file(run: Run, models: Models, name: str, fault: str) -> None:
    Path("out").mkdir()
    assert run(*call(name, "out", models)).code == 0
    whole = contents("out")
    for path in whole:
        Path("out", path).write_text("old")
    with FATAL[fault]():
        result = run(*call(name, "out", models))
    assert result.code == 2
    assert result.err.splitlines()[-1].startswith("arctag: cannot write out/")
    after = contents("out")
    parts = {path for path in after if path.startswith(".")}
    assert {path: after[path] for path in after if path not in parts} == dict.fromkeys(whole, b"old")
    # only what can be resumed may be kept
    assert not parts or (name in RESUMED and fault != "full disk")
    resumed = ("--resume",) if parts else ()
    assert run(*call(name, "out", models), *resumed).code == 0
    assert contents("out") == whole


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("fault", HARMLESS)
@pytest.mark.parametrize("name", CALLS)
def test_faults_that_do_no_harm(run: Run, models: Models, name: str, fault: str) -> None:
    for out in ("plain", "faulty"):
        Path(out).mkdir()
    assert run(*call(name, "plain", models)).code == 0
    with HARMLESS[fault]():
        result = run(*call(name, "faulty", models))
    assert result.code == 0
    assert contents("faulty") == contents("plain")


def train(out: str) -> list[str]:
    chosen = {**SMALL, "encoder": "lookup", "epochs": 1, "output": out, "train": "in.conllu", "dev": "in.conllu"}
    return ["train", "--quiet", "--force", *as_options(chosen)]


@pytest.mark.usefixtures("place", "one_thread")
@pytest.mark.parametrize("fault", FATAL)
@pytest.mark.parametrize("command", ["train", "export"])
def test_faults_leave_the_old_model(run: Run, models: Models, command: str, fault: str) -> None:
    call = train("out") if command == "train" else ["export", "-m", str(models("verified")), "-o", "out", "--force"]
    assert run(*call).code == 0
    before = contents("out")
    with FATAL[fault]():
        result = run(*call)
    if (command, fault) == ("export", "sync"):  # which does not sync
        assert result.code == 0
        return
    assert result.code == 2
    assert result.err.splitlines()[-1].startswith("arctag: cannot write out")
    after = contents("out")
    assert {path: after[path] for path in after if not path.startswith("checkpoints")} == before
    assert [path.name for path in Path().iterdir() if path.name.startswith(".out")] == []
    assert run("parse", "in.conllu", "-m", "out", "-o", "parsed.conllu", *CPU).code == 0
    assert run(*call).code == 0
