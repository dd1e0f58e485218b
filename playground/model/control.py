"""The control API under /control/: script the stand-in from another process and read what it was asked; JSON only."""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Protocol

from aiohttp import web

from playground.model.answers import Answer, Pace
from playground.model.reading import answer_from, pace_from, pattern_from
from playground.model.record import Recorded

Wire = Mapping[str, object]


class Scriptable(Protocol):
    """What can be steered: the stand-in."""

    pace: Pace
    count: int

    @property
    def requests(self) -> Sequence[Recorded]:
        """The newest requests, oldest first."""

    def queue(self, *plan: Answer) -> None:
        """Answer the next requests with these."""

    def when(self, pattern: str, answer: Answer, *, times: int | None = None) -> None:
        """Answer requests that match."""

    def clear(self) -> None:
        """Forget all of it."""

    def release(self) -> None:
        """Let go on what stands still."""


class Control:
    """The handlers of the control API."""

    def __init__(self, model: Scriptable) -> None:
        self.model = model

    def app(self, *middlewares: Callable[..., Awaitable[web.StreamResponse]]) -> web.Application:
        """Return the application that is mounted at /control/."""
        app = web.Application(middlewares=middlewares)
        app.add_routes([web.get("/requests", self.get_requests), web.post("/{act}", self.post_act)])
        return app

    def acts(self) -> dict[str, Callable[[Wire], None]]:
        """Return the acts by name."""
        return {
            "queue": self._queue,
            "when": self._when,
            "pace": self._pace,
            "clear": lambda _: self.model.clear(),
            "release": lambda _: self.model.release(),
        }

    async def get_requests(self, request: web.Request) -> web.Response:
        """Show how many requests came and the recorded ones, `?newest=N` at most so many."""
        newest = request.query.get("newest", "")
        recorded = list(self.model.requests)[-int(newest) if newest.isdigit() and int(newest) else 0 :]
        shown = [{"body": one.body, "headers": dict(one.headers), "port": one.port} for one in recorded]
        return web.json_response({"ok": True, "count": self.model.count, "requests": shown})

    async def post_act(self, request: web.Request) -> web.Response:
        """Do one act."""
        act = self.acts().get(request.match_info["act"])
        if act is None:
            error = f"no such act; there are {sorted(self.acts())}"
            return web.json_response({"ok": False, "error": error}, status=404)
        try:
            body: object = json.loads(await request.read() or b"{}")
            if not isinstance(body, dict):
                return web.json_response({"ok": False, "error": "the body must be a JSON object"}, status=400)
            act(body)
        except ValueError as error:
            return web.json_response({"ok": False, "error": str(error)}, status=400)
        return web.json_response({"ok": True})

    def _queue(self, body: Wire) -> None:
        answers = body.get("answers")
        self.model.queue(*map(answer_from, answers if isinstance(answers, list) else []))

    def _when(self, body: Wire) -> None:
        times = body.get("times")
        answer = answer_from(body.get("answer"))
        pattern = pattern_from(body.get("pattern", ""))
        self.model.when(pattern, answer, times=times if isinstance(times, int) else None)

    def _pace(self, body: Wire) -> None:
        self.model.pace = pace_from(body)
