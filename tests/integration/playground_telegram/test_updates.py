"""getUpdates keeps what was not confirmed, gives it in order, and serves one poller."""

import asyncio

import pytest

from playground.telegram import Emulator, Phone
from tests.integration.playground_telegram.api import Bot, Refused

HOUR = 3600.0


async def polling(emulator: Emulator) -> None:
    """Wait until a long poll hangs at the queue."""
    await emulator.calls.wait_for(lambda call: call.method == "getUpdates" and not call.status)
    assert emulator.core.updates.poller is not None


async def test_updates_are_given_again_until_a_higher_offset_confirms_them(bot: Bot, ann: Phone) -> None:
    for text in ("one", "two", "three"):
        ann.send(text)
    first = await bot("getUpdates")
    assert [update["message"]["text"] for update in first] == ["one", "two", "three"]
    assert [update["update_id"] - first[0]["update_id"] for update in first] == [0, 1, 2]
    assert await bot("getUpdates") == first
    assert await bot("getUpdates", offset=first[1]["update_id"]) == first[1:]
    assert await bot("getUpdates") == first[1:]
    assert await bot("getUpdates", offset=first[2]["update_id"] + 1) == []


async def test_a_negative_offset_keeps_only_the_newest_and_forgets_the_others(bot: Bot, ann: Phone) -> None:
    for text in ("one", "two", "three"):
        ann.send(text)
    assert await bot.texts(offset=-1) == ["three"]
    assert await bot.texts() == ["three"]


async def test_an_offset_far_ahead_confirms_nothing(bot: Bot, ann: Phone, emulator: Emulator) -> None:
    ann.send("one")
    assert await bot.texts(offset=emulator.core.updates.next_id + 1_000) == ["one"]


async def test_a_batch_has_at_most_a_hundred_and_at_least_one(bot: Bot, ann: Phone) -> None:
    for number in range(120):
        ann.send(str(number))
    assert len(await bot("getUpdates", limit=1_000)) == 100
    assert len(await bot("getUpdates", limit=7)) == 7
    assert len(await bot("getUpdates", limit=0)) == 1


async def test_a_long_poll_ends_when_an_update_comes(bot: Bot, ann: Phone, emulator: Emulator) -> None:
    poll = asyncio.create_task(bot("getUpdates", timeout=30))
    await polling(emulator)
    ann.send("hello")
    assert (await poll)[0]["message"]["text"] == "hello"


async def test_a_poll_that_saw_nothing_ends_empty_after_its_timeout(bot: Bot) -> None:
    assert await bot("getUpdates", timeout=1) == []


async def test_a_second_poller_ends_the_first_with_a_conflict(bot: Bot, ann: Phone, emulator: Emulator) -> None:
    older = asyncio.create_task(bot("getUpdates", timeout=30))
    await polling(emulator)
    newer = asyncio.create_task(bot("getUpdates", timeout=30))
    with pytest.raises(Refused) as refused:
        await older
    assert refused.value.status == 409
    assert refused.value.words.startswith("Conflict: terminated by other getUpdates request")
    await polling(emulator)
    ann.send("to the newer")
    assert (await newer)[0]["message"]["text"] == "to the newer"


async def test_a_webhook_excludes_polling(bot: Bot, emulator: Emulator) -> None:
    poll = asyncio.create_task(bot("getUpdates", timeout=30))
    await polling(emulator)
    assert await bot("setWebhook", url="https://example.org/hook")
    for waiting in (poll, bot("getUpdates")):
        with pytest.raises(Refused) as refused:
            await waiting
        assert refused.value.status == 409
    assert (await bot("getWebhookInfo"))["url"] == "https://example.org/hook"
    assert await bot("deleteWebhook")
    assert await bot("getUpdates") == []


async def test_only_https_webhooks_are_taken(bot: Bot) -> None:
    with pytest.raises(Refused, match="bad webhook"):
        await bot("setWebhook", url="http://example.org/hook")


async def test_updates_are_kept_a_day(bot: Bot, ann: Phone, clock) -> None:
    ann.send("old")
    clock.now += 23 * HOUR
    ann.send("young")
    assert await bot.texts() == ["old", "young"]
    clock.now += 2 * HOUR
    assert await bot.texts() == ["young"]


async def test_kinds_that_were_not_asked_for_are_never_queued(bot: Bot, ann: Phone) -> None:
    sent = ann.send("first")
    ann.react(sent, "👍")
    assert await bot.texts() == ["first"]
    await bot("getUpdates", offset=-1, allowed_updates=["message_reaction"])
    ann.send("unwanted")
    ann.react(sent, "🔥")
    kinds = [key for update in await bot("getUpdates") for key in update if key != "update_id"]
    assert kinds == ["message", "message_reaction"]  # the first message still waits; "unwanted" was never queued


async def test_the_wanted_kinds_stay_until_others_are_named(bot: Bot, ann: Phone) -> None:
    await bot("getUpdates", allowed_updates=["edited_message"])
    sent = ann.send("quiet")
    await bot("getUpdates")
    ann.edit(sent, "loud")
    assert ["edited_message" in update for update in await bot("getUpdates")] == [True]
    await bot("getUpdates", offset=-1, allowed_updates=[])
    ann.send("heard")
    assert "message" in (await bot("getUpdates"))[-1]


async def test_an_unreadable_update_is_given_as_it_is_and_confirmed_by_its_number(
    bot: Bot, ann: Phone, control
) -> None:
    await control.act("push_update", update={"message": {"message_id": "x"}})
    await control.act("push_update", update=17)
    ann.send("fine")
    items = await bot("getUpdates")
    assert items[0]["message"] == {"message_id": "x"}
    assert items[1] == 17
    assert await bot.texts(offset=items[0]["update_id"] + 2) == ["fine"]


async def test_dropping_pending_updates_drops_them(bot: Bot, ann: Phone) -> None:
    ann.send("one")
    await bot("deleteWebhook", drop_pending_updates=True)
    assert await bot("getUpdates") == []
