"""Our rendering against the emulator's reading of the Bot API's rules, written apart from it."""

import json

import aiohttp
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.telegram import render
from gateway.domain.messages import Choice, Part
from playground.telegram import Emulator
from playground.telegram.client import Phone
from playground.telegram.entities import read_entities, settle
from playground.telegram.utf16 import units
from tests.unit.adapters.text.markdown import documents, thorough

ANSWER = """# Plan for `main`

> Quote with `code` and [link](https://example.org/?a=1&b=2)
> - **nested** list

| a | b |
|---|--:|
| 1 | 😀 |

1. **one** ~~two~~ *three **four***
   ```py
       indented = True
   ```
2. [local](http://localhost:1/) [user](tg://user?id=1) <b>raw</b> \u202e \u200f
"""


def take(part: Part, room: int = 4096) -> None:
    complaints: list[str] = []
    entities = read_entities(json.loads(part.markup or "[]"))
    text, kept = settle(part.text, entities, complaints.append)
    assert not complaints
    assert 0 < units(text) <= room
    assert text == part.text.lstrip(" ")  # a part that goes on in code may start with its indent
    assert len(kept) == len(entities)
    if text == part.text:
        assert kept == entities or any(entity.type == "pre" for entity in entities)


@pytest.mark.requirement("B075", "B078", "B079", "B081")
@thorough
@given(documents, st.integers(4, 60))
def test_the_server_takes_every_part_of_any_text_as_it_is(source: str, room: int) -> None:
    for part in render.split(source, max_units=room):
        take(part, room)
    for part in render.split(source):
        take(part)
    sketch = render.sketch(source)
    if sketch.text:
        take(sketch)


@pytest.mark.requirement("B077", "B078", "B079", "B081")
async def test_payloads_are_accepted_over_the_wire() -> None:
    emulator = Emulator()
    await emulator.start()
    try:
        ann = Phone.new(emulator, "Ann")
        parts = [*render.split(ANSWER * 30), *render.split("*"), *render.split("\n".join(["> x"] * 1250))]
        keyboard = render.keyboard([Choice(label="Yes" * 50, data="y" * 64), Choice(label="No", data="n")])
        async with aiohttp.ClientSession() as session:
            for part in parts:
                for payload in (render.text_payload(part), render.plain_payload(part)):
                    body = {"chat_id": ann.user_id, **payload, "reply_markup": keyboard}
                    url = f"{emulator.url}/bot{emulator.token}/sendMessage"
                    async with session.post(url, json=body) as response:
                        answer = await response.json()
                        assert answer["ok"], answer
                        assert answer["result"]["text"] == payload["text"].lstrip(" ")
        assert not emulator.core.complaints
    finally:
        await emulator.stop()
