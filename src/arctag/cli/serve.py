"""`arctag serve`: the models over HTTP, and a page to look at them."""

from __future__ import annotations

import click

from arctag.cli.common import device_option
from arctag.errors import MissingExtra


@click.command(
    epilog="""\b
Examples:
  arctag serve
  arctag serve -m en -m mine=my-model --port 8080
  arctag serve dev.conllu
  curl -H 'Content-Type: application/json' -d '{"text": "She wants to leave."}' localhost:8000/api/parse"""
)
@click.argument("files", nargs=-1)
@click.option(
    "-m", "--model", "models", multiple=True, default=("en",), show_default=True, metavar="MODEL",
    help="A model folder, NAME=FOLDER, or the name of a model that comes with Arctag; may be repeated. "
    "The first is used where a request names none.",
)  # fmt: skip
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 takes any free one.")
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="The address to listen on; 0.0.0.0 lets other machines in."
)
@click.option(
    "--queue", type=click.IntRange(min=1), default=256, show_default=True,
    help="Requests that may wait or be processed at a time; further ones are refused and may try again later.",
)  # fmt: skip
@click.option(
    "--limit-bytes", type=click.IntRange(min=1), default=1 << 20, show_default=True, help="The largest request."
)
@click.option("--timeout", type=float, default=60.0, show_default=True, help="Seconds that a request may take.")
@device_option
def command(
    files: tuple[str, ...],
    models: tuple[str, ...],
    port: int,
    host: str,
    queue: int,
    limit_bytes: int,
    timeout: float,
    device: str | None,
) -> None:
    """Answer requests at http://127.0.0.1:8000, and show a page there: parse, browse, and encodings explained.

    FILES are treebanks, CoNLL-U or SDP, that the page offers to browse.

    Stops on Ctrl-C or SIGTERM, after the requests in flight have been answered.
    """
    try:
        from arctag.serve.limits import Limits
        from arctag.serve.models.loading import load_models
        from arctag.serve.routes.files import text_files
        from arctag.serve.server import bound_socket, run, url_of
        from arctag.serve.service import Service
        from arctag.serve.warm_up import warm_up
    except ModuleNotFoundError as error:
        raise MissingExtra("The service", "serve") from error
    treebanks = text_files(files)
    limits = Limits(requests=queue, body=limit_bytes, seconds=timeout)
    with bound_socket(host, port) as bound, warm_up() as warming:
        service = Service(load_models(models, device), limits, treebanks)

        def ready() -> None:
            click.echo(f"{url_of(bound)} (models: {', '.join(service.models)}; Ctrl-C stops it)")
            warming.start()

        run(service, bound, host, ready)
