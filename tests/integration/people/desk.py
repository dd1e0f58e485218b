"""What tests of people share: codes and buttons read from what the bot shows, people who come."""

import re

from playground.telegram.client import Phone
from playground.telegram.world import Message
from tests.harness.house import House
from tests.harness.looks import says

OWNER = {"name": "Ann", "role": "owner", "identities": ["telegram:11"]}
ACCESS = {"unknown": "pair", "people": [OWNER]}
CODE = re.compile(r"/pair ([A-Z2-9]{4}-[A-Z2-9]{4})")


def code_in(message: Message) -> str:
    """Read the code out of what the bot says."""
    found = CODE.search(message.body.text)
    assert found is not None, message.body.text
    return found[1]


def buttons(message: Message) -> dict[str, str]:
    """Hand out the data of the buttons by their words."""
    rows = message.body.markup["inline_keyboard"]
    return {str(key["text"]): str(key["callback_data"]) for row in rows for key in row}  # type: ignore[union-attr,index,call-overload]


async def known(house: House, name: str = "Ann", number: int = 11) -> Phone:
    """Let somebody who is let in say a first word."""
    phone = house.phone(name, user_id=number)
    phone.send("echo hello")
    await phone.answer("hello")
    return phone


async def let_in(house: House, owner: Phone, name: str, number: int, press: str = "Admit as user") -> Phone:
    """Let a stranger come, and the owner say yes."""
    phone = house.phone(name, user_id=number)
    phone.send("hello")
    await phone.wait_for(says("I do not know you yet"))
    asked = await owner.wait_for(says(f"{name} (telegram:{number})"), after=0)
    owner.press(asked, buttons(asked)[press])
    await phone.wait_for(says(f"Welcome, {name}"))
    return phone


async def link_code(phone: Phone) -> str:
    """Let somebody known ask for a code."""
    phone.send("/pair")
    return code_in(await phone.wait_for(says("within ten minutes")))


async def join(ann: Phone, new: Phone, press: str = "Join") -> Message:
    """Join a new account with a code that the known one was given; hands out what the known side is told."""
    new.send(f"/pair {await link_code(ann)}")
    question = await ann.wait_for(says("wants to be one with you"))
    ann.press(question, buttons(question)[press])
    return await ann.wait_for(says("is you now"), after=question.id)
