"""`OneOf`: a string of a request that must be one of the names in a table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic_core import CoreSchema, core_schema


class OneOf:
    """For annotations: `Annotated[str, OneOf(FORMATS)]` is to pydantic what a `Literal` of these names would be."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = list(names)

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> CoreSchema:
        """What pydantic checks and describes."""
        return core_schema.literal_schema(self._names)
