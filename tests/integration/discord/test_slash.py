"""Slash commands: registered, acknowledged in time, answered where they were used, seen by whom they concern."""

import pytest

from gateway.domain.messages import Part
from playground.discord.client import Person
from tests.integration.discord.desk import Desk

COMMANDS = [("help", "What I can do"), ("new", "Start again")]


async def test_commands_are_set_everywhere_as_subcommands(desk: Desk) -> None:
    async with desk.running():
        await desk.adapter.menu(COMMANDS)
    (command,) = desk.emulator.world.commands[0]
    options = command["options"]
    assert isinstance(options, list)
    assert (command["name"], [option["name"] for option in options]) == ("dragoman", ["help", "new"])


@pytest.mark.requirement("C2.9")
async def test_with_guilds_named_each_person_finds_the_command_once(desk: Desk) -> None:
    desk.make(guilds=[str(desk.guild.id)])
    async with desk.running():
        await desk.adapter.menu(COMMANDS)
    for person in (desk.ann, desk.general):
        assert [one["name"] for one in desk.emulator.people.commands(person.channel)] == ["dragoman"]


async def test_a_command_is_stored_then_deferred_and_its_reply_takes_the_place(desk: Desk) -> None:
    async with desk.running():
        await desk.adapter.menu(COMMANDS)
        used = desk.general.slash("new", "a title")
        (row,) = await desk.intake.heard()
        await desk.ann.until(lambda: used.state == "deferred")
        assert (row.kind, row.text, row.key.rpartition("/")[2]) == ("command", "/new a title", str(used.id))
        for n, text in enumerate(("Started.", "And more.")):
            delivery = desk.delivery(at=desk.general, key=f"reply/{row.key}/{n}", part=Part(text=text), repeat="risk")
            assert await desk.adapter.send(delivery)
    bob = Person(desk.emulator, desk.emulator.people.create_user("Bob").id, desk.general.channel_id)
    assert desk.general.texts() == ["Started.", "And more."]
    assert bob.texts() == []
    assert used.state == "answered"
    assert desk.emulator.calls.counts["POST messages"] == 0


async def test_after_a_restart_the_reply_is_an_ordinary_message(desk: Desk) -> None:
    async with desk.running():
        await desk.adapter.menu(COMMANDS)
        desk.ann.slash("help")
        (row,) = await desk.intake.heard()
    desk.make()
    await desk.adapter.send(desk.delivery(key=f"reply/{row.key}/0", part=Part(text="I can …"), repeat="risk"))
    assert desk.ann.texts() == ["I can …"]


async def test_an_acknowledgement_that_comes_too_late_loses_no_command(desk: Desk) -> None:
    desk.emulator.faults.add("error", route="POST callback", status=404, code=10062, message="Unknown interaction")
    async with desk.running():
        await desk.adapter.menu(COMMANDS)
        desk.ann.slash("help")
        (row,) = await desk.intake.heard()
        await desk.emulator.calls.wait_for(lambda call: call.route == "POST callback" and call.status == 404)
        await desk.adapter.send(desk.delivery(key=f"reply/{row.key}/0", part=Part(text="I can …"), repeat="risk"))
    assert desk.ann.texts() == ["I can …"]


async def test_words_that_look_like_a_command_are_one(desk: Desk) -> None:
    async with desk.running():
        desk.ann.say("/help me")
        (row,) = await desk.intake.heard()
    assert (row.kind, row.text) == ("command", "/help me")
