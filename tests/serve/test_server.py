"""`arctag serve` as a program: what it prints, what it refuses, and how it ends."""

from __future__ import annotations

import gc
import gzip
import logging
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from arctag.errors import InputError
from arctag.parsing.parser import Parser
from arctag.serve.models.loading import load_models
from arctag.serve.server import bound_socket, make_server, url_of
from arctag.serve.server import run as serve
from arctag.serve.service import Service
from tests.conftest import Run
from tests.networks import Models
from tests.serve.servers import JSON, WAIT, wait_until

START = "from arctag.cli import main; main()"
ROW = "1\tGo\t_\t_\t_\t_\t_\t_\t_\t_\n2\taway\t_\t_\t_\t_\t_\t_\t_\t_\n\n"


class Program:
    """A server in a process of its own."""

    def __init__(self, *arguments: str | Path) -> None:
        command = [sys.executable, "-c", START, "serve", "--port", "0", *map(str, arguments)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.line = self.process.stdout.readline()
        self.url = self.line.split()[0] if self.line else ""

    def get(self, path: str) -> httpx.Response:
        return httpx.get(self.url + path, trust_env=False, timeout=WAIT)

    def parse(self, graphs: str) -> httpx.Response:
        body = {"graphs": graphs}
        return httpx.post(f"{self.url}/api/parse", json=body, headers=JSON, trust_env=False, timeout=WAIT)

    def end(self, number: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
        """Stop it; the exit code, and what it wrote to standard error."""
        self.process.send_signal(number)
        _, errors = self.process.communicate(timeout=WAIT)
        return self.process.returncode, errors


@pytest.fixture
def start(models: Models) -> Iterator[Callable[..., Program]]:
    """Start a server with the tiny model; none outlives the test."""
    started: list[Program] = []

    def start(*arguments: str | Path) -> Program:
        started.append(Program("-m", f"tiny={models('verified')}", "--device", "cpu", *arguments))
        return started[-1]

    yield start
    for program in started:
        if program.process.poll() is None:
            program.process.kill()
        program.process.communicate()


def test_run_from_start_to_end(start: Callable[..., Program], models: Models) -> None:
    """It tells its address, answers, logs; on SIGTERM it lets nobody in, finishes what is in flight, and ends well."""
    program = start("-m", models("sdp"), "--timeout", str(10 * WAIT))
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+ \(models: tiny, sdp; Ctrl-C stops it\)\n", program.line)
    assert program.get("/api/health").json()["models"] == ["tiny", "sdp"]
    assert program.parse(ROW).json()["sentences"][0]["words"] == ["Go", "away"]
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(program.parse, ROW * 8_000)
        wait_until(lambda: program.get("/api/health").json()["queue"] > 0)
        assert not answer.done()
        code, errors = program.end()
        assert code == 0
        assert len(answer.result().json()["sentences"]) == 8_000
    with pytest.raises(httpx.ConnectError):
        program.get("/api/health")
    lines = [line.split(" ", 3)[3] for line in errors.splitlines()]  # without time and id
    assert re.fullmatch(r"GET /api/health 200 \d+\.\d ms 0 words", lines[0])
    assert re.fullmatch(r"POST /api/parse 200 \d+\.\d ms 2 words", lines[1])
    assert re.fullmatch(r"POST /api/parse 200 \d+\.\d ms 16000 words", lines[-1])


def test_run_takes_options_and_ends_on_control_c(start: Callable[..., Program]) -> None:
    program = start("--limit-bytes", "100", "--timeout", "0.0001")
    assert program.parse(ROW * 100).status_code == 413
    assert program.parse(ROW).status_code in (408, 504)
    code, errors = program.end(signal.SIGINT)
    assert code == 0
    assert errors.count("\n") == 2


def test_run_a_taken_port_is_told_before_models_are_loaded(run: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = run("serve", "-m", "none", "--port", port)
    assert result.code == 2
    assert result.err.startswith(f"arctag: cannot listen on 127.0.0.1 port {port}: ")
    assert result.err.endswith("; choose another port with --port\n")
    assert result.err.count("\n") == 1


def test_run_a_model_that_is_not_there(run: Run, tmp_path: Path) -> None:
    result = run("serve", "--port", "0", "-m", f"x={tmp_path / 'none'}")
    assert result.code == 2
    assert result.err.startswith(f"arctag: no model folder at {tmp_path / 'none'}")


def test_run_an_address_that_is_none(run: Run) -> None:
    result = run("serve", "--host", "256.0.0.1.invalid")
    assert result.code == 2
    assert result.err.startswith("arctag: cannot listen on 256.0.0.1.invalid: ")


@pytest.mark.parametrize("option", [("--queue", "0"), ("--limit-bytes", "0"), ("--port", "70000"), ("--timeout", "0")])
def test_run_options_must_make_sense(run: Run, option: tuple[str, str]) -> None:
    assert run("serve", *option).code == 2


@pytest.mark.parametrize("value", ["nan", "inf"])
def test_run_a_time_limit_that_is_no_number(run: Run, value: str) -> None:
    result = run("serve", "--timeout", value)
    assert (result.code, result.err) == (2, f"arctag: the time limit must be a number greater than 0, not {value}\n")


@pytest.mark.parametrize(
    ("content", "what"),
    [(b"\x89PNG\r\n\x1a\n\0\0", "an image"), (gzip.compress(b"PK\x03\x04", mtime=0), "a zip archive")],
)
def test_run_a_file_that_is_no_treebank(run: Run, tmp_path: Path, content: bytes, what: str) -> None:
    (tmp_path / "a.png").write_bytes(content)
    result = run("serve", str(tmp_path / "a.png"))
    assert result.code == 2
    assert result.err.startswith(f"arctag: {tmp_path}/a.png: found {what}")
    assert result.err.count("\n") == 1


def test_run_says_what_to_install(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "arctag.serve.server", raising=False)
    monkeypatch.delitem(sys.modules, "arctag.serve.service", raising=False)
    monkeypatch.setitem(sys.modules, "fastapi", None)
    result = run("serve")
    assert result.code == 2
    assert result.err == "arctag: The service needs packages that are not installed: pip install 'arctag[serve]'\n"


def test_run_models_have_the_names_they_are_given(
    models: Models, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = models("verified")
    monkeypatch.chdir(folder.parent)
    assert list(load_models([f"a={folder}", str(folder), "b=verified"], "cpu")) == ["a", "verified", "b"]
    odd = tmp_path / "odd=name"
    odd.symlink_to(folder)
    assert list(load_models([str(odd)], "cpu")) == ["verified"]
    with pytest.raises(InputError, match="two models are named verified"):
        load_models(["verified", "verified"], "cpu")
    for wrong in ("=x", "x="):
        with pytest.raises(InputError, match="a model is given as NAME=FOLDER or as a folder"):
            load_models([wrong], "cpu")


def test_run_urls_of_both_kinds_of_address() -> None:
    with bound_socket("127.0.0.1", 0) as bound:
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+", url_of(bound))
    try:
        with bound_socket("::1", 0) as bound:
            assert re.fullmatch(r"http://\[::1\]:\d+", url_of(bound))
    except InputError:
        pytest.skip("this machine has no IPv6")


def _process() -> dict[str, object]:
    """What a library must leave as it is."""
    loggers = [logging.getLogger(name) for name in ("arctag.serve", "uvicorn")]
    mask = os.umask(0o77)
    os.umask(mask)
    return {
        "switches": sys.getswitchinterval(),
        "signals": [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)],
        "collections": (gc.get_threshold(), gc.get_freeze_count()),
        "logs": [(list(logger.handlers), logger.propagate, logger.level) for logger in loggers],
        "streams": (sys.stdin, sys.stdout, sys.stderr),
        "umask": mask,
    }


def test_run_leaves_the_process_as_it_was(tiny: Parser) -> None:
    before = _process()
    during: list[dict[str, object]] = []

    def ready() -> None:
        during.append(_process())
        signal.raise_signal(signal.SIGTERM)

    with bound_socket("127.0.0.1", 0) as bound:
        serve(Service({"m": tiny}), bound, "127.0.0.1", ready)
    assert [name for name, value in during[0].items() if value != before[name]] == [
        "switches", "signals", "collections", "logs",
    ]  # fmt: skip
    assert _process() == before


def test_run_collects_garbage_though_the_command_line_does_so_rarely(tiny: Parser) -> None:
    before, during = gc.get_threshold(), []

    def ready() -> None:
        during.append(gc.get_threshold())
        signal.raise_signal(signal.SIGTERM)

    gc.set_threshold(100_000, 20, 50)
    try:
        with bound_socket("127.0.0.1", 0) as bound:
            serve(Service({"m": tiny}), bound, "127.0.0.1", ready)
        assert gc.get_threshold() == (100_000, 20, 50)
    finally:
        gc.set_threshold(*before)
    assert during == [(2_000, 10, 10)]


def test_run_a_second_control_c_ends_at_once(tiny: Parser) -> None:
    server = make_server(Service({"m": tiny}), "127.0.0.1", lambda: None)
    server.handle_exit(signal.SIGTERM, None)
    assert (server.should_exit, server.force_exit) == (True, False)
    server.handle_exit(signal.SIGINT, None)
    server.handle_exit(signal.SIGTERM, None)
    assert (server.should_exit, server.force_exit) == (True, True)
