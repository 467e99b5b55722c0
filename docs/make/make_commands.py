"""`docs/commands.md`: the reference of the command line, from `--help`."""

from __future__ import annotations

from collections.abc import Iterator

import click

from arctag.cli import COMMANDS, cli

_WIDTH = 100
_HEADER = """# Commands

What `arctag COMMAND --help` prints, made by `make docs`. The exit code is 0, 1 where something was found wrong
(sentences that were passed through unparsed, say), 2 for wrong use or bad input, and 130 after Ctrl-C.
"""


def reference() -> str:
    """The whole page."""
    contents = "\n".join(f"- [`arctag {name}`](#arctag-{name}): {about}" for name, about in COMMANDS.items())
    top = click.Context(cli, info_name="arctag", **cli.context_settings)
    sections = [
        section
        for name in COMMANDS
        if (command := cli.get_command(top, name)) is not None
        for section in _sections(command, f"arctag {name}", top, 2)
    ]
    return "\n".join([_HEADER, contents, "", *sections]).rstrip() + "\n"


def _sections(command: click.Command, name: str, parent: click.Context, level: int) -> Iterator[str]:
    """A command, then those below it."""
    context = click.Context(
        command, parent, info_name=name.rpartition(" ")[2], terminal_width=_WIDTH, max_content_width=_WIDTH
    )
    text = "\n".join(line.rstrip() for line in command.get_help(context).splitlines())
    yield f"{'#' * level} {name}\n\n```text\n{text}\n```\n"
    if isinstance(command, click.Group):
        for below in command.list_commands(context):
            found = command.get_command(context, below)
            assert found is not None
            yield from _sections(found, f"{name} {below}", context, level + 1)
