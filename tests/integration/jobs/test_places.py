"""Where the output of jobs goes: several places at once, where the person wrote last, elsewhere if that is wanted."""

from pathlib import Path

import pytest

from playground.model import StandIn
from playground.telegram.client import Phone
from tests.harness.house import House, Terminal, running
from tests.integration.jobs.desk import ann_of, change, made, told

ANN = {"name": "Ann", "role": "owner", "timezone": "Europe/Rome", "identities": ["telegram:501", "terminal:ann"]}
PEOPLE = {"access": {"people": [ANN]}}


async def at_both(house: House) -> tuple[Phone, Terminal]:
    """Let Ann have talked on Telegram first and then at the terminal."""
    ann = ann_of(house)
    ann.send("echo here")
    await ann.answer("here")
    desk = await house.terminal("ann")
    await desk.say("echo there")
    await desk.wait_for("there")
    return ann, desk


@pytest.mark.requirement("B190")
async def test_output_goes_to_several_places_at_once_and_to_where_the_person_wrote_last(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE) as house:
        ann, desk = await at_both(house)
        await made(house, ann, "in 1 h to telegram and terminal: echo both")
        house.jump(3601)
        await ann.answer("both")
        await desk.wait_for("both")
        await made(house, ann, "in 1 h to last: echo follows")
        await desk.say("echo on")
        await desk.wait_for("on")
        house.jump(3601)
        await desk.wait_for("follows")
        await house.quiet()
        assert "follows" not in [one.body.text for one in ann.from_bot()]
        await desk.close()


@pytest.mark.requirement("B190")
@pytest.mark.parametrize("fallback", [True, False])
async def test_what_cannot_be_delivered_goes_elsewhere_with_a_mark_only_if_the_job_says_so(
    tmp_path: Path, *, fallback: bool
) -> None:
    async with running(tmp_path, PEOPLE) as house:
        ann, desk = await at_both(house)
        await made(house, ann, "in 1 h to telegram: echo the news")
        await change(house, fallback=fallback)
        house.emulator.membership.block(ann.user_id)
        house.jump(3601)
        if fallback:
            assert "the news" in await desk.wait_for("could not be delivered to telegram")
        else:
            said = await desk.wait_for("could not be delivered to telegram")
            assert "/jobs why" in said
            assert "the news" not in said.replace("echo the news", "")
        await desk.close()


@pytest.mark.requirement("B194")
async def test_a_run_is_bounded_in_rounds_and_may_have_a_model_of_its_own(tmp_path: Path) -> None:
    async with StandIn() as other, running(tmp_path, PEOPLE) as house:
        first = house.configuration()["agent"]["models"][0]
        await house.stop()
        house.settings = {**PEOPLE, "agent": {"models": [first, {"model": "second", "base_url": other.url}]}}
        await house.start()
        ann = ann_of(house)
        await made(house, ann, "in 1 h: use current_time {}")
        await change(house, steps=1, model="second")
        house.jump(3601)
        await told(ann, "current_time says")
        assert house.model.count == 0
        assert [bool(one.body.get("tool_choice")) for one in other.requests] == [False, True]
