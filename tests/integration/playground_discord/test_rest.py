"""The REST API is strict where Discord is."""

import aiohttp
import pytest

from playground.discord import Emulator, Person
from playground.discord.world import HISTORY, SEND, VIEW
from tests.integration.playground_discord.api import Bot


async def test_calls_without_the_token_are_refused(bot: Bot, ann: Person) -> None:
    assert (await bot.call("GET", "/users/@me", token="wrong"))[0] == 401
    assert (await bot.call("GET", "/users/@me"))[0] == 200
    assert (await bot.call("GET", "/nothing"))[0] == 404


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"content": "x" * 2001}, 50035),
        ({"content": "  "}, 50006),
        ({"content": 5}, 50035),
        ({"content": "x", "nonce": "n" * 26}, 50035),
        ({"content": "x", "allowed_mentions": {"parse": ["all"]}}, 50035),
        ({"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}}, 50035),
        ({"content": "x", "message_reference": {"message_id": "1"}}, 50035),
        ({"content": "x", "embeds": [{"title": "t" * 257}]}, 50035),
        ({"content": "x", "components": [{"type": 1, "components": []}]}, 50035),
        ({"content": "x", "components": [{"type": 1, "components": [{"type": 2, "style": 1, "label": "a"}]}]}, 50035),
    ],
)
async def test_a_message_that_breaks_a_rule_is_refused(
    bot: Bot, ann: Person, body: dict[str, object], code: int
) -> None:
    status, answer = await bot.post(ann.channel_id, **body)
    assert (status, answer["code"]) == (400, code)
    assert ann.from_bot() == []


async def test_the_same_nonce_gives_the_first_message_where_that_is_enforced(bot: Bot, ann: Person) -> None:
    answers = [await bot.post(ann.channel_id, content="once", nonce="n1", enforce_nonce=True) for _ in range(2)]
    assert answers[0][1]["id"] == answers[1][1]["id"]
    await bot.post(ann.channel_id, content="once", nonce="n1")
    assert len(ann.from_bot()) == 2


async def test_only_allowed_mentions_ring_and_a_role_is_complained_of(
    emulator: Emulator, bot: Bot, ann: Person
) -> None:
    emulator.people.create_guild("Friends", [ann.user])
    channel = next(one.id for one in emulator.world.channels.values() if one.guild)
    await bot.post(channel, content=f"<@{ann.user}> @everyone", allowed_mentions={"parse": []})
    assert not emulator.core.complaints
    await bot.post(channel, content=f"<@{ann.user}> @everyone")
    quiet, loud = ann.within(channel).from_bot()
    assert (quiet.pings, quiet.everyone, loud.pings, loud.everyone) == ([], False, [ann.user], True)
    assert emulator.core.complaints


async def test_rights_closed_talks_and_places_that_are_not_there(emulator: Emulator, bot: Bot, ann: Person) -> None:
    emulator.people.create_guild("Friends", [ann.user])
    channel = next(one for one in emulator.world.channels.values() if one.guild)
    got = []
    for denied in (SEND, VIEW):
        channel.denied = denied
        got.append((await bot.post(channel.id, content="x"))[1]["code"])
    emulator.world.users[ann.user].open = False
    got.append((await bot.post(ann.channel_id, content="x"))[1]["code"])
    got.append((await bot.post(5, content="x"))[1]["code"])
    assert got == [50013, 50001, 50007, 10003]
    channel.denied = HISTORY
    assert await bot.call("GET", f"/channels/{channel.id}/messages") == (200, [])


async def test_history_is_cut_by_before_after_and_limit(bot: Bot, ann: Person) -> None:
    ids = [ann.say(f"{n}").id for n in range(120)]
    path = f"/channels/{ann.channel_id}/messages"

    async def page(query: str) -> list[str]:
        return [one["content"] for one in (await bot.call("GET", path + query))[1]]

    assert await page("") == [f"{n}" for n in range(119, 69, -1)]
    assert await page(f"?after={ids[9]}&limit=3") == ["12", "11", "10"]
    assert await page(f"?before={ids[9]}&limit=3") == ["8", "7", "6"]
    assert (await bot.call("GET", f"{path}?limit=101"))[0] == 400


async def test_a_bucket_runs_dry_and_says_until_when(emulator: Emulator, bot: Bot, ann: Person) -> None:
    emulator.server.limits.on = True
    statuses = [(await bot.post(ann.channel_id, content="x"))[0] for _ in range(6)]
    status, answer = await bot.post(ann.channel_id, content="x")
    assert statuses == [200] * 5 + [429]
    assert status == 429
    assert 0 < answer["retry_after"] <= 5
    assert answer["global"] is False


async def test_an_interaction_is_answered_once_in_time(emulator: Emulator, bot: Bot, ann: Person) -> None:
    option = {"type": 1, "name": "help", "description": "help"}
    commands = [{"name": "dragoman", "description": "d", "options": [option]}]
    await bot.call("PUT", f"/applications/{emulator.world.application}/commands", commands)
    used, late = ann.slash("help"), ann.slash("help")
    path = f"/interactions/{used.id}/{used.token}/callback"
    assert (await bot.call("POST", path, {"type": 5}))[0] == 204
    assert (await bot.call("POST", path, {"type": 5}))[1]["code"] == 40060
    original = f"/webhooks/{emulator.world.application}/{used.token}/messages/@original"
    assert (await bot.call("PATCH", original, {"content": "here"}))[0] == 200
    assert (ann.texts(), used.state) == (["here"], "answered")
    late.at -= 4
    assert (await bot.call("POST", f"/interactions/{late.id}/{late.token}/callback", {"type": 5}))[1]["code"] == 10062


async def test_a_thread_made_from_a_message_has_its_id_and_is_made_once(
    emulator: Emulator, bot: Bot, ann: Person
) -> None:
    emulator.people.create_guild("Friends", [ann.user])
    channel = ann.within(next(one.id for one in emulator.world.channels.values() if one.guild))
    said = channel.say("plan")
    path = f"/channels/{channel.channel_id}/messages/{said.id}/threads"
    assert (await bot.call("POST", path, {"name": "plan"}))[1]["id"] == str(said.id)
    assert (await bot.call("POST", path, {"name": "plan"}))[1]["code"] == 160004


async def test_a_cut_takes_effect_and_loses_the_answer(emulator: Emulator, bot: Bot, ann: Person) -> None:
    emulator.faults.add("cut", route="POST messages", count=1)
    with pytest.raises(aiohttp.ServerDisconnectedError):
        await bot.post(ann.channel_id, content="done")
    assert ann.texts() == ["done"]
