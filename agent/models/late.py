"""A model that loads its provider's SDK when it is first asked, so that the daemon is up before that."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing

from agent.models import Model
from agent.types import Event, Step, ToolSchema


class LateModel:
    """Makes the real model on first use, in a thread, because loading an SDK takes up to half a second."""

    def __init__(self, name: str, make: Callable[[], Model]) -> None:
        self.name = name
        self._make = make
        self._model: asyncio.Task[Model] | None = None

    def warm(self, then: Callable[[], object] = bool) -> None:
        """Begin to load; `then` is called once that is over."""
        if self._model is None:
            self._model = asyncio.create_task(asyncio.to_thread(self._make), name="load model")
            self._model.add_done_callback(lambda _: then())

    async def stream(
        self, messages: Sequence[Step], tools: Sequence[ToolSchema], system: str, *, may_call: bool = True
    ) -> AsyncGenerator[Event, None]:
        """Ask the real model; see `Model.stream`."""
        model = await self._loaded()
        async with aclosing(model.stream(messages, tools, system, may_call=may_call)) as events:
            async for event in events:
                yield event

    async def close(self) -> None:
        """Close the real model if there is one."""
        if self._model is not None:
            await (await self._loaded()).close()

    async def _loaded(self) -> Model:
        self.warm()
        if self._model is None:
            message = "the model is being loaded"
            raise RuntimeError(message)
        return await asyncio.shield(self._model)
