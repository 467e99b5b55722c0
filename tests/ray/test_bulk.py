"""`arctag bulk`: each sentence is in the output once, whatever dies."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("ray", reason="ray is not installed")

from tests.conftest import Run
from tests.patience import HANGS
from tests.ray.drivers import Bulk, wait_for


def test_bulk_actor_that_is_killed_costs_nothing(run: Run, tmp_path: Path) -> None:
    bulk = Bulk(tmp_path, run, poison=True)
    assert bulk.code == 1
    done = bulk.run("--actors", "2", fault="parse:3")
    assert done.returncode == 1, done.stderr  # some documents could not be parsed, as `arctag parse` says, too
    assert bulk.happened
    assert "actors lost and replaced: 1" in done.stderr
    assert "63 documents" in done.stderr
    assert done.stderr.count("not parsed: ") == 3
    assert " 3 errors in " in done.stderr
    bulk.check()


def test_bulk_resumes_after_the_driver_and_refuses_what_is_there(run: Run, tmp_path: Path) -> None:
    bulk = Bulk(tmp_path, run)
    bulk.killed(lambda: len(bulk.shards()) >= 2)
    there = {path.name: path.stat().st_mtime_ns for path in bulk.shards()}
    assert len(there) >= 2
    refused = run("bulk", bulk.texts, *bulk.fields, "-o", bulk.out, "--to", "conllu")
    assert refused.code == 2
    assert "is unfinished: use --resume, or start again with --force" in refused.err
    refused = run("bulk", bulk.texts, "--text-field", "id", "-o", bulk.out, "--to", "conllu", "--resume")
    assert refused.code == 2
    assert "written from other inputs, or with another model, version or options" in refused.err
    done = bulk.run("--resume")
    assert done.returncode == 0, done.stderr
    bulk.check()
    assert {path.name: path.stat().st_mtime_ns for path in bulk.shards() if path.name in there} == there
    refused = run("bulk", bulk.texts, *bulk.fields, "-o", bulk.out)
    assert refused.code == 2
    assert "is complete: start again with --force" in refused.err
    again = run("bulk", bulk.texts, *bulk.fields, "-o", bulk.out, "--to", "conllu", "--shard-words", "60", "--resume")
    assert (again.code, again.err) == (0, f"{bulk.out} is complete: nothing is left to do\n")


@pytest.mark.full
@pytest.mark.parametrize("fault", ["start:0", "parse:0", "commit:4", "written:5"])
def test_bulk_actor_killed_at_any_moment_costs_nothing(run: Run, tmp_path: Path, fault: str) -> None:
    bulk = Bulk(tmp_path, run)
    done = bulk.run("--actors", "2", fault=fault)
    assert done.returncode == 0, done.stderr
    assert bulk.happened
    bulk.check()


@pytest.mark.full
@pytest.mark.parametrize("shards", [0, 1, 5, 12])
def test_bulk_driver_killed_at_any_moment_resumes(run: Run, tmp_path: Path, shards: int) -> None:
    bulk = Bulk(tmp_path, run)
    for extra in (0, 1):  # killed twice
        bulk.killed(
            lambda least=shards + extra: bulk.out.exists() and len(bulk.shards()) >= least,  # type: ignore[misc]
            *(["--resume"] if extra else []),
        )
    done = bulk.run("--resume")
    assert done.returncode == 0, done.stderr
    bulk.check()


@pytest.mark.full
def test_bulk_driver_killed_as_it_finishes_resumes(run: Run, tmp_path: Path) -> None:
    """All shards are there, and the folder does not say yet that they are."""
    bulk = Bulk(tmp_path, run)
    assert bulk.run(fault="finish:0").returncode == -9
    assert not json.loads((bulk.out / "_arctag.json").read_text())["complete"]
    done = bulk.run("--resume")
    assert done.returncode == 0, done.stderr
    bulk.check()


@pytest.mark.full
def test_bulk_interrupted_says_what_the_rest_costs_and_leaves_no_halves(run: Run, tmp_path: Path) -> None:
    bulk = Bulk(tmp_path, run, documents=300)
    process = bulk.start("--actors", "2")
    wait_for(lambda: len(bulk.shards()) >= 5 or process.poll() is not None)
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=HANGS)
    assert process.returncode == 128 + signal.SIGTERM, err
    assert "unfinished: the same command with --resume continues; the rest takes about " in err
    assert err.endswith("arctag: interrupted\n")
    assert bulk.run("--resume").returncode == 0
    bulk.check()


@pytest.mark.full
def test_bulk_shard_that_kills_every_actor_is_given_up(run: Run, tmp_path: Path) -> None:
    """All others are written; without whatever killed them the run can be resumed."""
    bulk = Bulk(tmp_path, run)
    done = bulk.run("--actors", "2", fault="always:2")
    assert done.returncode == 1
    assert "shard 2 was given up, since its actors died" in done.stderr
    assert "the same command with --resume continues" in done.stderr
    assert "part-000002.conllu" not in {path.name for path in bulk.shards()}
    assert len(bulk.shards()) > 10
    assert bulk.run("--resume").returncode == 0
    bulk.check()


@pytest.mark.full
def test_bulk_full_disk_is_an_error_and_nothing_is_lost(run: Run, tmp_path: Path) -> None:
    """A real one, of 40 KB: what was written stays, and the run is resumed when there is room."""
    bulk = Bulk(tmp_path, run)
    bulk.out.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=40k", "none", bulk.out], capture_output=True).returncode:
        pytest.skip("only root can make a small disk")
    try:
        done = bulk.run()
        assert done.returncode == 2
        assert done.stderr.splitlines()[-1].startswith(f"arctag: cannot write {bulk.out}/part-")
        assert "No space left on device" in done.stderr.splitlines()[-1]
        assert "Traceback" not in done.stderr
        assert 0 < len(bulk.shards()) < 20
        bulk.run("--resume")  # still full
        subprocess.run(["mount", "-o", "remount,size=10m", bulk.out], check=True)
        done = bulk.run("--resume")
        assert done.returncode == 0, done.stderr
        bulk.check()
    finally:
        subprocess.run(["umount", bulk.out], check=True)


@pytest.fixture
def two_nodes(monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    """A cluster of two nodes, with one CPU each."""
    from ray.cluster_utils import Cluster

    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setenv("PYTHONPATH", os.fspath(Path(__file__).parents[2]))
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    yield cluster
    cluster.shutdown()  # type: ignore[no-untyped-call]


@pytest.mark.full
def test_bulk_node_that_is_lost_costs_nothing(run: Run, tmp_path: Path, two_nodes: object) -> None:
    from ray.cluster_utils import Cluster

    assert isinstance(two_nodes, Cluster)
    second = two_nodes.add_node(num_cpus=1)
    bulk = Bulk(tmp_path, run, documents=200)
    process = bulk.start("--address", two_nodes.address)
    wait_for(lambda: len(bulk.shards()) >= 6 or process.poll() is not None)
    two_nodes.remove_node(second, allow_graceful=False)
    _, err = process.communicate(timeout=HANGS)
    assert process.returncode == 0, err
    assert "actors lost and replaced: 1" in err
    bulk.check()


@pytest.mark.full
def test_bulk_cluster_that_has_no_room_is_refused(run: Run, tmp_path: Path, two_nodes: object) -> None:
    bulk = Bulk(tmp_path, run)
    done = bulk.run("--address", two_nodes.address, "--actors", "2")  # type: ignore[attr-defined]
    assert done.returncode == 2
    assert done.stderr == "arctag: 2 actors need 2 CPUs, and the cluster has 1 CPU to spare\n"
    done = bulk.run("--address", two_nodes.address, "--gpus", "0.5")  # type: ignore[attr-defined]
    assert done.stderr == "arctag: 1 actor needs 1 CPU and 0.5 GPUs, and the cluster has 1 CPU and 0 GPUs to spare\n"
    assert not bulk.out.exists()


@pytest.mark.full
def test_bulk_address_that_nobody_answers_is_refused(run: Run, tmp_path: Path) -> None:
    bulk = Bulk(tmp_path, run)
    done = bulk.run("--address", "127.0.0.1:1")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("arctag: cannot reach a Ray cluster at 127.0.0.1:1: ")
    assert not bulk.out.exists()


@pytest.mark.full
def test_bulk_reads_and_writes_whatever_pyarrow_opens(run: Run, tmp_path: Path, sample: Path) -> None:
    """Addresses; inputs of all kinds together; tables."""
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.txt").write_text("She wants to leave. He stays.\n\nGo!")
    (folder / "b.conllu").write_bytes(sample.read_bytes())
    (folder / "c.jsonl").write_text('{"text": "They sing."}\n')
    run("parse", folder / "c.jsonl", "-o", folder / "d.parquet")
    assert run("parse", folder, "-o", tmp_path / "expected.conllu").code == 0
    out = tmp_path / "out"
    command = [
        sys.executable,
        "-m",
        "arctag",
        "bulk",
        f"file://{folder}",
        "-o",
        f"file://{out}",
        "--shard-words",
        "100",
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANGS)
    assert done.returncode == 0, done.stderr
    parsed = b""
    for number, shard in enumerate(sorted(out.glob("*.parquet"))):
        assert run("convert", shard, tmp_path / f"{number}.conllu").code == 0
        parsed += (tmp_path / f"{number}.conllu").read_bytes()
    assert parsed == (tmp_path / "expected.conllu").read_bytes()


def test_bulk_refuses_what_it_cannot_use(run: Run, tmp_path: Path) -> None:
    text = tmp_path / "a.txt"
    text.write_text("Go!")
    other = tmp_path / "other"
    other.mkdir()
    (other / "mine.txt").write_text("mine")
    for arguments, message in {
        ("nothing.txt", "-o", tmp_path / "out"): "no file at nothing.txt",
        ("-", "-o", tmp_path / "out"): "no file at -",
        (text, "-o", text): "it is a file; name a folder",
        (text, "-o", other): "the folder has other files in it",
        (text, "-o", other, "--force"): "the folder has other files in it",
        (text, "-o", tmp_path / "out", "-m", "nothing"): "nothing",
        (text, "-o", tmp_path / "out", "--layers", "nothing"): "unknown layer",
        (text, "-o", "nowhere://x/y"): "cannot open nowhere://x/y",
        ("nowhere://x/y", "-o", tmp_path / "out"): "cannot open nowhere://x/y",
    }.items():
        refused = run("bulk", *arguments)
        assert refused.code == 2, arguments
        assert message in refused.err
        assert refused.err.count("\n") == 1, refused.err
    assert {path.name for path in tmp_path.iterdir()} == {"a.txt", "other"}
    assert (other / "mine.txt").read_text() == "mine"
