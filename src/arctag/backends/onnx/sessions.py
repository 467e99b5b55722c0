"""Opening the files of an exported network, and where they run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from arctag.backends.onnx.file import FORMAT, FORMAT_KEY, read_onnx
from arctag.backends.onnx.runtime import runtime
from arctag.errors import InputError

Provider = tuple[str, dict[str, Any]]


def providers(device: str) -> list[Provider]:
    """What runs the network on this device; `InputError` if nothing can."""
    if device == "cpu":
        return [("CPUExecutionProvider", {})]
    match = re.fullmatch(r"cuda(?::(\d{1,3}))?", device)
    if match is None:
        raise InputError(f"device {device!r} cannot be used: an exported model runs on cpu or cuda")
    if "CUDAExecutionProvider" not in runtime.get_available_providers():
        raise InputError(f"device {device!r} cannot be used: the onnxruntime installed here has no CUDA")
    return [("CUDAExecutionProvider", {"device_id": match[1] or "0"}), ("CPUExecutionProvider", {})]


def open_session(path: Path, where: list[Provider]) -> Any:
    """A session on one thread for a file that was checked; `InputError` for one that cannot be used."""
    data = read_onnx(path)
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.graph_optimization_level = runtime.GraphOptimizationLevel.ORT_DISABLE_ALL  # done when it was exported
    options.enable_mem_pattern = False  # of no use where every batch has another shape
    options.log_severity_level = 4  # errors are raised, not printed
    try:
        session = runtime.InferenceSession(data, options, providers=where)
    except Exception as error:  # all that ONNX Runtime raises
        raise InputError(f"{path}: the network cannot be used ({_reason(error)})") from error
    if session.get_providers()[0] != where[0][0]:
        raise InputError(f"{path}: {where[0][0]} cannot be started")
    version = session.get_modelmeta().custom_metadata_map.get(FORMAT_KEY)
    if version != str(FORMAT):
        raise InputError(f"{path}: exported in format {version!r}; this Arctag reads format {FORMAT}: export it again")
    return session


def run(session: Any, feeds: dict[str, Any]) -> dict[str, Any]:
    """All results of a session by name; what goes wrong is a `RuntimeError`, as with torch."""
    names = [info.name for info in session.get_outputs()]
    try:
        return dict(zip(names, session.run(names, feeds), strict=True))
    except Exception as error:  # all that ONNX Runtime raises
        raise RuntimeError(_reason(error)) from error


def _reason(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
