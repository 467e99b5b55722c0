"""Many sentences at a time, as bytes and flat arrays: what reading, writing, scoring and encoding work on."""

from __future__ import annotations

from arctag.blocks.arcs import BlockArcs
from arctag.blocks.block import Block, TableRows
from arctag.blocks.flat import Flat
from arctag.blocks.runs import Run, runs

__all__ = ["Block", "BlockArcs", "Flat", "Run", "TableRows", "runs"]
