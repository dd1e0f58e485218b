"""What the page hears while it is open: one line of JSON per change of the talks, the daemon and its rows."""

import asyncio
import contextlib
import json
import time
from collections.abc import Awaitable, Callable, Sequence

from aiohttp import web

from playground.page.apps.base import App
from playground.page.board import Board, Json

BEAT_SECONDS = 5.0
SHOWN_MESSAGES = 300
GLANCE_SECONDS = 0.03  # edits within it become one line

Send = Callable[[Json], Awaitable[None]]


class Feed:
    """The changes of the apps and of one board, for any number of open pages."""

    def __init__(self, apps: Sequence[App], board: Board) -> None:
        self.apps = apps
        self.board = board

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Answer with a stream that ends when the page leaves."""
        response = web.StreamResponse(headers={"Content-Type": "application/x-ndjson", "Cache-Control": "no-store"})
        await response.prepare(request)

        async def send(news: Json) -> None:
            await response.write(json.dumps(news).encode() + b"\n")

        self.board.watchers += 1
        try:
            with contextlib.suppress(ConnectionError):
                await self._tell(send)
        finally:
            self.board.watchers -= 1
        return response

    async def _tell(self, send: Send) -> None:
        """Send everything, then what changes; a page that has left ends it by a failing write."""
        seen = {app.name: app.changes.last for app in self.apps}
        await send({"kind": "hello"})
        for app in self.apps:
            await send(everything(app))
        await send({"kind": "ready", "now": time.time()})
        known, version = self.board.after(0), self.board.version
        for news in known:
            await send(news)
        try:
            async with asyncio.TaskGroup() as group:
                for app in self.apps:
                    group.create_task(follow(app, send, seen[app.name]))
                group.create_task(self._daemon(send, version))
                group.create_task(beat(send))
        except* ConnectionError as errors:
            raise ConnectionError("the page has left") from errors

    async def _daemon(self, send: Send, seen: int) -> None:
        while True:
            await self.board.wait(seen)
            news, seen = self.board.after(seen), self.board.version
            for one in news:
                await send(one)


async def follow(app: App, send: Send, seen: int) -> None:
    """Send what changes in an app."""
    changes = app.changes
    while True:
        if changes.last == seen:
            await changes.wait()
            await asyncio.sleep(GLANCE_SECONDS)
        events, missed, seen = changes.after(seen), changes.last - seen, changes.last
        # A page that stood still may have missed more than is kept.
        if len(events) < missed or any(event["kind"] in app.reshaping for event in events):
            await send(everything(app))
            continue
        for event in events:
            if words := app.answered(event):
                await send({"kind": "answered", "app": app.name, "text": words})
        for place, number in dict.fromkeys((event["chat"], event["message"]) for event in events):
            for news in told(app, place, number):
                await send(news)


def told(app: App, place: object, number: object) -> list[Json]:
    """Show a talk in which something has changed, and the message."""
    if not isinstance(place, int | str) or not isinstance(number, int | str) or not place:
        return []
    talk = app.talk(place)
    message = app.message(place, number) if talk and number else None
    news: list[Json] = [{"kind": "message", "app": app.name, "message": message}] if message else []
    return [*news, {"kind": "talk", "app": app.name, "talk": talk}] if talk else news


def everything(app: App) -> Json:
    """Show an app as a whole."""
    talks = app.talks()
    messages = {str(talk["id"]): app.messages(str(talk["id"]), SHOWN_MESSAGES) for talk in talks}
    return {"kind": "app", "app": app.name, "title": app.title, "talks": talks, "messages": messages}


async def beat(send: Send) -> None:
    """Show that the stream is alive, and find out when nobody listens any more."""
    while True:
        await asyncio.sleep(BEAT_SECONDS)
        await send({"kind": "beat", "now": time.time()})
