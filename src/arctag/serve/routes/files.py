"""`/api/files`: the treebanks that were named when the service was started; a request names them by number."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import FileResponse

from arctag.errors import InputError
from arctag.formats.streams import first_bytes
from arctag.serve.service import service_of

router = APIRouter()


def readable(paths: Sequence[str]) -> list[Path]:
    """The files of these names; `InputError` for one that cannot be read, or only once."""
    for path in paths:
        if path == "-":
            raise InputError("the page reads its files over and over, and standard input only once: name a file, not -")
        first_bytes(path)
    return [Path(path) for path in paths]


@router.get("/api/files")
async def files(request: Request) -> dict[str, Any]:
    """The files to browse, numbered from 1."""
    found = service_of(request).files
    return {"files": [{"number": number, "name": path.name} for number, path in enumerate(found, 1)]}


@router.get("/api/files/{number}", response_class=FileResponse)
async def file(number: int, request: Request) -> FileResponse:
    """The bytes of a file."""
    found = service_of(request).files
    if not 1 <= number <= len(found) or not found[number - 1].is_file():
        raise HTTPException(404, f"there is no file {number}; /api/files lists those there are")
    return FileResponse(found[number - 1], media_type="application/octet-stream")
