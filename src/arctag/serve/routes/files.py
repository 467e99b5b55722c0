"""`/api/files`: the treebanks that were named when the service was started; a request names them by number."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import FileResponse

from arctag.errors import InputError
from arctag.formats.not_text import check_text
from arctag.formats.streams import first_bytes
from arctag.serve.answers import FilesAnswer
from arctag.serve.service import service_of

router = APIRouter()
_BYTES: dict[str, Any] = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}


def text_files(paths: Sequence[str]) -> list[Path]:
    """The files of these names; `InputError` for one that is no text, or cannot be read more than once."""
    for path in paths:
        if path == "-":
            raise InputError("the page reads its files several times, and standard input only once: name a file, not -")
        check_text(path, first_bytes(path))
    return [Path(path) for path in paths]


@router.get("/api/files", response_model=FilesAnswer)
async def files(request: Request) -> dict[str, Any]:
    """The files to browse, numbered from 1."""
    paths = service_of(request).files
    return {"files": [{"number": number, "name": path.name} for number, path in enumerate(paths, 1)]}


@router.get("/api/files/{number}", response_class=FileResponse, responses={200: {"content": _BYTES}})
async def file(number: int, request: Request) -> FileResponse:
    """The bytes of a file."""
    paths = service_of(request).files
    if not 1 <= number <= len(paths) or not paths[number - 1].is_file():
        raise HTTPException(404, f"there is no file {number}; see /api/files")
    return FileResponse(paths[number - 1], media_type="application/octet-stream")
