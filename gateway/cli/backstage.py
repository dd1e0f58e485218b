"""An event loop in a thread of its own, because reading a line from a terminal blocks the thread that does it."""

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, Self, TypeVar

T = TypeVar("T")
ENDING_SECONDS = 5.0


class Backstage:
    """Runs coroutines beside the thread that talks with people."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="backstage", daemon=True)

    def call(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine and wait for its result; Ctrl-C gives it up."""
        future = self.spawn(work)
        try:
            return future.result()
        except KeyboardInterrupt:
            future.cancel()
            raise

    def spawn(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Start a coroutine."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.call(_cancel_others())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


async def _cancel_others() -> None:
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks, timeout=ENDING_SECONDS)
