"""Treebanks as tables of Arrow or pandas: a row for each sentence, for each word, or for each arc.

A treebank is a graph file of any format (a path), or sentences, parsed ones too. The whole table is in memory: convert
large files to Parquet (`arctag convert`), and query that.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from arctag.errors import MissingExtra
from arctag.formats.columnar.formats import need_pyarrow
from arctag.sentence import Sentence

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

__all__ = ["arcs", "sentences", "words"]

Treebank = str | Path | Iterable[Sentence]


@overload
def words(treebank: Treebank, *, pandas: Literal[False] = False) -> pa.Table: ...
@overload
def words(treebank: Treebank, *, pandas: Literal[True]) -> pd.DataFrame: ...
def words(treebank: Treebank, *, pandas: bool = False) -> Any:
    """A row for each word: document, sentence, the columns of CoNLL-U, and further tags.

    `word` is the number of a word in its sentence, empty nodes included, which `head` refers to.
    """
    need_pyarrow()
    from arctag.formats.columnar.tables import word_table

    return _given(word_table(treebank), pandas)


@overload
def sentences(treebank: Treebank, *, pandas: Literal[False] = False) -> pa.Table: ...
@overload
def sentences(treebank: Treebank, *, pandas: Literal[True]) -> pd.DataFrame: ...
def sentences(treebank: Treebank, *, pandas: bool = False) -> Any:
    """A row for each sentence, words and arcs as lists: the schema of Parquet files (docs/arrow.md)."""
    need_pyarrow()
    from arctag.formats.columnar.tables import sentence_table

    return _given(sentence_table(treebank), pandas)


@overload
def arcs(treebank: Treebank, *, pandas: Literal[False] = False) -> pa.Table: ...
@overload
def arcs(treebank: Treebank, *, pandas: Literal[True]) -> pd.DataFrame: ...
def arcs(treebank: Treebank, *, pandas: bool = False) -> Any:
    """A row for each relation of each arc: head, dependent, relation, probability, and the layer that it belongs to.

    `head` and `dependent` are the numbers that `words` has in `word`; head 0 is the root.
    """
    need_pyarrow()
    from arctag.formats.columnar.tables import arc_table

    return _given(arc_table(treebank), pandas)


def _given(table: Any, pandas: bool) -> Any:
    if not pandas:
        return table
    try:
        import pandas as pd
    except ImportError as error:
        raise MissingExtra("A table of pandas", "pandas") from error
    return table.to_pandas(types_mapper=lambda kind: pd.Int32Dtype() if str(kind) == "int32" else None)
