"""`arctag train`: a parser from treebank files."""

from __future__ import annotations

import os
import tomllib
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

import click

from arctag.backends.torch.encoders import ENCODERS, TRANSFORMER
from arctag.errors import InputError, MissingExtra
from arctag.training.config import (
    TrainConfig,
    choices,
    field_help,
    from_mapping,
    preset_names,
    read_preset,
    read_toml,
)

F = TypeVar("F", bound=Callable[..., Any])
_TABLES = {"also": "NAME=TRAIN,DEV", "layer": "NAME.KEY=VALUE"}  # keys that are tables in TOML


def _further(text: str) -> tuple[str, dict[str, list[str]]]:
    """`dm=train.sdp,dev.sdp`: the layer that a treebank brings, and its files."""
    name, equals, files = text.partition("=")
    train, _, dev = files.partition(",")
    if not equals or not name or not train:
        raise InputError(f"--also: found {text!r}; expected the name of a layer and its files: dm=train.sdp,dev.sdp")
    return name, {"train": [train], **({"dev": [dev]} if dev else {})}


def _with_settings(settings: dict[str, dict[str, Any]], texts: Sequence[str]) -> dict[str, dict[str, Any]]:
    """`tree.encoding=brackets-2`: a setting of one layer."""
    settings = {name: dict(own) for name, own in settings.items()}
    for text in texts:
        place, equals, value = text.partition("=")
        name, dot, key = place.partition(".")
        if not equals or not dot:
            raise InputError(f"--layer: found {text!r}; expected a layer, a key and a value: tree.encoding=brackets-2")
        settings.setdefault(name, {})[key.replace("-", "_")] = _value(value)
    return settings


def _value(text: str) -> Any:
    """A value as TOML has it; what is none of its values is a string."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def _config_options(function: F) -> F:
    """An option for every key of the config, with its documentation."""
    for key, (text, default) in reversed(list(field_help().items())):
        shown = "" if default in (None, "", ()) else f" [default: {default}]"
        function = click.option(*_flags(key), key, default=None, help=text + shown, **_option_type(key))(function)
    return function


def _flags(key: str) -> list[str]:
    name = key.replace("_", "-")
    if _type(key) is bool:
        return [f"--{name}/--no-{name}"]
    return ["-o", f"--{name}"] if key == "output" else [f"--{name}"]


def _option_type(key: str) -> dict[str, Any]:
    if key in _TABLES:
        return {"multiple": True, "metavar": _TABLES[key]}
    if key == "layers":
        return {"metavar": "NAME,NAME"}
    if key == "teacher":
        return {"multiple": True, "metavar": "[LAYERS=]MODEL"}
    if _type(key) is tuple:
        return {"multiple": True, "metavar": "FILE"}
    if key in ("output", "silver"):
        return {"metavar": "DIR"}
    if key == "encoder":
        return {"metavar": f"[{'|'.join(name for name in ENCODERS if name != TRANSFORMER)}|NAME]"}
    return {"type": click.Choice(choices(key)) if choices(key) else _type(key)}


def _type(key: str) -> Any:
    """The type of a value of a key, if it has one."""
    hint = get_type_hints(TrainConfig)[key]
    return get_origin(hint) if get_origin(hint) is tuple else (get_args(hint) or (hint,))[0]


class _ManyFiles(click.Command):
    """Lets `--train a b c` mean three files, as people write it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        spread: list[str] = []
        flag = ""
        for arg in args:
            if arg in ("--train", "--dev", "--test", "--unlabelled", "--teacher"):
                flag, first = arg, True
                spread.append(arg)
            elif flag and not arg.startswith("-"):
                spread.extend([arg] if first else [flag, arg])
                first = False
            else:
                flag = ""
                spread.append(arg)
        return super().parse_args(ctx, spread)


@click.command(
    cls=_ManyFiles,
    epilog="""\b
Examples:
  arctag train --train train.conllu --dev dev.conllu -o my-model
  arctag train --train train.sdp --dev dev.sdp --test test.sdp --encoding bits6-4 --encoder bilstm -o my-model
  arctag train --train train.conllu --dev dev.conllu --unlabelled news.txt.gz --teacher large-model -o my-model
  arctag train --config my.toml --epochs 10 -o my-model
  torchrun --nproc-per-node 2 -m arctag train --config my.toml -o my-model""",
)
@click.option("--config", "config_file", metavar="TOML", help="Read settings from a file; options override it.")
@click.option("--preset", metavar="NAME", help=f"Start from the paper's hyperparameters: {', '.join(preset_names())}.")
@click.option("--resume", is_flag=True, help="Resume the unfinished run in --output.")
@click.option("--force", is_flag=True, help="Replace the model or the run in --output.")
@click.option("--quiet", is_flag=True, help="Print the final scores only.")
@click.option("--json", "as_json", is_flag=True, help="Print the final scores as JSON.")
@_config_options
def command(
    config_file: str | None, preset: str | None, resume: bool, force: bool, quiet: bool, as_json: bool, **options: Any
) -> None:
    """Train a parser. Only --train, --dev and --output are needed; everything else has a default."""
    keys: dict[str, Any] = read_preset(preset) if preset else {}
    if config_file:
        keys.update(read_toml(config_file))
    keys.update({key: value for key, value in options.items() if value not in (None, ()) and key not in _TABLES})
    keys["also"] = {**keys.get("also", {}), **dict(map(_further, options["also"]))}
    keys["layer"] = _with_settings(keys.get("layer", {}), options["layer"])
    config = from_mapping(keys, config_file or "the command line")
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # cuBLAS: the same sums in the same order
    try:
        from arctag.training.loop import train
    except ImportError as error:
        raise MissingExtra("Training", "train") from error
    from arctag.cli.training_display import show

    if int(os.environ.get("RANK", "0")):  # one of torchrun's other processes: the first one prints
        deque(train(config, resume, force), maxlen=0)
        return
    show(train(config, resume, force), config, quiet=quiet, as_json=as_json)
