"""The command line: one file per command, loaded only when called, so that `arctag` starts at once."""

from __future__ import annotations

import gc
import io
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any

import click

from arctag.cli import signals
from arctag.errors import ArctagError, ArctagWarning

COMMANDS = {
    "train": "Train a parser on your treebank.",
    "parse": "Parse text, files or folders.",
    "bulk": "Parse corpora on many cores or machines, with Ray.",
    "evaluate": "Score a model on a gold file, with every analysis.",
    "export": "Export a trained model to ONNX: small, fast, and without torch.",
    "models": "Inspect model folders.",
    "search": "Find words, relations and small graphs in treebanks.",
    "convert": "Convert a graph file to another format, or change its empty nodes.",
    "diagnose": "Print treebank statistics, and what each encoding covers.",
    "encode": "Turn each graph into one label per word.",
    "decode": "Turn labels back into graphs.",
    "encodings": "List the encodings, or explain one.",
    "score": "Score a file against gold: SDP or ELAS, with breakdowns and significance.",
    "draw": "Draw graphs as SVG, HTML or in the terminal.",
    "serve": "Serve models over HTTP, with a web page.",
    "bench": "Measure speed on this machine.",
}
"""Name → one line of help; the command itself is `command` in `arctag.cli.NAME`."""


class Commands(click.Group):
    """A group whose commands are imported when they are needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """The commands, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:  # noqa: ARG002
        """Import a command."""
        if name not in COMMANDS:
            return None
        command: click.Command = import_module(f"arctag.cli.{name}").command
        return command

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; a reader that stops early ends it quietly."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # `arctag … | head` is not an error, though click would exit with 1
            _drop_output()
            return None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _print_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from arctag import __version__

        click.echo(f"arctag {__version__}")
        ctx.exit()


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version, help="Show the version."
)
def cli() -> None:
    """Dependency graphs as one label per word.

    \b
    Start here:
      arctag COMMAND --help     every command shows an example that runs
    """


def _open_closed_streams() -> None:
    """A stream that was closed (`>&-`) is `None` in Python; let it lead nowhere instead."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115  # open as long as the program runs


@contextmanager
def _warnings_in_a_line() -> Iterator[None]:
    """Warnings of Arctag's own are for people, not for programmers."""
    with warnings.catch_warnings():
        usual: Any = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
            if issubclass(category, ArctagWarning):
                click.echo(f"arctag: {message}", err=True)
            else:
                usual(message, category, *where, **more)

        warnings.showwarning = show
        yield


def _print_anything() -> None:
    """Let every character be printed, whatever the locale: in UTF-8 to files and pipes, escaped on a terminal."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            if not stream.isatty():
                stream.reconfigure(encoding="utf-8")
            stream.reconfigure(errors="backslashreplace")


def main(arguments: list[str] | None = None) -> None:
    """Run the command line: exit code 0, 1 (a check said no) or 2 (wrong use or bad input)."""
    _open_closed_streams()
    _print_anything()
    gc.set_threshold(100_000, 20, 50)  # sentences are many small objects without cycles: look for those less often
    try:
        with _warnings_in_a_line(), signals.handled(), signals.reraised():
            # click gives the code of `ctx.exit(1)` back instead of leaving with it
            code = cli.main(args=arguments, prog_name="arctag", standalone_mode=False)
            sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except (click.Abort, KeyboardInterrupt):
        click.echo("arctag: interrupted", err=True)
        sys.exit(signals.exit_code())
    except BrokenPipeError:  # a reader that has seen enough, of output that was still held back
        _drop_output()
        return
    except OSError as error:  # files have their names in it: without one it is standard output
        _drop_output()
        click.echo(f"arctag: {error if error.filename else f'cannot write <stdout>: {error.strerror}'}", err=True)
        sys.exit(2)
    except ArctagError as error:
        _flush()
        click.echo(f"arctag: {error}", err=True)
        sys.exit(2)
    if isinstance(code, int) and code:
        sys.exit(code)


def _flush() -> None:
    """Write what is still held back, if it can be written; Python would end with a code of its own if it cannot."""
    try:
        sys.stdout.flush()
    except OSError:
        _drop_output()


def _drop_output() -> None:
    """Let what is still to be written go nowhere, since it cannot be written; Python tries once more at its end."""
    with suppress(OSError, ValueError):  # a stream without a file beneath it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
