"""The first start after setting up."""

import pytest

from playground.telegram.client import Phone
from tests.integration.setup.conftest import Desk


@pytest.mark.requirement("C3.9")
async def test_a_link_that_was_opened_before_the_first_start_makes_the_owner(desk: Desk) -> None:
    await desk.setup()
    code = (await desk.dragoman("pair", "new", "--role", "owner", "--json")).json["code"]
    phone = Phone.new(desk.telegram, "Ann")
    phone.send(f"/start {code}")
    terminal = desk.terminal("run")
    try:
        await phone.wait_for(lambda message: "owner" in message.body.text)
        await terminal.until("Ann")
        assert "t.me/" not in terminal.shown
        terminal.type("\x03")
        assert await terminal.ended() == 0
    finally:
        terminal.close()


@pytest.mark.requirement("C3.9")
async def test_a_first_start_shows_a_link_of_its_own(desk: Desk) -> None:
    await desk.setup()
    terminal = desk.terminal("run")
    try:
        await terminal.until("https://t.me/ann_helper_bot?start=")
    finally:
        terminal.close()
