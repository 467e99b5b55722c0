"""`arctag bench serve`: what many clients see of a service."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from arctag import bench_serve
from arctag.bench_serve import request_bodies
from arctag.errors import InputError
from arctag.parsing.parser import Parser
from arctag.serve.limits import Limits
from tests.conftest import Run
from tests.serve.servers import HeldParser, Running, running


def test_bench_serve_json_has_the_promised_shape(run: Run, server: Running, sample: Path) -> None:
    result = run("bench", "serve", server.url, sample, "--clients", 4, "--requests", 40, "--seconds", 600, "--json")
    assert (result.code, result.err) == (0, "")
    found = json.loads(result.text)
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


def test_bench_serve_prints_a_table(run: Run, server: Running, tmp_path: Path) -> None:
    text = tmp_path / "some.txt"
    text.write_text("She left.\n\nHe stayed.\n", encoding="utf-8")
    result = run("bench", "serve", server.url, text, "--clients", 2, "--requests", 10, "--seconds", 600)
    assert result.code == 0
    rows = dict(line.split("\t") for line in result.text.splitlines())
    assert rows["errors"] == "none"
    assert float(rows["p99 ms"]) > 0


def test_bench_serve_stops_when_the_time_is_over(run: Run, server: Running, sample: Path) -> None:
    result = run("bench", "serve", server.url, sample, "--clients", 1, "--seconds", 0.5, "--json")
    assert json.loads(result.text)["seconds"] >= 0.5


def test_bench_serve_counts_errors(run: Run, held: HeldParser, sample: Path) -> None:
    with running({"m": held}, Limits(seconds=0.5)) as slow:
        result = run("bench", "serve", slow.url, sample, "--clients", 2, "--requests", 4, "--seconds", 600, "--json")
        held.let_all_go()
    found = json.loads(result.text)
    assert (found["requests"], found["errors"], found["latency_ms"]) == (0, {"504": 4}, {})


def test_bench_serve_sends_several_sentences(sample: Path, tmp_path: Path) -> None:
    bodies = [json.loads(body) for body in request_bodies(str(sample), 5)]
    assert [len(body["tokens"]) for body in bodies[:-1]] == [5] * (len(bodies) - 1)
    text = tmp_path / "some.txt"
    text.write_text("One.\n\nTwo.\n\nThree.", encoding="utf-8")
    assert [json.loads(body) for body in request_bodies(str(text), 2)] == [{"text": "One.\n\nTwo."}, {"text": "Three."}]


@pytest.mark.parametrize(
    ("url", "line"),
    [
        ("http://127.0.0.1:1", "arctag: no service at http://127.0.0.1:1: "),
        ("https://127.0.0.1:1", "arctag: https://127.0.0.1:1 is not the address of a service"),
        ("ftp://", "arctag: ftp:// is not the address of a service"),
    ],
)
def test_bench_serve_needs_a_service(run: Run, sample: Path, url: str, line: str) -> None:
    result = run("bench", "serve", url, sample)
    assert result.code == 2
    assert result.err.startswith(line)


def test_bench_serve_needs_sentences(run: Run, server: Running, tmp_path: Path) -> None:
    text = tmp_path / "some.txt"
    text.write_text("\n", encoding="utf-8")
    assert run("bench", "serve", server.url, text).err == f"arctag: {text} holds no sentence to send\n"


def test_bench_serve_other_servers_are_none(run: Run, tiny: Parser, sample: Path) -> None:
    with running({"m": tiny}, host="127.0.0.1") as server:
        wrong = server.url.replace("127.0.0.1", "127.0.0.2")  # reaches nothing, or is turned away
        assert run("bench", "serve", wrong, sample).code == 2


def test_bench_serve_tells_when_the_memory_is_not_told(
    run: Run, server: Running, sample: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    figures, asked = bench_serve._server_figures, count()

    async def once(connect: Any, url: str) -> dict[str, float]:
        if next(asked) == 1:
            raise InputError("no memory told")
        return await figures(connect, url)

    monkeypatch.setattr(bench_serve, "_server_figures", once)
    result = run("bench", "serve", server.url, sample, "--clients", 4, "--requests", 40, "--seconds", 600)
    assert (result.code, result.err) == (2, "arctag: no memory told\n")
