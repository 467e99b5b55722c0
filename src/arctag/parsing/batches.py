"""Batches: which sentences are parsed together, and the next ones begun before one is finished."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")


def batches(costs: Sequence[int], tokens: int) -> Iterator[list[int]]:
    """Numbers of sentences of like length, at most so many words or pieces together; empty ones are left out."""
    order = sorted((i for i, cost in enumerate(costs) if cost), key=lambda i: -costs[i])
    batch: list[int] = []
    for i in order:
        # the longest comes first, so its length times the number of sentences bounds the padded size
        if batch and costs[batch[0]] * (len(batch) + 1) > tokens:
            yield batch
            batch = []
        batch.append(i)
    if batch:
        yield batch


def ahead(function: Callable[[T], R], items: Iterable[T], count: int) -> Iterator[R]:
    """What a function makes of each item, in order; another thread works so many items ahead of who asks for them."""
    if count < 1:
        yield from map(function, items)
        return
    with ThreadPoolExecutor(1) as pool:
        waiting: deque[Future[R]] = deque()
        for item in items:
            waiting.append(pool.submit(function, item))
            if len(waiting) > count:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def in_steps(steps: Iterable[Callable[[Any], Any]], items: Iterable[Any], count: int) -> Iterator[Any]:
    """Items that go through several functions, in order: each works in a thread of its own, so many items ahead of the
    next one, and the last one ahead of who asks."""
    for step in steps:
        items = ahead(step, items, count)
    return iter(items)
