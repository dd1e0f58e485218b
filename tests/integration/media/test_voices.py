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


@pytest.mark.requirement("S54", "S31")
async def test_nobody_listens_for_whom_all_is_spent(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        await house.stop()
        house.settings = hearing(house)
        house.settings["agent"]["budgets"] = {"user": {"messages_per_day": 1}}  # type: ignore[index]
        await house.start()
        ann = house.phone("Ann")
        ann.send("echo first")
        await ann.answer("first")
        await house.quiet()
        ann.send_file("voice", voices.spoken("and another"))
        await house.received(2)
        await house.quiet()
        assert not house.model.audio.requests
        assert not any("🎤" in one.body.text or "could not understand" in one.body.text for one in ann.from_bot())


async def speaking(house: House) -> None:
    """Start the house again, with a service that speaks."""
    await house.stop()
    house.settings = {"agent": {"speech": {"model": "mouth", "base_url": house.model.url, "api_key": "key"}}}
    await house.start()


@pytest.mark.requirement("S56")
async def test_who_asked_for_it_hears_the_answer_after_the_words(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        await speaking(house)
        ann, bob = house.phone("Ann"), house.phone("Bob")
        ann.send("/voice on")
        await ann.wait_for(says("voice messages as well"))
        ann.send("echo **Hello** [there](https://example.org).\n\n```\ncode\n```")
        heard = await ann.wait_for(lambda message: "voice" in message.body.media)
        bob.send("echo quietly")
        await bob.answer("quietly")
        await house.quiet()
        text, voice = ann.from_bot()[-2:]
        assert "Hello" in text.body.text
        assert voice.id == heard.id
        (request,) = house.model.audio.requests
        assert (request.model, request.voice, request.text) == ("mouth", "alloy", "Hello there.")
        assert voices.heard(house.emulator.core.contents[voice.body.media["voice"]["file_id"]]) == "Hello there."
        assert not any("voice" in one.body.media for one in bob.from_bot())
        ann.send("/voice off")
        await ann.wait_for(says("Only written answers"))
        ann.send("echo again")
        await ann.answer("again")
        await house.quiet()
        assert len(house.model.audio.requests) == 1


@pytest.mark.requirement("S56")
@pytest.mark.parametrize("trouble", [answers.refused_key(), answers.out_of_order(), answers.Answer(body="no voice")])
async def test_a_voice_that_cannot_be_had_costs_only_the_voice(tmp_path: Path, trouble: answers.Answer) -> None:
    async with running(tmp_path) as house:
        await speaking(house)
        ann = house.phone("Ann")
        ann.send("/voice on")
        await ann.wait_for(says("voice messages as well"))
        house.model.audio.queue(trouble)
        ann.send("echo words")
        await ann.answer("words")
        await house.quiet()
        assert len(house.model.audio.requests) == 1
        assert not any("voice" in one.body.media for one in ann.from_bot())


@pytest.mark.requirement("S56")
async def test_without_a_voice_nobody_can_ask_for_it(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        ann.send("/voice on")
        await ann.wait_for(says("no voice is set up"))
        ann.send("/voice")
        await ann.wait_for(says("/voice on"))


@pytest.mark.requirement("S56")
async def test_a_group_gets_words_only(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        await speaking(house)
        ann = house.phone("Ann")
        ann.send("/voice on")
        await ann.wait_for(says("voice messages as well"))
        group = house.emulator.people.create_group("Friends", [ann.user_id])
        await house.stop()
        rule = {"conversation": f"telegram:{group.id}", "mention": "free", "role": "user"}
        house.settings = {**house.settings, "access": {"groups": [rule]}}
        await house.start()
        here = ann.within(group.id)
        here.send("echo all together")
        await here.answer("all together")
        await house.quiet()
        assert not house.model.audio.requests
