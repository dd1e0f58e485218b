"""Those who wait for a call of the bot that is as they want it."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

T = TypeVar("T")


class Waiters(Generic[T]):
    """Whoever waits, with what they want."""

    def __init__(self) -> None:
        self.waiting: list[tuple[Callable[[T], bool], asyncio.Future[T]]] = []

    def tell(self, item: T) -> None:
        """Wake who waits for something like this."""
        for wanted, waiter in self.waiting:
            if not waiter.done() and wanted(item):
                waiter.set_result(item)

    async def wait_for(
        self, wanted: Callable[[T], bool], kept: Iterable[T], *, patience: float, said: Callable[[], str]
    ) -> T:
        """Give the first that is wanted, kept ones before those to come; `said` tells what there was, if none comes."""
        for item in kept:
            if wanted(item):
                return item
        waiter: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        entry = (wanted, waiter)
        self.waiting.append(entry)
        try:
            async with asyncio.timeout(patience):
                return await waiter
        except TimeoutError:
            raise AssertionError(f"no such call within {patience} s; there were {said()}") from None
        finally:
            self.waiting.remove(entry)
