"""The command line: one file per verb, loaded only when called, so that `arctag` starts at once."""

from __future__ import annotations

import sys
from importlib import import_module

import click

from arctag.errors import ArctagError

VERBS = {
    "convert": "Rewrite a graph file in another format, or change its empty nodes.",
    "diagnose": "Treebank statistics, and what each encoding covers.",
    "encode": "Turn each graph into one label per word.",
    "decode": "Turn labels back into graphs.",
    "encodings": "List the encodings, or explain one.",
    "score": "Score a file against gold: SDP or ELAS, with breakdowns and significance.",
    "draw": "Draw graphs as SVG, HTML or in the terminal.",
    "bench": "Measure speed on this machine.",
}
"""Verb → one line of help; the verb's command is `command` in `arctag.cli.<verb>`."""


class Verbs(click.Group):
    """A group whose commands are imported when they are needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in VERBS:
            return None
        command: click.Command = import_module(f"arctag.cli.{name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Verbs"):
            formatter.write_dl(list(VERBS.items()))


def _print_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from arctag import __version__

        click.echo(f"arctag {__version__}")
        ctx.exit()


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version, help="Show the version.")
def cli() -> None:
    """Dependency graphs as one label per word.

    \b
    Start here:
      arctag VERB --help     every verb shows an example that runs
    """


def main(arguments: list[str] | None = None) -> None:
    """Run the command line: exit code 0, 1 (a check said no) or 2 (wrong use or bad input)."""
    try:
        cli.main(args=arguments, prog_name="arctag", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except click.exceptions.Exit as request:
        sys.exit(request.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("arctag: interrupted", err=True)
        sys.exit(130)
    except BrokenPipeError:  # `arctag … | head` is not an error
        sys.stderr.close()
        sys.exit(0)
    except (ArctagError, OSError) as error:
        click.echo(f"arctag: {error}", err=True)
        sys.exit(2)
