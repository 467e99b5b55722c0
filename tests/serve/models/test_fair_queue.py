"""Taking turns: little work passes much work, and much work is done too."""

from __future__ import annotations

import asyncio

from arctag.serve.models.fair_queue import Turns, Turnstile


def order(*items: tuple[str, int]) -> str:
    turns: Turns[str] = Turns()
    for name, had in items:
        turns.add(name, had)
    return "".join(turns.take() for _ in items)


def test_turns_of_equals_are_in_their_order() -> None:
    assert order(("a", 5), ("b", 5), ("c", 5), ("d", 5)) == "abcd"


def test_turns_go_to_the_least_and_to_the_oldest() -> None:
    assert order(("a", 900), ("b", 800), ("c", 700), ("d", 1), ("e", 2)) == "daebc"


def test_turns_little_work_waits_for_two_others_at_most() -> None:
    turns: Turns[int] = Turns()
    for large in range(100):
        turns.add(large, 1_000)
    for small in range(1_000, 1_020):
        turns.add(small, 1)
        assert small in {turns.take(), turns.take()}
        turns.add(-small, 1_000)


def test_turns_much_work_is_done_though_little_keeps_coming() -> None:
    turns: Turns[int] = Turns()
    turns.add(-1, 10**9)
    taken = []
    for small in range(10):
        turns.add(small, 1)
        taken.append(turns.take())
    assert -1 in taken[:2]


def test_turns_what_is_dropped_is_gone() -> None:
    turns: Turns[str] = Turns()
    turns.add("a", 1)
    turns.drop("a")
    turns.drop("a")
    assert len(turns) == 0


def test_turnstile_lets_so_many_through_and_the_least_first() -> None:
    async def everything() -> list[int]:
        gate, passed = Turnstile(1), []

        async def one(had: int) -> None:
            async with gate.turn(had):
                passed.append(had)
                await asyncio.sleep(0)

        await asyncio.gather(*map(one, (50, 40, 30, 20, 10)))
        assert len(gate) == 0
        return passed

    assert asyncio.run(everything()) == [50, 10, 40, 20, 30]


def test_turnstile_a_cancelled_task_keeps_no_place() -> None:
    async def everything() -> None:
        gate, go = Turnstile(1), asyncio.Event()

        async def one() -> None:
            async with gate.turn(1):
                await go.wait()

        tasks = [asyncio.ensure_future(one()) for _ in range(4)]
        await asyncio.sleep(0)
        tasks[1].cancel()  # before its turn
        go.set()
        await asyncio.sleep(0)  # the first passes the place on, to the third
        tasks[2].cancel()  # just when it has its turn
        found = await asyncio.gather(*tasks, return_exceptions=True)
        assert [isinstance(one, asyncio.CancelledError) for one in found] == [False, True, True, False]
        await asyncio.wait_for(one(), 60)

    asyncio.run(everything())
