"""What an open page hears: everything once, then each change, and what people do through it."""

import asyncio
import base64
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest

from playground.page.apps.base import NAMES
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


def talks(everything: News) -> list[str]:
    return [talk["title"] for talk in everything["talks"]]


async def test_a_page_hears_first_who_is_there_and_what_was_said(stage: Stage) -> None:
    await stage.post("apps/telegram/say", user=str(stage.ann), talk=str(stage.ann), text="good morning")
    stage.board.say("a line of the log")
    async with listening(stage) as ear:
        everything = await ear.hear(kind("app"))
        assert talks(everything) == ["Ann", "Bob", "Weekend"]
        assert [message["text"] for message in everything["messages"][str(stage.ann)]] == ["good morning"]
        assert [line["text"] for line in (await ear.hear(kind("log")))["lines"]] == ["a line of the log"]


@pytest.mark.parametrize("name", NAMES)
async def test_a_page_hears_messages_edits_and_deletions_of_every_app(stage: Stage, name: str) -> None:
    app = stage.app(name)
    talk = next(one for one in app.talks() if not one["direct"])
    bob = next(one for one in talk["people"] if one["name"] == "Bob")  # type: ignore[attr-defined]
    async with listening(stage) as ear:
        await ear.hear(kind("ready"))
        sent = await stage.post(f"apps/{name}/say", user=bob["id"], talk=talk["id"], text="hello @nobody & all")
        assert sent["ok"], sent
        message = (await ear.hear(kind("message")))["message"]
        assert (message["text"], message["name"], message["from_bot"]) == ("hello @nobody & all", "Bob", False)
        place = {"user": bob["id"], "talk": message["talk"], "message": message["id"]}
        assert (await stage.post(f"apps/{name}/edit", **place, text="hello you"))["ok"]
        assert (await ear.hear(kind("message")))["message"]["text"] == "hello you"
        assert (await stage.post(f"apps/{name}/react", **place, emoji="👍"))["ok"]
        assert (await ear.hear(kind("message")))["message"]["reactions"] == [["👍", 1]]
        assert (await stage.post(f"apps/{name}/delete", **place))["ok"]
        assert (await ear.hear(kind("message")))["message"]["deleted"]


async def test_a_page_hears_of_a_chat_that_is_new(stage: Stage) -> None:
    async with listening(stage) as ear:
        await ear.hear(kind("ready"))
        stage.emulator.people.create_user("Cleo")
        everything = await ear.hear(kind("app"))
        assert talks(everything) == ["Ann", "Bob", "Weekend", "Cleo"]


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
        await one.hear(kind("app"))
        await other.hear(kind("app"))
        await stage.post("apps/telegram/say", user=str(stage.ann), talk=str(stage.ann), text="both")
        assert (await one.hear(kind("message"))) == (await other.hear(kind("message")))
        assert stage.board.watchers == 2


@pytest.mark.parametrize("name", NAMES)
async def test_a_file_goes_into_every_app_and_comes_back_whole(stage: Stage, name: str) -> None:
    content = bytes(range(256)) * 100
    talk = stage.app(name).talks()[0]
    body = {"name": "all.bin", "content": base64.b64encode(content).decode(), "text": "look"}
    sent = await stage.post(f"apps/{name}/send_file", user=talk["people"][0]["id"], talk=talk["id"], **body)  # type: ignore[index]
    assert sent["ok"], sent
    message = stage.app(name).messages(str(talk["id"]), 1)[0]
    (file,) = message["files"]  # type: ignore[misc]
    assert (file["name"], file["size"], message["text"]) == ("all.bin", len(content), "look")
    headers = {"X-Playground-Token": stage.page.token}
    async with stage.client.get(f"{stage.base}/api/apps/{name}/files/{file['id']}", headers=headers) as response:
        assert await response.read() == content
        assert response.content_type == "application/octet-stream"
        assert response.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("name", NAMES)
async def test_what_cannot_be_done_is_said_in_words(stage: Stage, name: str) -> None:
    talk = stage.app(name).talks()[0]
    place = {"user": talk["people"][0]["id"], "talk": talk["id"]}  # type: ignore[index]
    for act in ("edit", "react", "press", "delete"):
        answer = await stage.post(f"apps/{name}/{act}", **place, message="99", text="never", emoji="👍", press="no")
        assert answer["ok"] is False
        assert answer["error"]
    for nonsense in ("no number", "99"):
        answer = await stage.post(f"apps/{name}/say", user=nonsense, talk=nonsense, text="never")
        assert answer["ok"] is False, (act, nonsense)
    assert (await stage.post("daemon/kill")) == {"ok": False, "error": "the daemon isn't running"}
