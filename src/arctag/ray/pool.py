"""A pool of actors that parse shards, whatever dies.

Ray would restart actors and repeat their tasks by itself, but the tasks of an actor that cannot be placed any more, as
when its machine is lost, wait for ever while other actors are idle. Here a shard whose actor is lost goes to the next
one that is free, and a new actor takes the place of the lost one as soon as there is room for it.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import ray
from ray.exceptions import RayError, RayTaskError

from arctag.errors import ArctagError, InputError
from arctag.ray.shards import Done, Shard

_AHEAD = 2  # shards that each actor has, so that the next one is there when one is finished
_TRIES = 4  # of a shard
_STARTS = 4  # of each actor, if none is ever ready


class _Stored(NamedTuple):
    """A shard in Ray's object store: however many actors there are, the driver's own memory does not hold it."""

    number: int
    object: Any


@dataclass(eq=False)
class _Actor:
    """An actor, and the shards that it was given: it parses the first of them."""

    handle: Any
    shards: dict[Any, _Stored] = field(default_factory=dict)
    """By what will be their result."""
    ready: bool = False


class Pool:
    """So many actors; `start` starts one."""

    def __init__(self, start: Callable[[], Any], count: int, on_idle: Callable[[], None] = lambda: None) -> None:
        """`on_idle` is called about once a second while something is waited for."""
        self._start, self.count, self._on_idle = start, count, on_idle
        self._waiting: dict[Any, _Actor] = {}  # by what will be a result
        self._actors: set[_Actor] = set()
        self._again: deque[_Stored] = deque()
        self._tries: Counter[int] = Counter()
        self._failed_starts = 0
        self.lost = 0
        """How many actors were lost."""

    def run(self, shards: Iterator[Shard]) -> Iterator[Done]:
        """What came of each shard, in no order."""
        for _ in range(self.count):
            self._start_one()
        while True:
            self._hand_out(shards)
            working = [result for result, actor in self._waiting.items() if actor.shards]
            if not working and not self._again and not self._pending_start():
                return
            for result in self._next():
                yield from self._taken(result)

    def _pending_start(self) -> bool:
        """Whether shards may still come: no actor has been ready yet to ask for them."""
        return not any(actor.ready for actor in self._actors)

    def _start_one(self) -> None:
        actor = _Actor(self._start())
        self._actors.add(actor)
        self._waiting[actor.handle.ready.remote()] = actor

    def _hand_out(self, shards: Iterator[Shard]) -> None:
        """Give shards to the actors that have room for them: to each one first."""
        for room in range(1, _AHEAD + 1):
            for actor in self._actors:
                if actor.ready and len(actor.shards) < room:
                    stored = self._again.popleft() if self._again else _store(next(shards, None))
                    if stored is None:
                        return
                    result = actor.handle.parse.remote(stored.object)
                    actor.shards[result] = stored
                    self._waiting[result] = actor

    def _next(self) -> list[Any]:
        while True:
            done, _ = ray.wait(list(self._waiting), num_returns=1, timeout=1)
            self._on_idle()
            if done:
                return list(done)

    def _taken(self, result: Any) -> Iterator[Done]:
        actor = self._waiting.pop(result, None)
        if actor is None:  # lost with its actor
            return
        try:
            value = ray.get(result)
        except RayTaskError as error:  # raised by the actor, and not by its death: it would be raised again
            raise _cause(error) from error
        except RayError as error:
            yield from self._lose(actor, error)
            return
        if result in actor.shards:
            del actor.shards[result]
            yield value
        else:
            actor.ready, self._failed_starts = True, 0

    def _lose(self, actor: _Actor, error: RayError) -> Iterator[Done]:
        """Let others do what a lost actor had to do, unless that is what it died of."""
        why = str(error).strip().splitlines()[0]
        self._actors.discard(actor)
        self._waiting = {result: one for result, one in self._waiting.items() if one is not actor}
        self.lost += 1
        if not actor.ready:
            self._failed_starts += 1
            if self._failed_starts >= _STARTS * self.count:
                raise InputError(f"actors die as they start: {why}")
        for place, shard in enumerate(actor.shards.values()):
            self._tries[shard.number] += place == 0  # the first was being parsed
            if self._tries[shard.number] < _TRIES:
                self._again.append(shard)
            else:
                yield Done(shard.number, why)
        self._start_one()


def _store(shard: Shard | None) -> _Stored | None:
    return None if shard is None else _Stored(shard.number, ray.put(shard))


def _cause(error: RayTaskError) -> BaseException:
    """What the actor raised; if it was an error of Arctag's own, that, without the trace of another process."""
    cause = getattr(error, "cause", None)
    return cause if isinstance(cause, ArctagError) else error
