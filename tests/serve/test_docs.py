"""docs/serve.md shows what really happens: its requests are sent to a server, and its numbers are those of the code."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator

import pytest

from arctag.cli.serve import command
from arctag.parsing.parser import Parser
from arctag.serve.limits import Limits
from tests.places import ROOT
from tests.serve.servers import WAIT, Running, running

PAGE = (ROOT / "docs" / "serve.md").read_text(encoding="utf-8")
FENCE = re.compile(r"^<!-- not run: tests/serve/test_docs\.py[^\n]*-->\n```(\w+)\n(.*?)^```$", re.M | re.S)
HERE = "localhost:8000"


@pytest.fixture(scope="module")
def english(tiny: Parser) -> Iterator[Running]:
    """A tiny model by the name of the one that comes with Arctag."""
    with running({"en": tiny}) as server:
        yield server


def blocks(kind: str) -> list[str]:
    return [text for found, text in FENCE.findall(PAGE) if found == kind]


def commands() -> list[tuple[str, str]]:
    """Each command and the line it prints."""
    lines = [line for text in blocks("console") for line in text.splitlines()]
    return [(line[2:], lines[i + 1]) for i, line in enumerate(lines) if line.startswith("$ ")]


@pytest.mark.parametrize(("line", "shown"), commands())
def test_docs_curl(english: Running, line: str, shown: str) -> None:
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed")
    words = shlex.split(line.replace(HERE, english.url))
    done = subprocess.run(
        [*words, "--silent", "--noproxy", "*"], capture_output=True, text=True, timeout=WAIT, check=True
    )
    pattern = ".*".join(map(re.escape, shown.removesuffix("…").split("…")))
    assert re.match(pattern + (".*" if shown.endswith("…") else "$"), done.stdout, re.DOTALL), done.stdout


def test_docs_python(english: Running, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")
    (text,) = blocks("python")
    names: dict[str, object] = {}
    exec(text.replace(f"http://{HERE}", english.url), names)
    assert re.fullmatch(r"(\d+ \d+ .+\n)+", capsys.readouterr().out)


def test_docs_limits_are_those_of_the_code() -> None:
    limits, options = Limits(), {option.name: option for option in command.params}
    assert (options["queue"].default, options["limit_bytes"].default) == (limits.requests, limits.body)
    assert options["timeout"].default == limits.seconds
    for text in (
        f"`--limit-bytes` ({limits.body:,})",
        f"`--queue` requests ({limits.requests})",
        f"`--timeout` seconds ({limits.seconds:g})",
        f"more than {limits.bodies} of the largest size together",
        f"requests below {limits.body // 32 >> 10} KB do not count",
        f"for {limits.idle_seconds:g} seconds",
        f"more than {limits.connections} connections",
        f"more than {limits.words:,} words, or a graph of more than {limits.arcs:,} arcs",
        f"more than {limits.trace_words} words, step by step, or of labels of more than {limits.trace_labels:,} char",
        f"more than {limits.planes} planes",
    ):
        assert text in PAGE


def test_docs_name_every_route(english: Running) -> None:
    for path in english.get("/openapi.json").json()["paths"]:
        assert f"{path}`" in PAGE
