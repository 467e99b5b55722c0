"""`PRECISIONS`: in what numbers a network is exported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arctag.modelfile.lazy import Lazy

if TYPE_CHECKING:
    from arctag.backends.torch.export.dense import Dense

PRECISIONS: dict[str, Lazy[Dense]] = {
    "int8": Lazy("arctag.backends.torch.export.dense:Int8"),
    "fp32": Lazy("arctag.backends.torch.export.dense:Exact"),
}
"""Name → how tables and linear layers are written. It can be read without torch."""
