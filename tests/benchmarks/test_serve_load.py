"""The load generator: what many clients see of a service."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from benchmarks.serve_load import request_bodies
from click.testing import CliRunner, Result

from arctag.errors import InputError
from arctag.parsing.parser import Parser
from arctag.serve.limits import Limits
from benchmarks import serve_load
from tests.places import ROOT
from tests.serve.servers import PausedParser, Running, running


def run(*arguments: object) -> Result:
    """Run the script in this process."""
    return CliRunner().invoke(serve_load.main, [str(argument) for argument in arguments])


def test_serve_load_is_a_script() -> None:
    command = [sys.executable, "benchmarks/serve_load.py", "--help"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "--per-request" in done.stdout


def test_serve_load_json_has_the_promised_shape(server: Running, sample: Path) -> None:
    result = run(server.url, sample, "--clients", 4, "--requests", 40, "--seconds", 600, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    found = json.loads(result.output)
    assert (found["clients"], found["requests"], found["errors"]) == (4, 40, {})
    slowest, fastest = (40 / max(found["seconds"] + error, 0.001) for error in (0.01, -0.01))  # it is rounded
    assert slowest - 0.1 <= found["requests_per_s"] <= fastest + 0.1
    assert found["words_per_s"] > 0
    latency = found["latency_ms"]
    assert 0 < latency["p50"] <= latency["p90"] <= latency["p99"] <= latency["max"]
    memory = found["server_memory_mb"]
    assert [int(count) for count in memory][:1] == [0]
    assert int(list(memory)[-1]) == 40
    assert min(memory.values()) > 50
    assert set(found["machine"]) == {"processor", "cores", "python", "arctag"}


def test_serve_load_prints_a_table(server: Running, tmp_path: Path) -> None:
    text = tmp_path / "some.txt"
    text.write_text("She left.\n\nHe stayed.\n", encoding="utf-8")
    result = run(server.url, text, "--clients", 2, "--requests", 10, "--seconds", 600)
    assert result.exit_code == 0
    rows = dict(line.split("\t") for line in result.output.splitlines())
    assert rows["errors"] == "none"
    assert float(rows["p99 ms"]) > 0


def test_serve_load_stops_when_the_time_is_over(server: Running, sample: Path) -> None:
    result = run(server.url, sample, "--clients", 1, "--seconds", 0.5, "--json")
    assert json.loads(result.output)["seconds"] >= 0.5


def test_serve_load_counts_errors(paused: PausedParser, sample: Path) -> None:
    with running({"m": paused}, Limits(seconds=0.5)) as slow:
        result = run(slow.url, sample, "--clients", 2, "--requests", 4, "--seconds", 600, "--json")
        paused.resume()
    found = json.loads(result.output)
    assert (found["requests"], found["errors"], found["latency_ms"]) == (0, {"504": 4}, {})


def test_serve_load_sends_several_sentences(sample: Path, tmp_path: Path) -> None:
    bodies = [json.loads(body) for body in request_bodies(str(sample), 5)]
    assert [len(body["tokens"]) for body in bodies[:-1]] == [5] * (len(bodies) - 1)
    text = tmp_path / "some.txt"
    text.write_text("One.\n\nTwo.\n\nThree.", encoding="utf-8")
    assert [json.loads(body) for body in request_bodies(str(text), 2)] == [{"text": "One.\n\nTwo."}, {"text": "Three."}]


@pytest.mark.parametrize(
    ("url", "line"),
    [
        ("http://127.0.0.1:1", "serve_load: no service at http://127.0.0.1:1: "),
        ("https://127.0.0.1:1", "serve_load: https://127.0.0.1:1 is not the address of a service"),
        ("ftp://", "serve_load: ftp:// is not the address of a service"),
    ],
)
def test_serve_load_needs_a_service(sample: Path, url: str, line: str) -> None:
    result = run(url, sample)
    assert result.exit_code == 2
    assert result.stderr.startswith(line)


def test_serve_load_needs_sentences(server: Running, tmp_path: Path) -> None:
    text = tmp_path / "some.txt"
    text.write_text("\n", encoding="utf-8")
    assert run(server.url, text).stderr == f"serve_load: {text} holds no sentence to send\n"


def test_serve_load_other_servers_are_none(tiny: Parser, sample: Path) -> None:
    with running({"m": tiny}, host="127.0.0.1") as server:
        wrong = server.url.replace("127.0.0.1", "127.0.0.2")  # reaches nothing, or is turned away
        assert run(wrong, sample).exit_code == 2


def test_serve_load_fails_when_the_memory_cannot_be_read(
    server: Running, sample: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    figures, asked = serve_load._Server.figures, count()

    async def once(server: Any) -> dict[str, float]:
        if next(asked) == 1:
            raise InputError("no memory reported")
        return await figures(server)

    monkeypatch.setattr(serve_load._Server, "figures", once)
    result = run(server.url, sample, "--clients", 4, "--requests", 40, "--seconds", 600)
    assert (result.exit_code, result.stderr) == (2, "serve_load: no memory reported\n")
