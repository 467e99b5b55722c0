"""`arctag bench`: speed on this machine."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import click

from arctag.cli.common import (
    batch_option,
    device_option,
    encodings_option,
    format_option,
    json_option,
    plane_options,
    print_json,
    print_table,
    split_names,
)
from arctag.cli.selection import layer_option


@click.group(
    epilog="""\b
Example:
  arctag bench encodings dev.conllu --json"""
)
def command() -> None:
    """Measure speed on this machine: the best of several runs."""


@command.command(
    "encodings",
    epilog="""\b
Examples:
  arctag bench encodings dev.conllu
  arctag bench encodings dev.conllu --layer tree
  arctag bench encodings test.sdp --lengths --json""",
)
@click.argument("file")
@encodings_option
@click.option("--lengths", is_flag=True, help="Also measure the time per token in sentences of 10 to 10,000 words.")
@plane_options
@format_option()
@layer_option
@json_option
def bench_encodings(
    file: str, encodings: str | None, lengths: bool, crossing: str, planes: str, format: str | None,
    layer: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Tokens per second when all graphs of FILE are encoded, and decoded, in one call.

    Encodings for trees are measured where the graphs are trees, as with --layer tree.
    """
    from arctag.analysis import bench_encodings as bench
    from arctag.analysis.timing import machine
    from arctag.blocks.flat import Flat
    from arctag.blocks.upos import NoTags, upos_of
    from arctag.formats import read
    from arctag.transforms import empty_nodes
    from arctag.transforms.main_graph import choosing

    sentences = empty_nodes.treated(list(map(choosing(layer), read(file, format))), empty_nodes.drop)
    arcs = Flat(sentences).graphs.arcs
    with suppress(NoTags):
        arcs = replace(arcs, tags=upos_of(sentences))
    names = split_names(encodings)
    figures = {
        "machine": machine(),
        "encodings": bench.bench_encodings(arcs, names, crossing=crossing, planes=planes),
    }
    if lengths:
        figures["lengths"] = bench.bench_lengths(arcs, names, crossing=crossing, planes=planes)
    if as_json:
        print_json(figures)
        return
    print_table("Whole file", ("encoding", "encode tokens/s", "decode tokens/s"), [
        (name, f"{row['encode_tokens_per_s']:,}", f"{row['decode_tokens_per_s']:,}")
        for name, row in figures["encodings"].items()
    ])  # fmt: skip
    if lengths:
        click.echo()
        print_table("Nanoseconds per token by sentence length", ("encoding", "words", "encode", "decode"), [
            (name, length, cell["encode_ns_per_token"], cell["decode_ns_per_token"])
            for name, row in figures["lengths"].items() for length, cell in row.items()
        ])  # fmt: skip


@command.command(
    "parse",
    epilog="""\b
Example:
  arctag bench parse my-model dev.conllu --json""",
)
@click.argument("models", nargs=-1, required=True)
@click.argument("file")
@batch_option
@click.option("--workers", type=click.IntRange(min=1), default=1, show_default=True, help="Number of processes.")
@device_option
@json_option
def bench_parse(
    models: tuple[str, ...], file: str, batch_tokens: int, workers: int, device: str | None, as_json: bool
) -> None:
    """Tokens per second from file to file, for each of MODELS, and the share of each step (with one worker)."""
    from arctag.analysis import bench_parsing as bench
    from arctag.analysis.timing import machine

    if workers == 1:
        figures = {model: bench.bench_parse(model, file, batch_tokens, device) for model in models}
    else:
        figures = {model: bench.bench_workers(model, file, batch_tokens, device, workers) for model in models}
    if as_json:
        print_json({"machine": machine(), "models": figures})
        return
    parts = list(dict.fromkeys(part for row in figures.values() for part in row["percent"]))
    print_table("File in to file out", ("model", "layers", "tokens/s", *(f"{part} %" for part in parts)), [
        (model, " ".join(row["layers"]), f"{row['tokens_per_s']:,}", *(row["percent"].get(part, "-") for part in parts))
        for model, row in figures.items()
    ])  # fmt: skip
