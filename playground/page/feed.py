"""What the page hears while it is open: one line of JSON per change of the conversation, the daemon and its rows."""

import asyncio
import contextlib
import json
import time
from collections.abc import Awaitable, Callable

from aiohttp import web

from playground.page.board import Board, Json
from playground.telegram import Emulator
from playground.telegram.view import chat_view, message_view, messages_view, world_view

BEAT_SECONDS = 5.0
SHOWN_MESSAGES = 300
GLANCE_SECONDS = 0.03  # edits within it become one line
WORLD_CHANGES = frozenset({"user", "chat", "commands", "migrate"})  # the page draws anew who and what there is

Send = Callable[[Json], Awaitable[None]]


class Feed:
    """The changes of one emulator and one board, for any number of open pages."""

    def __init__(self, emulator: Emulator, board: Board) -> None:
        self.emulator = emulator
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
        seen = self.emulator.core.changes.last
        await send({"kind": "hello"})
        await send(self._everything())
        known, version = self.board.after(0), self.board.version
        for news in known:
            await send(news)
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._conversation(send, seen))
                group.create_task(self._daemon(send, version))
                group.create_task(beat(send))
        except* ConnectionError as errors:
            raise ConnectionError("the page has left") from errors

    async def _conversation(self, send: Send, seen: int) -> None:
        changes = self.emulator.core.changes
        while True:
            if changes.last == seen:
                await changes.wait()
                await asyncio.sleep(GLANCE_SECONDS)
            events, missed, seen = changes.after(seen), changes.last - seen, changes.last
            # A page that stood still may have missed more than is kept.
            if len(events) < missed or any(event["kind"] in WORLD_CHANGES for event in events):
                await send(self._everything())
                continue
            for event in events:
                if event["kind"] == "press_answered":
                    await send(self._answer(event))
            for chat_id, message_id in dict.fromkeys((event["chat"], event["message"]) for event in events):
                for news in self._news(chat_id, message_id):
                    await send(news)

    def _answer(self, event: Json) -> Json:
        """Give what the bot said to the newest press of a button."""
        place = (event["chat"], event["message"])
        presses = [press for press in self.emulator.world.presses.values() if (press.chat, press.message) == place]
        said = next((press.answer for press in reversed(presses) if press.answer), None) or {}
        return {"kind": "answered", "chat": event["chat"], "text": said.get("text", "")}

    def _news(self, chat_id: object, message_id: object) -> list[Json]:
        world = self.emulator.world
        chat = world.chats.get(chat_id) if isinstance(chat_id, int) else None
        if chat is None:
            return []
        news: list[Json] = [{"kind": "chat", "chat": chat_view(world, chat)}]
        message = chat.messages.get(message_id) if isinstance(message_id, int) else None
        if message is not None:
            news.insert(0, {"kind": "message", "message": message_view(world, message)})
        return news

    async def _daemon(self, send: Send, seen: int) -> None:
        while True:
            await self.board.wait(seen)
            news, seen = self.board.after(seen), self.board.version
            for one in news:
                await send(one)

    def _everything(self) -> Json:
        world = self.emulator.world
        talks = {
            str(chat.id): messages_view(world, chat, deleted=False, history=False)[-SHOWN_MESSAGES:]
            for chat in world.chats.values()
        }
        return {"kind": "everything", "now": time.time(), "world": world_view(world), "messages": talks}


async def beat(send: Send) -> None:
    """Show that the stream is alive, and find out when nobody listens any more."""
    while True:
        await asyncio.sleep(BEAT_SECONDS)
        await send({"kind": "beat", "now": time.time()})
