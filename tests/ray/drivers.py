"""Runs of `arctag bulk` in processes of their own, and what they must have written."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.patience import HANGS
from tests.places import ROOT

SENTENCES = [
    "She wants to leave.", "The kettle that sings is old.", "He stays, and she goes home.", "Where did the socks go?",
    "I saw the man with the telescope.", "Nothing is lost.", "They drank tea and went to bed.", "Go!",
]  # fmt: skip
POISON = ['{"id": "null", "body": null}', "no JSON", '{"id": "empty", "body": " "}', '{"id": "n", "body": 7}']
"""Lines that are no documents."""


def write_texts(path: Path, documents: int = 60, poison: bool = False) -> Path:
    """Documents as JSON lines, each a little different; among them some that cannot be parsed."""
    lines = []
    for number in range(documents):
        some = [SENTENCES[(number * step + step) % len(SENTENCES)] for step in range(1, 4)]
        lines.append(json.dumps({"id": f"d{number}", "body": " ".join(some)}))
        if poison and number % 20 == 7:
            lines.append(POISON[number // 20 % len(POISON)])
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


class Bulk:
    """A corpus, what `arctag parse` makes of it, and the folder that `arctag bulk` writes."""

    def __init__(self, folder: Path, run: Run, documents: int = 60, poison: bool = False, to: str = "conllu") -> None:
        self.folder, self.out, self.to = folder, folder / "out", to
        self.texts = write_texts(folder / "texts.jsonl", documents, poison)
        self.fields = ["--text-field", "body", "--id-field", "id"]
        self.environment = {
            **os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1",
            "ARCTAG_FAULT_MARK": str(folder / "happened"),
        }  # fmt: skip
        self.environment.pop("RAY_ADDRESS", None)
        expected = folder / "expected.conllu"
        self.code = run("parse", self.texts, *self.fields, "-o", expected).code
        self.expected = expected.read_bytes()

    def command(self, *options: str) -> list[str]:
        return [
            sys.executable, "-m", "tests.ray.faulty", "bulk", str(self.texts), *self.fields, "-o", str(self.out),
            "--to", self.to, "--shard-words", "60", *options,
        ]  # fmt: skip

    def start(self, *options: str, fault: str = "none:0") -> subprocess.Popen[str]:
        environment = {**self.environment, "ARCTAG_FAULT": fault}
        return subprocess.Popen(
            self.command(*options), env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT
        )

    def run(self, *options: str, fault: str = "none:0") -> subprocess.CompletedProcess[str]:
        process = self.start(*options, fault=fault)
        out, err = process.communicate(timeout=HANGS)
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def shards(self) -> list[Path]:
        return sorted(self.out.glob("part-*"))

    def killed(self, when: Callable[[], bool], *options: str) -> None:
        """A run whose driver is killed at some moment, unless it is done before."""
        process = self.start(*options)
        wait_for(lambda: when() or process.poll() is not None)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=HANGS)

    def check(self) -> None:
        """All sentences are there, once and in order, and nothing else."""
        names = {path.name for path in self.out.iterdir()}
        assert names == {"_arctag.json", *(path.name for path in self.shards())}
        assert json.loads((self.out / "_arctag.json").read_text())["complete"]
        assert b"".join(path.read_bytes() for path in self.shards()) == self.expected

    @property
    def happened(self) -> bool:
        return (self.folder / "happened").exists()


def wait_for(condition: Callable[[], bool]) -> None:
    """Wait until something is so."""
    end = time.monotonic() + HANGS
    while not condition():
        if time.monotonic() > end:
            pytest.fail("nothing happened")
        time.sleep(0.05)
