"""Cores: as many as the affinity and the quota of the container allow."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from arctag.analysis.timing import machine
from arctag.backends import cores
from arctag.parsing.jobs import Settings
from arctag.parsing.parser import ParseOptions
from arctag.parsing.workers import default_workers

V2, V1 = "0::/", "7:cpuset:/\n4:cpu,cpuacct:/docker/abc\n1:name=systemd:/docker/abc"


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine of eight cores, whose groups are in this folder."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)), raising=False)
    monkeypatch.setattr(cores, "_CGROUPS", tmp_path)
    monkeypatch.setattr(cores, "_OWN_CGROUPS", tmp_path / "own")
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    return tmp_path


def grant(system: Path, own: str, **files: str) -> None:
    (system / "own").write_text(own)
    for name, text in files.items():
        path = system / name.replace("__", "/").replace("cpu_", "cpu.")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@pytest.mark.parametrize(
    ("quota", "count"),
    [("max 100000", 8), ("150000 100000", 2), ("50000 100000", 1), ("9900000 100000", 8), ("1", 8), ("1 0", 8)],
)
def test_cores_follow_the_quota_of_a_container(system: Path, quota: str, count: int) -> None:
    grant(system, V2, cpu_max=quota)
    assert cores.usable_cores() == count


def test_cores_follow_the_smallest_quota_around_the_process(system: Path) -> None:
    grant(system, "0::/user/work", user__cpu_max="200000 100000", user__work__cpu_max="300000 100000")
    assert cores.usable_cores() == 2


@pytest.mark.parametrize("group", ["docker/abc/", ""], ids=["host's path", "container's root"])
@pytest.mark.parametrize("mount", ["cpu", "cpu,cpuacct"])
@pytest.mark.parametrize(("quota", "count"), [("250000", 3), ("-1", 8)])
def test_cores_follow_the_quota_of_cgroup_v1(system: Path, group: str, mount: str, quota: str, count: int) -> None:
    folder = system / mount / group
    folder.mkdir(parents=True)
    (folder / "cpu.cfs_quota_us").write_text(f"{quota}\n")
    (folder / "cpu.cfs_period_us").write_text("100000\n")
    grant(system, V1)
    assert cores.usable_cores() == count


def test_cores_without_groups_are_those_of_the_affinity(system: Path) -> None:
    assert cores.usable_cores() == 8


@pytest.mark.parametrize(("asked", "count"), [("3", 3), ("", 2), ("0", 2), ("x", 2), ("64", 64)])
def test_cores_threads_are_what_the_environment_says(
    system: Path, monkeypatch: pytest.MonkeyPatch, asked: str, count: int
) -> None:
    grant(system, V2, cpu_max="200000 100000")
    monkeypatch.setenv("OMP_NUM_THREADS", asked)
    assert cores.usable_threads() == count


def test_cores_are_counted_in_the_same_way_everywhere(system: Path) -> None:
    grant(system, V2, cpu_max="400000 100000")
    assert default_workers(Settings("en", None, ParseOptions(), "conllu")) == 2
    assert machine()["cores"] == 4
