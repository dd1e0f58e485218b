"""The gateway behaves as its documentation says."""

import pytest

from playground.discord import Emulator, Person
from tests.integration.playground_discord.api import Bot


@pytest.mark.parametrize("compress", [False, True])
async def test_a_session_begins_hears_and_is_resumed_from_where_it_was(
    emulator: Emulator, bot: Bot, ann: Person, *, compress: bool
) -> None:
    socket = await bot.socket(compress=compress)
    ready = await socket.identify(emulator.token)
    assert (ready["t"], ready["s"]) == ("READY", 1)
    ann.say("one")
    assert (await socket.get())["d"]["content"] == "one"
    emulator.gateway.drop()
    ann.say("two")
    again = await bot.socket(compress=compress)
    session = ready["d"]["session_id"]
    await again.send(6, {"token": emulator.token, "session_id": session, "seq": 2})
    replayed, resumed = await again.get(), await again.get()
    assert (replayed["d"]["content"], replayed["s"], resumed["t"]) == ("two", 3, "RESUMED")


async def test_a_session_that_is_not_known_is_invalid(emulator: Emulator, bot: Bot) -> None:
    socket = await bot.socket()
    await socket.send(6, {"token": emulator.token, "session_id": "none", "seq": 5})
    assert await socket.get() == {"op": 9, "s": None, "t": None, "d": False}


@pytest.mark.parametrize(
    ("token", "intents", "code"), [("wrong", 1, 4004), ("", 1 << 1, 4014), ("", 1 << 40, 4013), ("", 1 << 15, 4014)]
)
async def test_what_discord_would_refuse_is_closed_with_its_code(
    emulator: Emulator, bot: Bot, token: str, intents: int, code: int
) -> None:
    emulator.world.content_allowed = False
    socket = await bot.socket()
    assert await socket.identify(token or emulator.token, intents) == {"closed": code}


async def test_texts_are_hidden_without_the_content_intent_unless_they_mention_the_bot(
    emulator: Emulator, bot: Bot, ann: Person
) -> None:
    emulator.people.create_guild("Friends", [ann.user])
    channel = ann.within(next(one.id for one in emulator.world.channels.values() if one.guild))
    socket = await bot.socket()
    await socket.identify(emulator.token)
    assert (await socket.get())["t"] == "GUILD_CREATE"
    seen = []
    for text in ("secret", f"<@{emulator.world.bot.id}> open"):
        channel.say(text)
        seen.append((await socket.get())["d"]["content"])
    ann.say("direct")
    seen.append((await socket.get())["d"]["content"])
    assert seen == ["", f"<@{emulator.world.bot.id}> open", "direct"]


async def test_heartbeats_are_acknowledged_until_told_otherwise(emulator: Emulator, bot: Bot, ann: Person) -> None:
    socket = await bot.socket()
    await socket.send(1, None)
    assert (await socket.get())["op"] == 11
    emulator.gateway.acks = False
    await socket.identify(emulator.token)
    await socket.send(1, 1)
    ann.say("news")
    assert (await socket.get())["t"] == "MESSAGE_CREATE"


async def test_a_frozen_connection_stays_open_and_silent(emulator: Emulator, bot: Bot, ann: Person) -> None:
    socket = await bot.socket()
    await socket.identify(emulator.token)
    emulator.gateway.freeze()
    ann.say("lost on the way")
    await socket.send(1, 1)
    with pytest.raises(TimeoutError):
        await socket.socket.receive(timeout=0.1)
    assert not socket.socket.closed
