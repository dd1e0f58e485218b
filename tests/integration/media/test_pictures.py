"""Pictures on their way to the model: small enough, at most eight a turn, the same bytes in each later request."""

import io
from pathlib import Path

import pytest
from PIL import Image

from playground.model import answers
from tests.harness.house import running
from tests.harness.looks import says
from tests.integration.media.pictures import picture, shown, words


@pytest.mark.requirement("S50")
async def test_a_photo_is_shown_to_the_model_small_enough_and_with_its_caption(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        ann.send_file("photo", picture(4000, 2000), caption="What is this?")
        await ann.wait_for(says("I was shown 1: image/jpeg 1568x784"))
        (seen,) = shown(house.prompts()[-1])
        assert (seen.format, seen.size) == ("JPEG", (1568, 784))
        assert "What is this?" in words(house)
        assert "attachment: photo" in words(house)


@pytest.mark.requirement("S50")
async def test_a_picture_sent_as_a_file_is_shown_upright_and_without_where_it_was_taken(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # lies on its side
    exif[0x010E] = "at home, Elm Street 5"
    made = io.BytesIO()
    Image.new("RGB", (400, 200)).save(made, "JPEG", exif=exif.tobytes())
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        ann.send_file("document", made.getvalue(), name="IMG_1.JPG")
        await ann.wait_for(says("I was shown 1"))
        (seen,) = shown(house.prompts()[-1])
        assert seen.size == (200, 400)
        assert not seen.getexif()


@pytest.mark.requirement("S51", "S2")
async def test_later_requests_begin_with_the_same_bytes_across_turns_and_restarts(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        ann.send_file("photo", picture(), caption="look")
        await ann.wait_for(says("I was shown 1"))
        ann.send("echo and now")
        await ann.answer("and now")
        await house.stop()
        await house.start()
        ann.send("echo again")
        await ann.answer("again")
        first, second, third = (request.raw.removesuffix(b"]}") for request in house.model.requests)
        assert b"image_url" in first
        assert second.startswith(first)
        assert third.startswith(second)
        kept = await house.rows("SELECT pictures FROM steps WHERE pictures <> ''")
        assert len(kept) == 1


@pytest.mark.requirement("S50", "B082")
async def test_of_an_album_of_ten_eight_are_shown_and_the_others_named(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        colours = ["red", "green", "blue", "white", "black", "teal", "pink", "gold", "grey", "navy"]
        bodies = [
            ann.people.file_body("photo", picture(40, 30, colour=one), caption=f"number {n}")
            for n, one in enumerate(colours)
        ]
        ann.people.send_album(ann.user_id, bodies)
        await ann.wait_for(says("I was shown 8"))
        assert len(shown(house.prompts()[-1])) == 8
        assert words(house).count("one turn shows 8 pictures at most") == 2
        assert all(f"number {n}" in words(house) for n in range(10))


@pytest.mark.requirement("S52")
async def test_a_model_without_eyes_gets_name_and_size_and_is_told_and_so_is_the_person(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        model = house.configuration()["agent"]["models"][0] | {"vision": False}
        await house.stop()
        house.settings = {"agent": {"models": [model]}}
        await house.start()
        ann = house.phone("Ann")
        ann.send_file("photo", picture(), caption="echo seen?")
        await ann.wait_for(says("seen?"))
        assert not shown(house.prompts()[-1])
        assert "attachment: photo" in words(house)
        assert "you cannot look at pictures" in words(house)
        assert any("cannot look at pictures" in one.body.text for one in ann.from_bot())


@pytest.mark.requirement("S52", "S23")
async def test_a_server_that_turns_out_to_take_no_pictures_is_asked_without_them(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        refusal = "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj"
        house.model.queue(answers.refused_request(refusal))
        ann = house.phone("Ann")
        ann.send_file("photo", picture(), caption="echo seen?")
        await ann.wait_for(says("seen?"))
        assert not shown(house.prompts()[-1])
        assert "You cannot look at pictures" in words(house)


@pytest.mark.requirement("S53", "B087")
@pytest.mark.parametrize(
    ("content", "why"),
    [(b"\xff\xd8\xff\xe0 none at all", "it cannot be opened"), (picture(9500, 9500, form="PNG"), "80 million pixels")],
)
async def test_what_is_no_picture_or_unpacks_to_too_much_is_named_with_the_reason(
    tmp_path: Path, content: bytes, why: str
) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        ann.send_file("photo", content, caption="echo go on")
        await ann.wait_for(says("go on"))
        assert not shown(house.prompts()[-1])
        assert "attachment: photo" in words(house)
        assert why in words(house)


@pytest.mark.requirement("S51")
async def test_what_a_retry_asks_again_shows_the_picture_again(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        ann.send_file("photo", picture(), caption="look")
        await ann.wait_for(says("I was shown 1"))
        ann.send("/retry")
        await ann.wait_for(says("I was shown 1"))
        await house.quiet()
        assert len(house.model.requests) == 2
        assert len(shown(house.prompts()[-1])) == 1


@pytest.mark.requirement("S50")
async def test_a_picture_that_comes_while_the_agent_works_joins_the_turn(tmp_path: Path) -> None:
    async with running(tmp_path, {"busy": "steer"}) as house:
        ann = house.phone("Ann")
        house.model.queue(answers.hanging("", after=0))
        ann.send("use current_time")
        await house.model.asked(1)
        ann.send_file("photo", picture(), caption="and this?")
        await house.received(2)
        house.model.release()
        await ann.wait_for(says("and this?"))
        assert len(shown(house.prompts()[-1])) == 1
        assert len(await house.rows("SELECT DISTINCT turn FROM steps")) == 1


@pytest.mark.requirement("S51")
async def test_a_picture_stays_as_long_as_its_talk_is_open_and_goes_when_it_is_old(tmp_path: Path) -> None:
    settings = {"retention": {"blobs_days": 1}, "session_reset_policy": {"type": "manual"}}
    async with running(tmp_path, settings) as house:
        ann = house.phone("Ann")
        ann.send_file("photo", picture(), caption="look")
        await ann.wait_for(says("I was shown 1"))
        await house.quiet()
        assert house.app is not None
        house.jump(3 * 86400.0)
        janitor = house.app.keeping.janitor
        await janitor.round()
        ann.send("echo still there?")
        await ann.answer("still there?")
        assert len(shown(house.prompts()[-1])) == 1
        ann.send("/new")
        await house.quiet()
        await janitor.round()
        assert not list((tmp_path / "blobs").glob("??/*"))


@pytest.mark.requirement("S51")
async def test_a_picture_that_is_gone_all_the_same_is_said_to_be_gone(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        ann.send_file("photo", picture(), caption="look")
        await ann.wait_for(says("I was shown 1"))
        for path in (tmp_path / "blobs").glob("??/*"):
            path.unlink()
        ann.send("echo still there?")
        await ann.answer("still there?")
        assert "no longer kept" in words(house)


@pytest.mark.requirement("S50", "S16")
async def test_pictures_that_a_small_model_has_no_room_for_are_left_out_and_the_question_answered(
    tmp_path: Path,
) -> None:
    async with running(tmp_path) as house:
        model = house.configuration()["agent"]["models"][0] | {"context_tokens": 9000}
        await house.stop()
        house.settings = {"agent": {"models": [model]}}
        await house.start()
        ann = house.phone("Ann")
        bodies = [ann.people.file_body("photo", picture(40, 30), caption=f"number {n}") for n in range(4)]
        ann.people.send_album(ann.user_id, bodies)
        await ann.wait_for(says("I was shown 1"), after=0)
        assert "no room for them" in words(house)
        assert all(f"number {n}" in words(house) for n in range(4))
