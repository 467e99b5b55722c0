"""Where a command writes: what its output may be called, and what it must not replace."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import click

from arctag.errors import InputError
from arctag.formats import output_suffixes
from arctag.formats.packing import unpacked_name
from arctag.formats.recognition import kind_of_name

F = TypeVar("F", bound=Callable[..., Any])
_PICTURES = (".svg", ".html", ".htm", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".pdf", ".ps", ".eps")
_DOCUMENTS = (".doc", ".docx", ".odt", ".rtf", ".csv", ".tsv", ".xls", ".xlsx", ".xml")
_FOREIGN = frozenset([*_PICTURES, *_DOCUMENTS, ".zip", ".tar"])
"""Endings that promise something else than a graph file."""


def named(ctx: click.Context, param: click.Parameter, value: str) -> str:  # noqa: ARG001
    """The name of an output, which must not be empty: `-o "$UNSET"` would else be the current folder."""
    if not value:
        raise click.BadParameter("the name is empty; give a file, or '-' for standard output")
    return value


def output_option(help: str = "Output file ('-': standard output).") -> Callable[[F], F]:
    """The option that names the output."""
    return click.option("-o", "--output", default="-", metavar="OUT", callback=named, help=help)


force_option = click.option(
    "--force", is_flag=True, help="Overwrite an input, files in a folder, or an unfinished run."
)


def protect_inputs(outputs: Iterable[str], inputs: Iterable[str], force: bool) -> None:
    """`InputError` if an output would replace an input, by whatever name, unless forced."""
    if force:
        return
    read = {_identity(path): path for path in inputs if path != "-"}
    for output in outputs:
        if output != "-" and (identity := _identity(output)) is not None and identity in read:
            raise InputError(
                f"{output} is an input ({read[identity]}) and would be replaced: "
                "choose another output, or replace it with --force"
            )


def _identity(path: str) -> tuple[int, int] | None:
    """What two names of the same file share."""
    try:
        file = Path(path)
        return (file.stat().st_dev, file.stat().st_ino) if file.is_file() else None
    except OSError:  # no such file, or no name that a file could have
        return None


def graph_format(output: str, to: str | None) -> str | None:
    """The format to write: the one that is named, or that the output's name announces, if either does.

    A name that announces something else is refused.
    """
    chosen = to or kind_of_name(output, output_suffixes())
    ending = Path(unpacked_name(output)).suffix.lower()
    if chosen is None and ending in _FOREIGN:
        known = ", ".join(suffix for some in output_suffixes().values() for suffix in some)
        raise InputError(f"cannot write {output}: {ending} is no graph format; end it in one of {known}, or give --to")
    return chosen
