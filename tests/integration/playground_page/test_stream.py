"""What an open page hears: everything once, then each change, and what people do through it."""

import asyncio
import base64
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import aiohttp

from playground.page.scene import group_id
from tests.integration.playground_page.conftest import Stage

PATIENCE = 10.0
News = Mapping[str, Any]


class Ear:
    """Reads the stream of one page."""

    def __init__(self, response: aiohttp.ClientResponse) -> None:
        self.response = response

    async def hear(self, wanted: Callable[[News], object]) -> News:
        """Read on until something is as wanted."""
        async with asyncio.timeout(PATIENCE):
            while True:
                news: News = json.loads(await self.response.content.readline())
                if wanted(news):
                    return news


@asynccontextmanager
async def listening(stage: Stage) -> AsyncIterator[Ear]:
    headers = {"X-Playground-Token": stage.page.token}
    async with stage.client.get(f"{stage.base}/api/stream", headers=headers) as response:
        assert response.status == 200
        yield Ear(response)


def kind(name: str) -> Callable[[News], bool]:
    return lambda news: news["kind"] == name


def names(everything: News) -> list[str]:
    return [user["first_name"] for user in everything["world"]["users"] if user["first_name"] != "Telegram"]


async def test_a_page_hears_first_who_is_there_and_what_was_said(stage: Stage) -> None:
    await stage.post("people/send_text", user=stage.ann, chat=stage.ann, text="good morning")
    stage.board.say("a line of the log")
    async with listening(stage) as ear:
        everything = await ear.hear(kind("everything"))
        assert names(everything) == ["Ann", "Bob"]
        assert [message["text"] for message in everything["messages"][str(stage.ann)]] == ["good morning"]
        assert [line["text"] for line in (await ear.hear(kind("log")))["lines"]] == ["a line of the log"]


async def test_a_page_hears_messages_edits_and_deletions(stage: Stage) -> None:
    async with listening(stage) as ear:
        await ear.hear(kind("everything"))
        sent = await stage.post("people/send_text", user=stage.bob, chat=group_id(stage.emulator), text="hello")
        assert sent["ok"]
        message = (await ear.hear(kind("message")))["message"]
        assert (message["text"], message["name"]) == ("hello", "Bob")
        place = {"user": stage.bob, "chat": message["chat"], "message": message["message_id"]}
        await stage.post("people/edit_text", **place, text="hello all")
        assert (await ear.hear(kind("message")))["message"]["text"] == "hello all"
        await stage.post("people/delete", **place)
        assert (await ear.hear(kind("message")))["message"]["deleted"]


async def test_a_page_hears_of_a_chat_that_is_new(stage: Stage) -> None:
    async with listening(stage) as ear:
        await ear.hear(kind("everything"))
        stage.emulator.people.create_user("Cleo")
        everything = await ear.hear(kind("everything"))
        assert names(everything) == ["Ann", "Bob", "Cleo"]


async def test_log_lines_come_once_each_and_in_order(stage: Stage) -> None:
    stage.board.say("0")
    async with listening(stage) as ear:
        lines = [line["text"] for line in (await ear.hear(kind("log")))["lines"]]
        for number in range(1, 20):
            stage.board.say(str(number))
            await asyncio.sleep(0)
        while len(lines) < 20:
            lines += [line["text"] for line in (await ear.hear(kind("log")))["lines"]]
    assert lines == [str(number) for number in range(20)]


async def test_two_pages_hear_the_same(stage: Stage) -> None:
    async with listening(stage) as one, listening(stage) as other:
        await one.hear(kind("everything"))
        await other.hear(kind("everything"))
        await stage.post("people/send_text", user=stage.ann, chat=stage.ann, text="both")
        assert (await one.hear(kind("message"))) == (await other.hear(kind("message")))
        assert stage.board.watchers == 2


async def test_a_file_goes_in_and_comes_back_whole(stage: Stage) -> None:
    content = bytes(range(256)) * 100
    sent = await stage.post(
        "people/send_file",
        user=stage.ann,
        chat=stage.ann,
        kind="document",
        name="all.bin",
        content=base64.b64encode(content).decode(),
    )
    result = sent["result"]
    assert isinstance(result, dict)
    headers = {"X-Playground-Token": stage.page.token}
    file = result["document"]["file_id"]
    async with stage.client.get(f"{stage.base}/api/files/{file}", headers=headers) as response:
        assert await response.read() == content
        assert response.content_type == "application/octet-stream"
        assert response.headers["X-Content-Type-Options"] == "nosniff"


async def test_what_cannot_be_done_is_said_in_words(stage: Stage) -> None:
    answer = await stage.post("people/edit_text", user=stage.ann, chat=stage.ann, message=99, text="never")
    assert answer == {"ok": False, "error": "Bad Request: message to edit not found"}
    assert (await stage.post("daemon/kill")) == {"ok": False, "error": "the daemon isn't running"}
