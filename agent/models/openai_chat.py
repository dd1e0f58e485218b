"""Chat Completions of any OpenAI-compatible provider: streamed, bounded in time, asked again where that can help.

Importing this loads the SDK (0.4 s, 20 MiB on top of aiohttp and pydantic): who wants a fast start imports it late.
"""

import asyncio
import json
import random
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace

import structlog
from openai import AsyncStream, Timeout

from agent.context import estimate
from agent.models import payload, pictures
from agent.models.assemble import Assembly
from agent.models.clients import SILENT, Clients, Lent
from agent.models.failures import TROUBLES, BrokenStream, Failure, classify, is_timeout
from agent.models.quirks import Quirks
from agent.types import Event, Final, ModelDown, Reply, Restart, Step, TextDelta, ToolSchema, Usage

log = structlog.get_logger(__name__)

_ATTEMPTS = 3
_PATIENCE = 10.0  # seconds of Retry-After that are waited for inside a call


class OpenAIChat:
    """One model of one provider.

    `timeout` bounds a whole call in seconds, repeats included; `silence` ends a request that brings no bytes for
    so long. `backoff` is the first wait between repeats.
    """

    def __init__(
        self,
        *,
        model: str,
        base_url: str,
        api_key: str,
        timeout: float = 120.0,
        clients: Clients | None = None,
        silence: float = 60.0,
        backoff: float = 0.5,
    ) -> None:
        self.name = model
        self._base_url = base_url
        self._key = api_key
        self._timeout = timeout
        self._clients = clients or Clients()
        self._backoff = backoff
        self._quirks = Quirks()
        self._limits = Timeout(min(silence, timeout), connect=min(20.0, timeout), pool=timeout)

    async def stream(
        self, messages: Sequence[Step], tools: Sequence[ToolSchema], system: str, *, may_call: bool = True
    ) -> AsyncGenerator[Event, None]:
        """Ask once, and again after trouble that passes; see `Model.stream`."""
        looks = await pictures.load(messages)
        asked = payload.body(self.name, system, messages, tools, may_call=may_call, looks=looks)
        deadline = asyncio.get_running_loop().time() + self._timeout
        attempt = 0
        while True:
            trouble: Exception
            said = False
            try:
                async with aclosing(self._ask(self._quirks.fit(asked), deadline)) as events:
                    async for event in events:
                        said = True
                        yield event
            except TROUBLES as error:
                trouble = error
            else:
                return
            if (learnt := self._quirks.learn(trouble, asked)) is not None:
                log.info("model has a quirk", model=self.name, quirk=learnt)
                continue
            # Outside the handler, so that no provider's words about our key hang on to what is raised.
            wait = self._pause(classify(trouble, key=self._key), attempt, deadline)
            attempt += 1
            if said:
                yield Restart()
            await asyncio.sleep(wait)

    async def close(self) -> None:
        """Close the connections to all providers that share them with this model."""
        await self._clients.close()

    async def _ask(self, asked: Mapping[str, object], deadline: float) -> AsyncGenerator[Event, None]:
        lent = self._clients.lend(self._base_url, self._key)
        assembly = Assembly()
        stalled = False
        try:
            async with asyncio.timeout_at(deadline):
                response = await self._post(lent, asked)
            async with response:
                if _is_whole(response):
                    async with asyncio.timeout_at(deadline):
                        text = assembly.add_whole(json.loads(await response.response.aread()))
                    if text:
                        yield TextDelta(text)
                else:
                    while (chunk := await _next(response, deadline)) is not None:
                        if text := assembly.add(chunk):
                            yield TextDelta(text)
            if not assembly.finished:
                raise BrokenStream
        except TROUBLES as error:
            stalled = is_timeout(error)
            raise
        finally:
            await self._clients.give_back(lent, stalled=stalled)
        yield Final(self._counted(assembly.reply(), asked))

    def _counted(self, reply: Reply, asked: Mapping[str, object]) -> Reply:
        usage = reply.usage
        if usage is None or not usage.input + usage.output:  # budgets hold where servers do not count, too
            said = reply.text + "".join(call.name + call.arguments for call in reply.calls)
            usage = Usage(input=payload.weigh(asked), cached=0, output=estimate(said), measured=False)
        return replace(reply, usage=replace(usage, model=self.name))

    async def _post(self, lent: Lent, asked: Mapping[str, object]) -> AsyncStream[object]:
        # `chat.completions.create` would cost 16 ms for a hundred messages and 0.2 ms a chunk, for types we
        # do not use; this is the same client's documented door for any request.
        return await lent.client.post(
            "/chat/completions",
            cast_to=object,
            body=asked,
            options={"timeout": self._limits, "headers": SILENT},
            stream=True,
            stream_cls=AsyncStream[object],
        )

    def _pause(self, failure: Failure, attempt: int, deadline: float) -> float:
        """Return the seconds until it may be asked again; raises ModelDown where that makes no sense."""
        after = failure.retry_after
        wait = self._backoff * 2**attempt * random.uniform(1, 2) if after is None else after  # noqa: S311
        left = deadline - asyncio.get_running_loop().time()
        if not failure.again or attempt + 1 == _ATTEMPTS or wait > min(_PATIENCE, left):
            log.warning("model down", model=self.name, kind=failure.kind, detail=failure.detail, retry_after=after)
            raise ModelDown(kind=failure.kind, model=self.name, detail=failure.detail, retry_after=after)
        log.info("model asked again", model=self.name, kind=failure.kind, detail=failure.detail, wait=wait)
        return wait


async def _next(response: AsyncStream[object], deadline: float) -> object | None:
    async with asyncio.timeout_at(deadline):
        return await anext(response, None)


def _is_whole(response: AsyncStream[object]) -> bool:
    # Some servers answer whole, asked to or not.
    return str(response.response.headers.get("content-type", "")).startswith("application/json")
