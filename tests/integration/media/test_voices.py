"""Voice messages: written down by a service, shown to whoever spoke, answered like any other words."""

from pathlib import Path

import pytest

from playground.model import answers, voices
from tests.harness.house import House, running
from tests.harness.looks import says
from tests.integration.media.pictures import words


def hearing(house: House, **more: object) -> dict[str, object]:
    """Configure the stand-in as what transcribes."""
    return {"agent": {"transcription": {"model": "ears", "base_url": house.model.url, "api_key": "key", **more}}}


async def with_ears(house: House) -> None:
    """Start the house again, with a service that transcribes."""
    await house.stop()
    house.settings = hearing(house)
    await house.start()


@pytest.mark.requirement("S54", "C2.12")
@pytest.mark.parametrize("kind", ["voice", "audio"])
async def test_a_voice_is_written_down_echoed_in_a_quiet_line_and_answered(tmp_path: Path, kind: str) -> None:
    async with running(tmp_path) as house:
        await with_ears(house)
        ann = house.phone("Ann")
        ann.send_file(kind, voices.spoken("Please water the [plants]"), name="note.ogg")
        await ann.wait_for(says("You wrote"))
        await house.quiet()
        echo = next(one for one in ann.from_bot() if "🎤" in one.body.text)
        assert "Please water the [plants]" in echo.body.text
        (call,) = (one for one in house.emulator.calls.listed("sendMessage") if "🎤" in str(one.params))
        assert call.params["disable_notification"] in (True, "true", "True")
        (request,) = house.model.audio.requests
        assert request.model == "ears"
        assert "| Please water the [plants]" in words(house)
        assert "as a machine heard it" in words(house)


@pytest.mark.requirement("S54")
async def test_without_a_service_person_and_model_are_told_that_nobody_listened(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        ann.send_file("voice", voices.spoken("secret"), caption="echo so?")
        await ann.wait_for(says("so?"))
        await house.quiet()
        assert "no transcription is set up" in words(house)
        assert "secret" not in words(house)
        assert any("cannot listen to voice messages" in one.body.text for one in ann.from_bot())


@pytest.mark.requirement("S54", "B087")
@pytest.mark.parametrize("trouble", ["key", "refused", "silence"])
async def test_a_voice_that_cannot_be_understood_is_named_and_the_turn_goes_on(tmp_path: Path, trouble: str) -> None:
    async with running(tmp_path) as house:
        await with_ears(house)
        ann = house.phone("Ann")
        if trouble != "silence":
            house.model.audio.queue({"key": answers.refused_key(), "refused": answers.context_too_long()}[trouble])
        ann.send_file("voice", voices.spoken("" if trouble == "silence" else "hi"), caption="echo so?")
        await ann.wait_for(says("so?"))
        await house.quiet()
        assert "attachment: voice" in words(house)
        assert any("could not understand" in one.body.text for one in ann.from_bot())


@pytest.mark.requirement("S54", "B021")
async def test_a_service_that_is_down_for_a_moment_is_asked_again_also_after_a_restart(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        await with_ears(house)
        ann = house.phone("Ann")
        house.model.audio.queue(answers.out_of_order(), answers.rate_limited(1))
        ann.send_file("voice", voices.spoken("are you there"))
        await house.settled("SELECT 1 FROM items WHERE queue = 'inbox' AND waits > 0")
        await house.stop()
        await house.start()
        await house.pass_time(lambda: any("are you there" in one.body.text for one in ann.from_bot()), step=0.5)
        await house.quiet()
        assert len(house.emulator.calls.listed("getFile")) == 1  # what was fetched stays
        assert len(house.model.audio.requests) == 3
        assert len([one for one in ann.from_bot() if "🎤" in one.body.text]) == 1
        assert not any("could not understand" in one.body.text for one in ann.from_bot())


@pytest.mark.requirement("S54")
async def test_a_service_that_stays_away_costs_a_minute_and_then_the_voice_is_only_named(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        await with_ears(house)
        ann = house.phone("Ann")
        house.model.audio.queue(*[answers.out_of_order()] * 30)
        ann.send_file("voice", voices.spoken("hi"), caption="echo so?")
        await house.pass_time(lambda: any(one.body.text == "so?" for one in ann.from_bot()), step=0.5)
        assert "what transcribes does not answer" in words(house)
