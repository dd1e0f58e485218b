"""`/platforms` in the whole house: who sees the accounts, lets one stand still, and lets it go on."""

from pathlib import Path

import pytest

from playground.telegram.client import Phone
from tests.harness.house import House, running

pytestmark = pytest.mark.requirement("C4.12")
OLGA = 1001
OWNED = {
    "access": {
        "unknown": "open",
        "people": [{"name": "Olga", "role": "owner", "identities": [f"telegram:{OLGA}", "terminal:olga"]}],
    }
}
TWO = ("main", "work")


def texts(phone: Phone) -> list[str]:
    """What the bot says in a chat."""
    return [message.body.text for message in phone.from_bot()]


async def rests(house: House, name: str) -> None:
    """Wait until an account reads nothing any more and nothing leaves by it."""
    await house.until(lambda: house.line(name).state == "paused")
    await house.pass_time(lambda: not house.line(name).sending)


async def test_an_account_is_paused_by_one_and_resumed_by_another_and_catches_up(tmp_path: Path) -> None:
    async with running(tmp_path, OWNED, bots=TWO) as house:
        main, work = (house.phone("Olga", bot=bot, user_id=OLGA) for bot in TWO)
        for phone in (main, work):
            phone.send("echo here")
            await phone.answer("here")
        work.send("/platforms pause telegram")
        assert "telegram stands still now" in (await work.wait_for(lambda one: "stands" in one.body.text)).body.text
        await rests(house, "telegram")
        main.send("echo in the meantime")
        calls = house.emulators["main"].calls.n
        work.send("/platforms")
        listed = (await work.wait_for(lambda one: "telegram: paused" in one.body.text)).body.text
        assert "telegram.work: up" in listed
        state = await house.operate("status")
        assert {one["name"]: one["state"] for one in state["platforms"]}["telegram"] == "paused"
        assert state["problems"] == []
        assert not house.emulators["main"].calls.listed("getUpdates", after=calls)
        assert texts(main) == ["here"]
        work.send("/platforms resume telegram")
        await main.answer("in the meantime")
        assert not [text for text in texts(main) + texts(work) if "trouble" in text]


async def test_the_only_account_says_goodbye_stands_still_over_a_restart_and_is_resumed_at_the_terminal(
    tmp_path: Path,
) -> None:
    async with running(tmp_path, OWNED) as house:
        olga = house.phone("Olga", user_id=OLGA)
        olga.send("/platforms PAUSE Telegram")
        await olga.wait_for(lambda one: "I cannot hear you here any more" in one.body.text)
        await rests(house, "telegram")
        olga.send("echo later")
        assert await house.stop() == 0
        await house.start()
        await house.until(lambda: house.line("telegram").state == "paused")
        polls = house.emulator.calls.listed("getUpdates")
        assert house.app is not None
        assert house.app.health.summary(0) == "telegram paused, 0 waiting"
        assert await house.app.health.unready() == []
        terminal = await house.terminal("olga")
        await terminal.say("/platforms resume telegram")
        await terminal.wait_for("telegram goes on")
        await olga.answer("later")
        assert len(house.emulator.calls.listed("getUpdates")) > len(polls)
        await terminal.close()


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("/platforms pause discord", "There is no account discord here. There are: telegram."),
        ("/platforms pause", "`/platforms pause NAME`"),
        ("/platforms pause terminal", "There is no account terminal here"),
        ("/platforms resume telegram", "telegram does not stand still"),
        ("/platforms what is *this*", "`/platforms pause NAME`"),
    ],
)
async def test_what_cannot_be_done_is_said_and_changes_nothing(tmp_path: Path, words: str, answer: str) -> None:
    async with running(tmp_path, OWNED) as house:
        terminal = await house.terminal("olga")
        await terminal.say(words)
        await terminal.wait_for(answer)
        assert not await house.rows("SELECT 1 FROM pauses")
        await terminal.close()


async def test_users_are_told_that_it_is_not_theirs(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": {"unknown": "open", "open_role": "user"}}) as house:
        ann = house.phone()
        ann.send("/platforms pause telegram")
        await ann.wait_for(lambda one: "needs the role admin" in one.body.text)
        assert not await house.rows("SELECT 1 FROM pauses")
