"""The command line's frame: commands, version, exit codes."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from types import SimpleNamespace

import click
import pytest

import arctag
from arctag import cli
from tests.conftest import Run
from tests.patience import HANGS

WRITTEN = [command for command in cli.COMMANDS if importlib.util.find_spec(f"arctag.cli.{command}")]


def test_main_unknown_verb(run: Run) -> None:
    result = run("conver")
    assert (result.code, result.out) == (2, b"")
    assert "No such command 'conver'" in result.err


def test_main_unknown_option(run: Run) -> None:
    result = run("convert", "--no-such-option", "x")
    assert result.code == 2
    assert "No such option" in result.err


def test_main_version(run: Run) -> None:
    result = run("--version")
    assert (result.code, result.text, result.err) == (0, f"arctag {arctag.__version__}\n", "")


@pytest.mark.parametrize("option", ["--help", "-h"])
def test_main_help_lists_every_command(run: Run, option: str) -> None:
    result = run(option)
    assert result.code == 0
    listed = [line.split()[0] for line in result.text.partition("Commands:")[2].splitlines() if line.startswith("  ")]
    assert [word for word in listed if word in cli.COMMANDS] == list(cli.COMMANDS)


@pytest.mark.parametrize("command", WRITTEN)
def test_main_help_of_every_command_ends_with_an_example(run: Run, command: str) -> None:
    result = run(command, "--help")
    assert result.code == 0
    help, _, example = result.text.partition("Example")
    assert help.startswith(f"Usage: arctag {command}")
    assert f"arctag {command}" in example


def test_main_help_does_not_import_the_verbs() -> None:
    script = "import sys; from arctag.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass\n"
    script += "print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=HANGS)
    modules = set(done.stdout.splitlines()[-1].split())
    assert "arctag.cli" in modules
    assert modules.isdisjoint({"rich", "torch", *(f"arctag.cli.{command}" for command in cli.COMMANDS)})


def _verb_that(monkeypatch: pytest.MonkeyPatch, action: object) -> None:
    """Add a command `trial` that does one thing."""
    assert callable(action)
    command = click.Command("trial", callback=action)
    monkeypatch.setitem(cli.COMMANDS, "trial", "A trial.")
    monkeypatch.setattr(cli, "import_module", lambda name: SimpleNamespace(command=command))


def test_main_exit_code_of_a_verb_is_passed_on(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    _verb_that(monkeypatch, lambda: click.get_current_context().exit(1))
    assert run("trial").code == 1


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (arctag.errors.InputError("no good"), 2, "arctag: no good\n"),
        (arctag.errors.MissingExtra("training", "train"), 2, "pip install 'arctag[train]'\n"),
        (OSError(28, "No space left on device"), 2, "arctag: cannot write <stdout>: No space left on device\n"),
        (KeyboardInterrupt(), 130, "arctag: interrupted\n"),
    ],
    ids=["input", "extra", "system", "interrupt"],
)
def test_main_errors_are_one_line(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, message: str
) -> None:
    def fail() -> None:
        raise error

    _verb_that(monkeypatch, fail)
    result = run("trial")
    assert result.code == code
    assert result.err.strip().count("\n") == 0
    assert result.err.endswith(message)


def test_main_bugs_are_not_hidden(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise ZeroDivisionError

    _verb_that(monkeypatch, fail)
    with pytest.raises(ZeroDivisionError):
        run("trial")


def test_main_runs_as_a_module() -> None:
    done = subprocess.run([sys.executable, "-m", "arctag", "--version"], capture_output=True, text=True, timeout=HANGS)
    assert (done.returncode, done.stdout) == (0, f"arctag {arctag.__version__}\n")


@pytest.mark.parametrize(
    ("arguments", "closed", "code"),
    [("encodings", ">&-", 0), ("convert -", "<&-", 2), ("convert no.conllu", "2>&-", 2), ("--version", ">&- 2>&-", 0)],
)
def test_main_closed_streams_are_no_bug(arguments: str, closed: str, code: int) -> None:
    command = f"{sys.executable} -m arctag {arguments} {closed}"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=HANGS)
    assert done.returncode == code
    assert "Traceback" not in done.stderr
