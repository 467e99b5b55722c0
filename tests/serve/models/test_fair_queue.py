"""Fair queues: short work overtakes long work, and long work is done too."""

from __future__ import annotations

import asyncio

from arctag.serve.models.fair_queue import FairQueue, FairSemaphore


def order(*items: tuple[str, int]) -> str:
    queue: FairQueue[str] = FairQueue()
    for name, done in items:
        queue.add(name, done)
    return "".join(queue.take() for _ in items)


def test_fair_queue_keeps_the_order_of_equals() -> None:
    assert order(("a", 5), ("b", 5), ("c", 5), ("d", 5)) == "abcd"


def test_fair_queue_alternates_between_the_least_and_the_oldest() -> None:
    assert order(("a", 900), ("b", 800), ("c", 700), ("d", 1), ("e", 2)) == "daebc"


def test_fair_queue_short_work_waits_for_two_others_at_most() -> None:
    queue: FairQueue[int] = FairQueue()
    for large in range(100):
        queue.add(large, 1_000)
    for small in range(1_000, 1_020):
        queue.add(small, 1)
        assert small in {queue.take(), queue.take()}
        queue.add(-small, 1_000)


def test_fair_queue_long_work_is_done_though_short_work_keeps_coming() -> None:
    queue: FairQueue[int] = FairQueue()
    queue.add(-1, 10**9)
    taken = []
    for small in range(10):
        queue.add(small, 1)
        taken.append(queue.take())
    assert -1 in taken[:2]


def test_fair_queue_forgets_what_is_discarded() -> None:
    queue: FairQueue[str] = FairQueue()
    queue.add("a", 1)
    queue.discard("a")
    queue.discard("a")
    assert len(queue) == 0


def test_queuetile_lets_so_many_run_and_the_least_first() -> None:
    async def everything() -> list[int]:
        semaphore, passed = FairSemaphore(1), []

        async def one(done: int) -> None:
            async with semaphore.acquired(done):
                passed.append(done)
                await asyncio.sleep(0)

        await asyncio.gather(*map(one, (50, 40, 30, 20, 10)))
        assert len(semaphore) == 0
        return passed

    assert asyncio.run(everything()) == [50, 10, 40, 20, 30]


def test_queuetile_a_cancelled_task_holds_nothing() -> None:
    async def everything() -> None:
        semaphore, go = FairSemaphore(1), asyncio.Event()

        async def one() -> None:
            async with semaphore.acquired(1):
                await go.wait()

        tasks = [asyncio.ensure_future(one()) for _ in range(4)]
        await asyncio.sleep(0)
        tasks[1].cancel()  # while it waits
        go.set()
        await asyncio.sleep(0)  # the first releases it, for the third
        tasks[2].cancel()  # just when it may run
        found = await asyncio.gather(*tasks, return_exceptions=True)
        assert [isinstance(one, asyncio.CancelledError) for one in found] == [False, True, True, False]
        await asyncio.wait_for(one(), 60)

    asyncio.run(everything())
