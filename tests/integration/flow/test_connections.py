"""A deaf, rude or absent Telegram, end to end: what people see, what the owner is told, what `status` says."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager as Running
from pathlib import Path

import pytest

from gateway.domain.ids import ConversationKey
from gateway.domain.messages import OutboundMessage
from gateway.services.pace import Pace
from playground.telegram.client import Phone
from playground.telegram.emulator import BOT_ID, Emulator
from tests.harness.house import House
from tests.harness.house import running as run_house

TEN_MINUTES = 600.0
DEAF = 121.0  # seconds after which a silent account is connected anew
OLGA = 1001
OWNED = {"access": {"people": [{"name": "Olga", "role": "owner", "identities": [f"telegram:{OLGA}", "terminal:olga"]}]}}
TWO = ("main", "work")
LIVE = Pace(look=0.02)  # everything else by the wall clock, as people have it


def running(
    root: Path, settings: Mapping[str, object] | None = None, *, bots: Sequence[str] = ("main",)
) -> Running[House]:
    """Run a house whose connections are tried again at the pace that people have."""
    return run_house(root, settings, pace=LIVE, bots=bots)


def texts(phone: Phone) -> list[str]:
    """What the bot says in a chat."""
    return [message.body.text for message in phone.from_bot()]


def answers(phone: Phone) -> list[str]:
    """What the bot answers in a chat: a notice after an absence is none."""
    return [text for text in texts(phone) if not text.startswith("I was out of reach for ")]


async def answered(phone: Phone, text: str, *, house: House | None = None) -> None:
    """Write, and wait for the answer that repeats it; time passes meanwhile where a connection is still to recover."""
    phone.send(f"echo {text}")
    if house is not None:
        await house.pass_time(lambda: text in texts(phone), step=0.2)
    await phone.answer(text)


async def post(house: House, phone: Phone, text: str, *, bot: int = 0) -> None:
    """Queue a notice in somebody's talk, as parts of the house do."""
    talk = ConversationKey(platform="telegram", account=str(BOT_ID + bot), chat=str(phone.user_id), kind="direct")
    message = OutboundMessage(key=f"notice/{text}", conversation=talk, text=text)
    assert house.app is not None
    outbox = house.app.handlers["outbox"]
    await house.app.db.write(lambda work: outbox.post(work, message, what="notice"))  # type: ignore[attr-defined]


def connections(emulator: Emulator) -> int:
    """How many clients are connected."""
    assert emulator.runner is not None
    assert emulator.runner.server is not None
    return sum(one.transport is not None for one in emulator.runner.server.connections)


@pytest.mark.requirement("B197", "B219", "C2.8")
async def test_a_lasting_rival_is_degraded_within_minutes_and_told_by_the_other_account(tmp_path: Path) -> None:
    async with running(tmp_path, OWNED, bots=TWO) as house:
        main, work = (house.phone("Olga", bot=bot, user_id=OLGA) for bot in TWO)
        await answered(work, "here")
        await answered(main, "and here")
        house.emulators["main"].faults.add("error", method="getUpdates", code=409)
        house.emulators["main"].core.updates.terminate("terminated by other getUpdates request")
        began = house.clock()
        await house.pass_time(lambda: len(texts(work)) == 2)
        assert house.clock() - began < 8 * 60  # two minutes of silence, five of trouble
        assert house.line("telegram").state == "degraded"
        assert texts(work)[1].startswith("telegram has been in trouble for 5 min")
        await answered(work, "the other one works", house=house)
        house.emulators["main"].faults.clear()
        await house.pass_time(lambda: house.line("telegram").state == "up")
        await answered(main, "this one works again", house=house)
        await house.pass_time(lambda: len(texts(main)) == 3, step=5)  # it has to be well for a minute
        assert texts(main)[-1].startswith("telegram is back after")


