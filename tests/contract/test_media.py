"""Pictures, voices and documents on every platform: sent as its people do, shown to the model, answered aloud."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from playground.model import voices
from tests.contract.sides import SIDES
from tests.contract.sides.base import Side
from tests.contract.test_houses import known, platforms
from tests.harness.house import House, running
from tests.integration.media import papers
from tests.integration.media.pictures import picture, shown, words


@pytest.fixture(params=list(SIDES))
async def side(request: pytest.FixtureRequest) -> AsyncIterator[Side]:
    side = SIDES[request.param]()
    await side.start()
    try:
        yield side
    finally:
        await side.stop()


async def sends(house: House, side: Side, name: str, content: bytes, caption: str) -> None:
    """Let Ann send a file whose caption asks for an echo, and wait for it."""
    side.upload(name, content, f"echo {caption}")
    await side.until(lambda: any(caption in text for text in side.shown()))
    await house.quiet()


@pytest.mark.requirement("S50", "S54", "S55")
async def test_what_somebody_sends_is_seen_heard_and_read(side: Side, tmp_path: Path) -> None:
    async with running(tmp_path, platforms=platforms(side)) as house:
        house.settings = {"agent": {"transcription": {"model": "ears", "base_url": house.model.url, "api_key": "key"}}}
        await house.stop()
        await house.start()
        await known(house, side)
        await sends(house, side, "garden.jpg", picture(3000, 2000), "looked")
        (seen,) = shown(house.prompts()[-1])
        assert seen.size == (1568, 1045)
        await sends(house, side, "note.oga", voices.spoken("water the plants"), "listened")
        assert "| water the plants" in words(house)
        assert any("🎤" in text for text in side.shown()) == (side.platform != "email")  # it would be a letter
        await sends(house, side, "plan.pdf", papers.pdf("seeds in spring"), "read")
        assert "| seeds in spring" in words(house)
        (seen,) = shown(house.prompts()[-1])  # still the one, in a later turn of the same talk
        assert seen.size == (1568, 1045)
        rows = await house.rows("SELECT outside FROM steps WHERE content LIKE '%[attachment:%'")
        assert [row["outside"] for row in rows] == ["an attachment"] * 3


@pytest.mark.requirement("S56")
async def test_who_asked_for_it_gets_the_answer_as_something_to_be_heard_too(side: Side, tmp_path: Path) -> None:
    async with running(tmp_path, platforms=platforms(side)) as house:
        house.settings = {"agent": {"speech": {"model": "mouth", "base_url": house.model.url, "api_key": "key"}}}
        await house.stop()
        await house.start()
        await known(house, side)
        side.say("!voice on")
        await side.until(lambda: any("voice messages as well" in text for text in side.shown()))
        side.say("echo the plants are wet")
        await side.until(lambda: bool(side.files()))
        await house.quiet()
        ((name, content),) = side.files()
        assert name.endswith(".ogg") or side.platform == "telegram"  # where a voice has no name
        assert voices.heard(content) == "the plants are wet"
        assert any("the plants are wet" in text for text in side.shown())
