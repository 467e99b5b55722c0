"""Record batches of Arrow in, record batches out: documents become sentences. docs/arrow.md describes the schema.

Nothing here knows an engine. Ray, Spark and Hugging Face datasets call an `ArrowParser`: docs/scale.md shows how.
"""

from __future__ import annotations

from arctag.formats.columnar.formats import need_pyarrow

need_pyarrow()  # says how to install it

from arctag.arrow.parser import ArrowParser, parse_batch  # noqa: E402
from arctag.formats.columnar.schema import VERSION  # noqa: E402
from arctag.text.documents import Fields  # noqa: E402

__all__ = ["VERSION", "ArrowParser", "Fields", "parse_batch"]
