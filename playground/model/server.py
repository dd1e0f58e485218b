"""The stand-in's server: it answers, records what it was asked, and fails in every way it is told to."""

import asyncio
import json
import re
import secrets
import time
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from types import TracebackType
from typing import Literal, Self

from aiohttp import web

from playground.guard import guard
from playground.model import answers, rules, transcript, wire
from playground.model.answers import Answer, Pace
from playground.model.audio import Audio
from playground.model.control import Control
from playground.model.record import Recorded
from playground.model.sending import Sending, cut, stream, whole
from playground.model.transcript import messages_of

HOST = "127.0.0.1"
Moment = Literal["asked", "answered"]
Watch = Callable[[Moment, Recorded], Awaitable[None]]


@dataclass(slots=True, kw_only=True)
class _Rule:
    pattern: re.Pattern[str]
    answer: Answer
    left: int | None


class StandIn:
    """An OpenAI-compatible provider on loopback, scripted by answers for the next requests or for a pattern.

    `key` and `models` None accept any key and any model; `keep` bounds how many requests stay recorded; pages of
    `origins` may use the control API.
    """

    def __init__(
        self,
        *,
        port: int = 0,
        key: str | None = None,
        models: Sequence[str] | None = None,
        pace: Pace | None = None,
        keep: int = 2000,
        origins: Collection[str] = (),
    ) -> None:
        self.port = port
        self.key = key
        self.models = models
        self.pace = pace or Pace()
        self.lag = Pace()  # on top of every answer's pace, also of those that have one of their own
        self.origins = origins
        self.control_token = secrets.token_urlsafe(24)
        self.count = 0
        self.watch: Watch | None = None  # sees each request when it has come and when its answer is out
        self.requests: deque[Recorded] = deque(maxlen=keep)
        self.audio = Audio(self._welcome)
        self._queue: deque[Answer] = deque()
        self._rules: list[_Rule] = []
        self._runner: web.AppRunner | None = None
        self._released = asyncio.Event()
        self._changed = asyncio.Condition()
        self._numbers = count(1)

    @property
    def url(self) -> str:
        """Return the base address for clients; it ends in `/v1`."""
        return f"http://{HOST}:{self.port}/v1"

    @property
    def control_url(self) -> str:
        """Return the address of the control API; its calls need `control_token`."""
        return f"http://{HOST}:{self.port}/control/"

    async def start(self) -> None:
        """Listen on loopback; after this `url` is where to find it."""
        app = web.Application(client_max_size=64 * 2**20)
        app.add_subapp("/control/", Control(self).app(guard(self.control_token, origins=self.origins)))
        app.router.add_post("/v1/chat/completions", self._complete)
        app.router.add_get("/v1/models", self._list)
        app.add_routes(self.audio.routes())
        # A handler that stands still on purpose must end when its client goes away.
        self._runner = web.AppRunner(app, access_log=None, handler_cancellation=True, shutdown_timeout=0)
        await self._runner.setup()
        site = web.TCPSite(self._runner, HOST, self.port)
        await site.start()
        self.port = int(self._runner.addresses[0][1])

    async def stop(self) -> None:
        """Stop listening and cut what is open."""
        self._released.set()
        if self._runner is not None:
            await self._runner.cleanup()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    def queue(self, *plan: Answer) -> None:
        """Answer the next requests, whatever they ask, with these, one each."""
        self._queue.extend(plan)

    def when(self, pattern: str, answer: Answer, *, times: int | None = None) -> None:
        """Answer requests whose newest user text matches; before the queue, and newest rule first."""
        self._rules.insert(0, _Rule(pattern=re.compile(pattern), answer=answer, left=times))

    def clear(self) -> None:
        """Forget queue, rules and records, and go on with whatever stands still."""
        self._queue.clear()
        self._rules.clear()
        self.requests.clear()
        self.audio.clear()
        self.release()

    def release(self) -> None:
        """Let every answer that stands still go on; later ones stand still again."""
        self._released.set()
        self._released = asyncio.Event()

    async def asked(self, number: int) -> None:
        """Wait until that many requests have come since the start."""
        async with self._changed:
            await self._changed.wait_for(lambda: self.count >= number)

    async def _list(self, request: web.Request) -> web.Response:
        if not self._welcome(request):
            return _plain(answers.refused_key())
        names = self.models or ("stand-in",)
        data = [{"id": name, "object": "model", "created": 0, "owned_by": "dragoman"} for name in names]
        return web.json_response({"object": "list", "data": data})

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        raw = await request.read()
        try:
            body = json.loads(raw)
        except ValueError:
            body = None
        if not isinstance(body, dict):
            return _plain(answers.refused_request("We could not parse the JSON body of your request."))
        recorded = await self._record(request, body, raw)
        if self.watch is None:
            return await self._answer(request, body)
        await self.watch("asked", recorded)
        response = await self._answer(request, body)
        await self.watch("answered", recorded)
        return response

    async def _answer(self, request: web.Request, body: Mapping[str, object]) -> web.StreamResponse:
        answer = self._refusal(request, body) or self._choose(body)
        if answer.hang_after == -1:
            await self._released.wait()
        if answer.cut_after == -1:
            return cut(request, web.StreamResponse())
        if answer.body:
            return _plain(answer)
        envelope = wire.Envelope(id=f"chatcmpl-{next(self._numbers)}", model=str(body.get("model")))
        usage = wire.usage_of(answer.usage or rules.tokens(messages_of(body), answer))
        pace = (answer.pace or self.pace).and_then(self.lag)
        sending = Sending(answer=answer, pace=pace, envelope=envelope, usage=usage)
        if body.get("stream"):
            return await stream(request, body, sending, self._released)
        return await whole(sending)

    async def _record(self, request: web.Request, body: Mapping[str, object], raw: bytes) -> Recorded:
        peer = request.transport.get_extra_info("peername") if request.transport else None
        headers = {name.lower(): value for name, value in request.headers.items()}
        headers.pop("authorization", None)
        port = peer[1] if peer else 0
        recorded = Recorded(body=body, raw=raw, headers=headers, port=port, at=time.monotonic())
        self.requests.append(recorded)
        async with self._changed:
            self.count += 1
            self._changed.notify_all()
        return recorded

    def _welcome(self, request: web.Request) -> bool:
        return self.key is None or request.headers.get("Authorization") == f"Bearer {self.key}"

    def _refusal(self, request: web.Request, body: Mapping[str, object]) -> Answer | None:
        if not self._welcome(request):
            return answers.refused_key()
        if self.models is not None and body.get("model") not in self.models:
            return answers.unknown_model(str(body.get("model")))
        complaint = transcript.complaint(body)
        return answers.refused_request(complaint) if complaint else None

    def _choose(self, body: Mapping[str, object]) -> Answer:
        messages = messages_of(body)
        asked = "\n".join(transcript.opened(messages).texts)
        for rule in self._rules:
            if rule.left != 0 and rule.pattern.search(asked):
                rule.left = None if rule.left is None else rule.left - 1
                return rule.answer
        if self._queue:
            return self._queue.popleft()
        answer = rules.answer(messages, body.get("tools"))
        pace = answer.pace or self.pace
        return replace(answer, pace=pace, chunks=_regroup(answer.chunks, pace.chunks))


def _plain(answer: Answer) -> web.Response:
    return web.Response(status=answer.status, text=answer.body, headers=answer.headers, content_type="application/json")


def _regroup(chunks: Sequence[str], most: int) -> tuple[str, ...]:
    if len(chunks) <= most:
        return tuple(chunks)
    size = -(-len(chunks) // max(1, most))
    return tuple("".join(chunks[at : at + size]) for at in range(0, len(chunks), size))
