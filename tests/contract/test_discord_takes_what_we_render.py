"""Our rendering against the emulator's reading of Discord's rules, written apart from it."""

import aiohttp
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.discord import render
from gateway.domain.ids import ConversationKey
from gateway.domain.messages import Choice, OutboundMessage, Part
from playground.discord import Emulator, Person
from playground.discord.rest import checks
from tests.unit.adapters.text.markdown import documents, thorough

TALK = ConversationKey(platform="discord", account="1", chat="2", kind="direct")
NASTY = [
    "*",
    "> ",
    "`" * 40,
    "```\n" + "`" * 2500,
    "!" * 4096,
    "😀" * 4096,
    "_*~|" * 900,
    "\n".join(["> x"] * 1250),
    "[" * 300 + "](https://example.org)",
    "# " * 400,
    "| a | b |\n|---|--:|\n| 1 | 😀 |",
]


def parts(text: str, *choices: Choice) -> tuple[Part, ...]:
    return render.split(OutboundMessage(key="k", conversation=TALK, text=text, choices=choices))


def take(part: Part) -> None:
    body = render.payload(part, link_previews=False)
    assert checks.content(body) == str(body["content"]).strip()
    checks.not_empty(checks.content(body))
    assert len(str(render.payload(render.dated(part, 0.0), link_previews=False)["content"])) <= checks.MAX_CONTENT


@pytest.mark.requirement("B027", "B075", "B078", "B079", "B081")
@thorough
@given(st.one_of(documents, st.sampled_from(NASTY)))
def test_the_server_takes_every_part_of_any_text(source: str) -> None:
    for part in parts(source):
        take(part)
    sketch = render.sketch(source)
    if sketch.text:
        take(sketch)


@pytest.mark.requirement("B077", "B078", "B081")
async def test_payloads_are_accepted_over_the_wire() -> None:
    emulator = Emulator()
    await emulator.start()
    try:
        ann = Person.new(emulator, "Ann")
        choices = (
            Choice(label="Yes" * 50, data="y" * 64),
            Choice(label="No", data="n"),
            Choice(label="Twice", data="n"),
        )
        shown = [part for text in NASTY for part in parts(text, *choices)]
        headers = {"Authorization": f"Bot {emulator.token}"}
        async with aiohttp.ClientSession(headers=headers) as session:
            for part in shown:
                url = f"{emulator.url}/channels/{ann.channel_id}/messages"
                async with session.post(url, json=render.payload(part, link_previews=False)) as response:
                    assert response.status == 200, await response.text()
        assert len(ann.from_bot()) == len(shown)
        assert not emulator.core.complaints
    finally:
        await emulator.stop()
