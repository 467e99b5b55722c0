"""Compiling the encodings before the first request needs them.

After an installation numba compiles each loop at its first use, a minute in all, and caches it on disk. A process of
its own does that here: numba lets one thread of a process compile at a time, and requests would wait for it.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from threading import Thread
from time import perf_counter
from typing import Any, get_args

from arctag.draw import svg
from arctag.encodings import ENCODINGS, Arcs, Labels, encoding
from arctag.encodings.planes import plane_counts
from arctag.encodings.rules import Crossing, Planes
from arctag.formats import Writer
from arctag.formats.conllu import CONLLU
from arctag.formats.pieces import text_pieces
from arctag.formats.sdp import SDP
from arctag.graph import Graph
from arctag.kernel import kernels_of
from arctag.sentence import Sentence

_CHILD = "from arctag.serve.warm_up import main; main()"
_OPTIONS = list(product(get_args(Planes), get_args(Crossing)))
_log = logging.getLogger("arctag.serve")


class WarmUp:
    """Fills numba's cache in a process of its own, if something is missing in it."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._stopped = False

    def start(self) -> None:
        """Start, and return at once."""
        if not is_cold(kernels()):
            return
        _log.info("compiling the encodings in the background (once after each installation)")
        environment = {**os.environ, "PYTHONSAFEPATH": "1"}  # import nothing from the current folder
        self._process = subprocess.Popen(
            [sys.executable, "-c", _CHILD], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True,  # Ctrl-C is for the service
        )  # fmt: skip
        Thread(target=self._wait, args=(self._process,), name="arctag-warm-up", daemon=True).start()

    def stop(self) -> None:
        """End the process, if it has not ended."""
        self._stopped = True
        if self._process is not None:
            self._process.terminate()
            self._process.wait()

    def _wait(self, process: subprocess.Popen[bytes]) -> None:
        began = perf_counter()
        code = process.wait()
        if self._stopped:
            return
        if code == 0:
            _log.info("the encodings are compiled (%.1f s)", perf_counter() - began)
        else:
            _log.warning("the encodings could not be compiled (exit code %d): the first requests take longer", code)


@contextmanager
def warm_up() -> Iterator[WarmUp]:
    """A warm-up that does not outlive the block."""
    warming = WarmUp()
    try:
        yield warming
    finally:
        warming.stop()


def kernels() -> list[Any]:
    """All functions of the encodings that numba compiles; none where it is switched off."""
    modules = [module for name, module in sys.modules.items() if name.startswith("arctag.encodings.")]
    return list({id(one): one for module in modules for one in kernels_of(module)}.values())


def is_cold(compiled: Iterable[Any]) -> bool:
    """Whether numba has yet to compile one of these: its cache has an index for each that it has compiled."""
    return any(not _has_index(one) for one in compiled)


def _has_index(dispatcher: Any) -> bool:
    if dispatcher.stats.cache_path is None:  # there is no cache: another process would compile in vain
        return True
    code = dispatcher.py_func.__code__
    written = Path(code.co_filename).stat().st_mtime
    python = "".join(map(str, sys.version_info[:2]))
    names = f"*.{dispatcher.py_func.__qualname__}-{code.co_firstlineno}.py{python}*.nbi"
    return any(index.stat().st_mtime >= written for index in Path(dispatcher.stats.cache_path).glob(names))


def main() -> None:
    """What the process does, at a low priority."""
    if hasattr(os, "nice"):
        os.nice(10)
    fill()


def fill() -> None:
    """Do everything that requests ask of encodings and of files once, with a small graph, or a tree."""
    from arctag.trace import encode_explained, trace

    arcs = [(0, 2, "root"), (2, 1, "_"), (2, 4, "_"), (1, 3, "_")]
    tree, graph = Graph(4, arcs), Graph(4, [*arcs, (4, 1, "_")])
    plane_counts(Arcs.of([graph]), "strict")
    sentence = Sentence.from_words(["a", "b", "c", "d"], graph)
    svg(sentence)
    for format, words_only in product((CONLLU, SDP), (False, True)):
        text = format.header + format.text(sentence)
        for block in format.blocks(text_pieces(text, "text"), words_only):
            list(Writer(format.name).data([one.with_graph(one.graph) for one in block]))
    for family, entry in ENCODINGS.items():
        name = f"{family}-{entry.ks[0]}" if entry.ks else family
        known = tree if entry.make.trees_only else graph
        for planes, crossing in _OPTIONS:
            labels = encode_explained(known, name, planes, crossing)["labels"]
            chosen = encoding(name, planes=planes, crossing=crossing)
            chosen.decode(Labels.from_rows([chosen.parse(label) for label in labels]))
            chosen.covers(known)
            trace(chosen, labels, known.n)
