"""Processes that parse end with the one that started them, however it ends, and what it wrote can be resumed."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic, sleep

import pytest

from tests.conftest import Run
from tests.patience import HANGS
from tests.signals import hear_ctrl_c

LONG = HANGS
SENTENCE = "She sings in the rain.\n\n"
# small jobs, so that a few sentences keep two workers busy
PARSE = """
import sys
from arctag.cli import main
from arctag.parsing import jobs
jobs.WORDS = 20
if __name__ == "__main__":
    main(sys.argv[1:])
"""

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks processes up in /proc")


def wait_until(what: str, reached: Callable[[], object]) -> None:
    end = monotonic() + LONG
    while not reached():
        assert monotonic() < end, what
        sleep(0.05)


def children(pid: int) -> set[int]:
    """The processes that a process has started and that are still there."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = stat.read_text().rpartition(")")[2].split()[:2]
        except (OSError, ValueError):  # it has just ended
            continue
        if int(parent) == pid and state != "Z":
            found.add(int(stat.parent.name))
    return found


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture
def parsing(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A run with two workers that has written something and waits for more input."""
    script = tmp_path / "run.py"
    script.write_text(PARSE)
    process = subprocess.Popen(
        [sys.executable, script, "parse", "-", "-o", tmp_path / "out.conllu", "--format", "text", "--workers", "2"],
        stdin=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=hear_ctrl_c,
    )  # fmt: skip
    assert process.stdin is not None
    process.stdin.write(SENTENCE.encode() * 200)
    process.stdin.flush()
    try:
        wait_until("nothing was written", lambda: written(tmp_path) or process.poll() is not None)
        yield process
    finally:
        process.kill()
        process.communicate()


def written(folder: Path) -> int:
    part = folder / ".out.conllu.part"
    return part.stat().st_size if part.exists() else 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_parse_workers_end_at_a_signal_that_says_how_to_resume(
    parsing: subprocess.Popen[bytes], tmp_path: Path, number: signal.Signals
) -> None:
    workers = children(parsing.pid)
    assert len(workers) >= 2
    parsing.send_signal(number)
    _, errors = parsing.communicate(timeout=LONG)
    assert parsing.returncode == 128 + number
    assert errors.decode().split("\n", 1)[0] == "what is parsed is kept: the same command with --resume continues"
    assert errors.endswith(b"\narctag: interrupted\n")
    assert b"Traceback" not in errors
    wait_until("workers are left", lambda: not any(map(alive, workers)))
    assert written(tmp_path)


def test_parse_workers_end_when_the_first_process_is_killed(
    parsing: subprocess.Popen[bytes], run: Run, tmp_path: Path
) -> None:
    workers = children(parsing.pid)
    assert len(workers) >= 2
    parsing.kill()
    parsing.communicate(timeout=LONG)
    wait_until("workers are left", lambda: not any(map(alive, workers)))
    assert written(tmp_path)
    text = (SENTENCE * 200).encode()
    call = ("parse", "-", "--format", "text", "-o")
    assert run(*call, tmp_path / "whole.conllu", stdin=text).code == 0
    assert run(*call, tmp_path / "out.conllu", "--resume", stdin=text).code == 0
    assert (tmp_path / "out.conllu").read_bytes() == (tmp_path / "whole.conllu").read_bytes()


def test_parse_workers_second_run_says_who_writes_the_file(
    parsing: subprocess.Popen[bytes], run: Run, tmp_path: Path
) -> None:
    result = run("parse", "She sings.", "-o", tmp_path / "out.conllu")
    assert result.code == 2
    assert f"process {parsing.pid} is writing it" in result.err
    assert parsing.poll() is None
    assert parsing.stdin is not None
    parsing.communicate(timeout=LONG)
    assert parsing.returncode == 0
    assert (tmp_path / "out.conllu").read_text().count("# text = She sings in the rain.") == 200


def test_parse_workers_nothing_to_resume_is_not_promised() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", PARSE, "parse", "-", "--format", "text"],
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=hear_ctrl_c,
    )  # fmt: skip
    try:
        wait_until("it handles no signal", lambda: handles_signals(process.pid))
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=LONG)
        assert (process.returncode, errors.strip()) == (143, b"arctag: interrupted")
    finally:
        process.kill()
        process.communicate()


def handles_signals(pid: int) -> bool:
    """Whether the process has a handler for SIGTERM by now."""
    status = Path(f"/proc/{pid}/status").read_text()
    caught = int(status.partition("SigCgt:")[2].split()[0], 16)
    return bool(caught >> (signal.SIGTERM - 1) & 1)
