"""Rows of bits as text, which bits4 and bits6 share: '0110.1001', a dot between planes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from arctag.encodings.labels import LabelRow


def format_bits(row: Sequence[int], width: int) -> str:
    """The values in binary, each so many digits wide."""
    return ".".join(f"{value % 2**width:0{width}b}" for value in row)


def parse_bits(text: str, width: int, k: int) -> LabelRow | None:
    """The row behind the text of k values; None if it is no such text."""
    if not re.fullmatch(rf"[01]{{{width}}}(\.[01]{{{width}}}){{{k - 1}}}", text):
        return None
    return tuple(int(part, 2) for part in text.split("."))
