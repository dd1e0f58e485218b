"""A dry run tells what would happen to a message, and leaves everything as it is."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing

import pytest

from playground.model import text
from playground.telegram import Emulator
from playground.telegram.client import Phone
from tests.integration.cli.conftest import BOUND, Dragoman


def rows(dragoman: Dragoman) -> dict[str, list[tuple[object, ...]]]:
    """Everything that a home's store holds, apart from the mark of a running process."""
    with closing(sqlite3.connect(f"file:{dragoman.home}/state.db?mode=ro", uri=True)) as db:
        names = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        found = {name: db.execute(f"SELECT * FROM {name}").fetchall() for name in names}
    return {name: [row for row in all_ if row[0] != "open"] for name, all_ in found.items()}


@pytest.fixture
async def telegram(dragoman: Dragoman) -> AsyncIterator[Emulator]:
    emulator = Emulator()
    await emulator.start()
    dragoman.configure(
        platforms={"telegram": {"token": emulator.token, "base_url": emulator.url}},
        access={
            "people": [{"name": "Ann", "role": "owner", "identities": ["telegram:7"]}],
            "groups": [{"conversation": "telegram:-100", "role": "user"}],
        },
        timezone="Europe/Rome",
    )
    yield emulator
    await emulator.stop()


@pytest.mark.requirement("C3.9")
async def test_without_a_daemon_the_configuration_decides_and_no_store_is_made(
    dragoman: Dragoman, telegram: Emulator
) -> None:
    told = (await dragoman("explain", "telegram:7", "hello", "--json")).json
    assert (told["verdict"], told["rule"], told["role"]) == ("talk", "known person", "owner")
    assert told["person"]["name"] == "Ann"
    assert told["session"] is None
    assert told["reset"]["type"] == "idle_timeout"
    assert (told["busy"], told["model"]) == ("steer", "stand-in")
    assert {"current_time", "read_file"} <= set(told["tools"])
    assert told["timezone"] == "Europe/Rome"
    assert not (dragoman.home / "state.db").exists()
    stranger = await dragoman("explain", "telegram:8", "hello")
    assert "a first contact, by the rule “request”" in stranger.out
    command = (await dragoman("explain", "telegram:7", "/new Trains", "--json")).json
    assert (command["verdict"], command["command"]["name"], command["command"]["allowed"]) == ("command", "new", True)
    assert (await dragoman("explain", "telegram:8", "/start ABCD-EFGH", "--json")).json["verdict"] == "pair"


@pytest.mark.requirement("C3.9")
async def test_in_a_group_it_matters_whether_it_was_meant(dragoman: Dragoman, telegram: Emulator) -> None:
    plain = await dragoman("explain", "telegram:7@-100", "hello")
    assert "dropped, by the rule “not addressed”" in plain.out
    assert "--mention" in plain.out
    meant = (await dragoman("explain", "telegram:7@-100", "hello", "--mention", "--json")).json
    assert (meant["verdict"], meant["role"], meant["busy"]) == ("talk", "user", "followup")
    assert meant["lane"].startswith("chat:telegram/")
    topic = (await dragoman("explain", "telegram:7@-100/5", "hello", "--mention", "--json")).json
    assert (topic["place"], topic["lane"]) == ("thread", f"thread:{topic['conversation']}")
    strange = (await dragoman("explain", "telegram:7@-999", "hello", "--mention", "--json")).json
    assert (strange["verdict"], strange["rule"]) == ("drop", "unlisted group")


@pytest.mark.requirement("C3.9")
async def test_a_running_daemon_tells_the_session_that_a_message_would_join(
    dragoman: Dragoman, telegram: Emulator
) -> None:
    dragoman.configure(
        platforms={"telegram": {"token": telegram.token, "base_url": telegram.url}}, access={"unknown": "open"}
    )
    dragoman.model.when("train", text("at nine"))
    async with dragoman.running():
        phone = Phone.new(telegram, "Ann")
        phone.send("when does the train leave?")
        await phone.answer("at nine")
        async with asyncio.timeout(BOUND):
            while (await dragoman("status", "--json")).json["lanes"]:
                await asyncio.sleep(0)
        before = rows(dragoman)
        told = (await dragoman("explain", f"telegram:{phone.user_id}", "and back?", "--json")).json
        shown = await dragoman("explain", f"telegram:{phone.user_id}", "and back?")
        assert rows(dragoman) == before
    assert told["session"]["title"] == "when does the train leave?"
    assert told["reset"]["due_at"] > told["session"]["last_active"]
    assert told["conversation"].startswith(f"telegram/{telegram.world.bot.id}/")
    assert "“when does the train leave?”" in shown.out
    again = (await dragoman("explain", f"telegram:{phone.user_id}", "and back?", "--json")).json
    assert {**again, "reset": None} == {**told, "reset": None}


async def test_what_it_cannot_explain_it_says_plainly(dragoman: Dragoman, telegram: Emulator) -> None:
    for words, code, said in (
        (("email", "mail.eml"), 1, "cannot be read"),
        (("nonsense", "hello"), 1, "not an identity"),
        (("discord:5", "hello"), 1, "not switched on"),
    ):
        ended = await dragoman("explain", *words)
        assert ended.code == code
        assert said in ended.err
