"""A conformance suite for encodings, yours included, and slow oracles to hold them against.

`check_encoding(encoding)` runs every check and raises `AssertionError`, with the offending graph,
at the first that fails. `encoding_checks()` gives the same checks one by one, for pytest:

    @pytest.mark.parametrize("check", encoding_checks(), ids=str)
    def test_my_encoding(check):
        check(MyEncoding())

Some checks make random graphs with hypothesis, which comes with `pip install 'arctag[test]'`.
"""

from __future__ import annotations

from arctag.testing.graphs import every_graph, every_tree, random_graph
from arctag.testing.oracles import oracle
from arctag.testing.oracles.best import most_covered
from arctag.testing.random_trees import random_tree
from arctag.testing.suite import Check, check_encoding, encoding_checks

__all__ = [
    "Check", "check_encoding", "encoding_checks", "every_graph", "every_tree", "most_covered", "oracle", "random_graph",
    "random_tree",
]  # fmt: skip