@pytest.mark.requirement("B197")
async def test_trouble_of_the_only_account_is_told_on_a_terminal(tmp_path: Path) -> None:
    async with running(tmp_path, OWNED) as house:
        terminal = await house.terminal("olga")
        await terminal.say("hello")
        await answered(house.phone("Olga", user_id=OLGA), "hello")
        house.emulator.faults.stop_polls()
        await house.pass_time(lambda: any("has been in trouble" in text for text in terminal.shown.values()))
        await terminal.close()


@pytest.mark.requirement("B207", "B203", "B202")
async def test_while_only_polls_hang_it_is_degraded_and_sending_still_works(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        await answered(ann, "hello")
        house.emulator.faults.stop_polls()
        house.jump(DEAF)
        await house.until(lambda: house.line().state == "degraded")
        await post(house, ann, "said while deaf")
        await ann.answer("said while deaf")
        state = await house.ask("status")
        assert state["result"]["platforms"][0]["state"] == "degraded"
        assert state["result"]["platforms"][0]["inbound_age"] > 100
        house.emulator.faults.clear()
        await house.pass_time(lambda: house.line().state == "up")
        await answered(ann, "and heard again", house=house)


@pytest.mark.requirement("B203", "B206")
async def test_a_connection_that_answers_nothing_is_replaced_and_everything_arrives_once(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        await answered(ann, "before")
        house.emulator.faults.freeze()
        ann.send("echo into the silence")
        await house.pass_time(lambda: house.line().state == "degraded")
        house.emulator.faults.clear()
        await house.pass_time(lambda: "into the silence" in texts(ann))
        await house.quiet()
        assert answers(ann) == ["before", "into the silence"]


@pytest.mark.requirement("B201", "B199")
@pytest.mark.parametrize("seconds", [TEN_MINUTES, 8 * 3600.0])
async def test_a_network_that_was_gone_is_used_again_within_a_minute(tmp_path: Path, seconds: float) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        await answered(ann, "before")
        await house.emulator.stop()
        await house.until(lambda: house.line().state == "degraded")
        gone = house.clock()
        await house.pass_time(lambda: house.clock() - gone > seconds, step=seconds / 100)
        ann.send("echo written meanwhile")
        await house.emulator.start()
        back = house.clock()
        await house.pass_time(lambda: house.line().state == "up")
        assert house.clock() - back < 60
        await house.pass_time(lambda: "written meanwhile" in texts(ann), step=0.2)


@pytest.mark.requirement("B205")
async def test_a_machine_that_wakes_before_its_network_recovers(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        await answered(ann, "before")
        await house.emulator.stop()
        house.jump(8 * 3600)
        woken = house.clock()
        await house.pass_time(lambda: house.clock() - woken > 60)
        await house.emulator.start()
        ann.send("echo good morning")
        await house.pass_time(lambda: "good morning" in texts(ann))
        assert house.clock() - woken < 180


@pytest.mark.requirement("C7.10", "B070")
async def test_a_telegram_that_answers_500_for_ten_minutes_loses_and_doubles_nothing(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        await answered(ann, "before")
        house.emulator.faults.add("error", code=500, seconds=TEN_MINUTES)
        ann.send("echo during")  # the poll that waits still brings it in
        began = house.clock()
        await house.pass_time(lambda: house.line().state == "degraded" and house.clock() - began > TEN_MINUTES, step=3)
        tries = len(house.emulator.calls.listed())
        await house.pass_time(lambda: "during" in texts(ann))
        assert house.clock() - began < TEN_MINUTES + 120
        assert tries < 120
        await answered(ann, "after", house=house)
        await house.quiet()
        assert answers(ann) == ["before", "during", "after"]
        assert house.model.count == 3
        assert not await house.rows("SELECT 1 FROM items WHERE state IN ('dead', 'unknown')")


@pytest.mark.requirement("B218", "B219", "C2.8")
async def test_one_bad_token_leaves_the_other_account_and_the_terminal_at_work(tmp_path: Path) -> None:
    async with running(
        tmp_path, {"platforms": {"telegram": {"accounts": {"work": {"token": "1:wrong"}}}}}, bots=TWO
    ) as house:
        await answered(house.phone("Ann"), "hello")
        terminal = await house.terminal("ann")
        await terminal.say("echo here as well")
        await terminal.wait_for("here as well")
        await terminal.close()
        line = house.line("telegram.work")
        assert line.state == "degraded"
        assert "doesn't know this bot token" in line.trouble
        assert "wrong" not in line.trouble
        assert house.line("telegram").state == "up"


@pytest.mark.requirement("B219")
async def test_a_token_that_is_refused_for_a_while_parks_nothing(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        await answered(ann, "before")
        house.emulator.faults.add("error", code=401)
        house.emulator.core.updates.wake()
        await house.until(lambda: house.line().state == "degraded")
        await post(house, ann, "held back")
        house.jump(100)
        assert texts(ann) == ["before"]
        house.emulator.faults.clear()
        await house.pass_time(lambda: "held back" in texts(ann))
        await house.quiet()
        assert not await house.rows("SELECT 1 FROM items WHERE state <> 'done' AND lane NOT LIKE 'note:%'")


@pytest.mark.requirement("B031")
async def test_an_answer_from_before_a_restart_leaves_as_soon_as_the_account_is_known(tmp_path: Path) -> None:
    async with run_house(tmp_path) as house:  # no time passes, so nothing but the account itself wakes the outbox
        ann = house.phone("Ann")
        await answered(ann, "before")
        await house.emulator.stop()
        await post(house, ann, "late news")
        await house.stop()
        await house.start()
        await house.until(lambda: house.line().state == "degraded")
        await house.emulator.start()
        await ann.answer("late news")


@pytest.mark.requirement("B010")
async def test_stopped_is_stopped_and_started_again_is_one_listener(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        for n in range(5):
            await answered(ann, f"life {n}")
            assert await house.stop() == 0
            async with asyncio.timeout(5):
                while connections(house.emulator):
                    await asyncio.sleep(0)
            await house.start()
        await answered(ann, "the last")
        await house.quiet()
        assert texts(ann) == [*(f"life {n}" for n in range(5)), "the last"]
    polls = house.emulator.calls.listed("getUpdates")
    assert all(poll.status in (200, 409) or not poll.status for poll in polls)


@pytest.mark.requirement("B010", "B202")
async def test_a_connection_made_anew_leaves_no_second_poll(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        await answered(ann, "before")
        house.emulator.faults.stop_polls()
        for _ in range(3):
            tried = house.line().tried_at
            house.jump(DEAF)
            await house.pass_time(lambda tried=tried: house.line().tried_at > tried)  # type: ignore[misc]
        house.emulator.faults.clear()
        await house.pass_time(lambda: house.line().state == "up")
        calls = house.emulator.calls.n
        for n in range(3):
            await answered(ann, f"after {n}", house=house)
        polls = house.emulator.calls.listed("getUpdates", after=calls)
        assert all(poll.status in (0, 200) for poll in polls)
        assert sum(not poll.status for poll in polls) <= 1


@pytest.mark.requirement("B206")
async def test_calls_that_use_up_all_connections_make_nobody_deaf(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        phones = [house.phone(f"P{n}") for n in range(70)]
        house.emulator.faults.add("hang", method="sendMessage")
        for phone in phones:
            phone.send("echo here")
        await house.received(70)
        await house.until(lambda: len(house.emulator.calls.listed("sendMessage")) == 64)
        assert house.line().state == "up"
        house.emulator.faults.clear()
        await house.pass_time(lambda: all("here" in texts(phone) for phone in phones), step=0.1)
        await house.quiet()
        assert all(texts(phone) == ["here"] for phone in phones)


@pytest.mark.requirement("C2.8")
async def test_two_accounts_answer_side_by_side_each_in_its_own_talk(tmp_path: Path) -> None:
    async with running(tmp_path, bots=TWO) as house:
        phones = {bot: house.phone("Ann", bot=bot, user_id=OLGA) for bot in TWO}
        for bot, phone in phones.items():
            phone.send(f"echo {bot}")
        for bot, phone in phones.items():
            await phone.answer(bot)
        await house.quiet()
        assert [texts(phone) for phone in phones.values()] == [[bot] for bot in TWO]
