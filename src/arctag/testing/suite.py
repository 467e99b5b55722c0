"""The list of checks, and the two ways to run them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from arctag.encodings.base import Encoding
from arctag.errors import MissingExtra
from arctag.testing import fixed_checks, tag_checks


@dataclass(frozen=True)
class Check:
    """One property that every encoding must have; call it with an encoding."""

    name: str
    run: Callable[[Encoding], None]

    def __call__(self, encoding: Encoding) -> None:
        """Raise `AssertionError` if the encoding lacks the property."""
        self.run(encoding)

    def __str__(self) -> str:
        return self.name


def encoding_checks(oracle: Encoding | None = None, words: int = 4, examples: int = 25) -> tuple[Check, ...]:
    """Every check, by name.

    With an `oracle`, a slow and obvious version of the same encoding, labels and decoded arcs must
    be the same as its. Every graph of up to `words` words is tried (3 is much quicker than 4), and
    `examples` random batches in each check that makes them. An encoding for trees is tried on trees
    alone, every one of up to two words more.
    """
    try:
        from arctag.testing import random_checks
    except ModuleNotFoundError as error:
        if error.name is not None and error.name.startswith("arctag"):
            raise
        raise MissingExtra("arctag.testing", "test") from error
    checks = [
        Check("is_a_frozen_value", fixed_checks.check_is_a_frozen_value),
        Check("has_a_name", fixed_checks.check_has_a_name),
        Check("every_small_graph", partial(fixed_checks.check_every_small_graph, words=words)),
        Check("self_loops", fixed_checks.check_self_loops),
        Check("labels_are_integers", fixed_checks.check_labels_are_integers),
        Check("labels_as_text", partial(fixed_checks.check_labels_as_text, words=min(words, 3))),
        Check("inputs_stay_unchanged", fixed_checks.check_inputs_stay_unchanged),
        Check("batch_equals_single", fixed_checks.check_batch_equals_single),
        Check("long_sentence", fixed_checks.check_long_sentence),
        Check("random_graphs", partial(random_checks.check_random_graphs, examples=examples)),
        Check("any_labels", partial(random_checks.check_any_labels, examples=examples)),
        Check("damaged_labels", partial(random_checks.check_damaged_labels, examples=examples)),
        Check("any_text", partial(random_checks.check_any_text, examples=examples)),
    ]
    checks.append(Check("with_tags", partial(tag_checks.check_with_tags, oracle=oracle)))
    if oracle is not None:
        checks.append(Check("agrees_with_oracle", partial(fixed_checks.check_agrees_with_oracle, oracle=oracle)))
    return tuple(checks)


def check_encoding(encoding: Encoding, oracle: Encoding | None = None, words: int = 4, examples: int = 25) -> None:
    """Run every check; raise `AssertionError`, with the offending graph, at the first that fails."""
    for check in encoding_checks(oracle, words, examples):
        check(encoding)
