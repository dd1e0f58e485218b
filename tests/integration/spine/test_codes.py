"""Owner codes: who may use one, how long, how often, and that nothing keeps it."""

import io
import sys
from pathlib import Path

import pytest

from playground.telegram.client import Phone
from tests.harness.house import House, running
from tests.harness.looks import dropped, owner_code, said, says

WRONG = ("AAAA-AAAA", "BBBB-BBBB", "CCCC-CCCC", "DDDD-DDDD", "not a code")


async def owners(house: House) -> list[str]:
    """Name who owns the house."""
    return [row["name"] for row in await house.rows("SELECT name FROM people WHERE role = 'owner'")]


async def ruined(phone: Phone, count: int = 5) -> None:
    """Send so many wrong codes, each after the answer to the one before."""
    for code in WRONG[:count]:
        phone.send(f"/pair {code}")
        await phone.answer("That code is not valid (any more).")


@pytest.mark.requirement("C5.4", "C5.6")
@pytest.mark.parametrize("unknown", ["pair", "ignore", "open"])
@pytest.mark.parametrize("word", ["pair", "start"])
async def test_an_owner_code_works_once_whatever_happens_to_strangers(tmp_path: Path, unknown: str, word: str) -> None:
    async with running(tmp_path, {"access": {"unknown": unknown}}) as house:
        code = await owner_code(house)
        ann, bob = house.phone("Ann"), house.phone("Bob")
        ann.send(f"/{word} {code.lower().replace('-', ' ')}")
        await ann.answer("Welcome, Ann. You are owner now. /help lists what I can do.")
        bob.send(f"/{word} {code}")
        await bob.answer("That code is not valid (any more).")
        assert await owners(house) == ["Ann"]
        ann.send("echo mine")
        await ann.answer("mine")


@pytest.mark.requirement("C5.4")
async def test_an_owner_code_lives_an_hour_and_a_new_one_voids_it(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": {"unknown": "pair"}}) as house:
        ann = house.phone("Ann")
        first, second = await owner_code(house), await owner_code(house)
        ann.send(f"/pair {first}")
        await ann.answer("That code is not valid (any more).")
        house.jump(3601)
        ann.send(f"/pair {second}")
        await ann.answer("That code is not valid (any more).")
        third = await owner_code(house)
        house.jump(3590)
        ann.send(f"/pair {third}")
        await ann.wait_for(says("You are owner now"))


@pytest.mark.requirement("C5.8")
async def test_after_five_wrong_codes_the_right_one_is_refused_for_an_hour(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": {"unknown": "pair"}}) as house:
        ann = house.phone("Ann")
        await ruined(ann, 4)
        house.jump(1800)  # the hour counts from the last wrong code, not from the first
        await ruined(ann, 1)
        code = await owner_code(house)
        house.jump(3500)
        ann.send(f"/pair {code}")
        await ann.answer("Too many wrong codes. Please try again in an hour.")
        house.jump(200)
        code = await owner_code(house)
        ann.send(f"/pair {code}")
        await ann.wait_for(says("You are owner now"))


@pytest.mark.requirement("C5.8")
async def test_the_lock_is_the_accounts_own(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": {"unknown": "pair"}}) as house:
        ann, bob = house.phone("Ann"), house.phone("Bob")
        await ruined(ann)
        code = await owner_code(house)
        ann.send(f"/start {code}")
        await ann.answer("Too many wrong codes. Please try again in an hour.")
        bob.send(f"/start {code}")
        await bob.wait_for(says("You are owner now"))


@pytest.mark.requirement("C5.4")
@pytest.mark.parametrize("text", ["/pair {}", "/start@dragoman_bot {}", "my code is {}, keep it", "{}"])
async def test_a_code_that_a_group_has_seen_is_burnt(tmp_path: Path, text: str) -> None:
    async with running(tmp_path, {"access": {"unknown": "pair"}}) as house:
        ann = house.phone("Ann")
        group = house.emulator.people.create_group("Friends", [ann.user_id])
        code = await owner_code(house)
        ann.within(group.id).send(text.format(code))
        await dropped(house)  # the group is not listed: silence
        ann.send(f"/pair {code}")
        await ann.answer("That code is not valid (any more).")
        assert await owners(house) == []
        (burnt,) = await house.rows("SELECT detail FROM audit WHERE kind = 'code burnt'")
        assert burnt["detail"] == "shown in a group"


@pytest.mark.requirement("C5.7", "C9.2")
async def test_no_code_right_or_wrong_is_written_down_anywhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with running(tmp_path, {"access": {"unknown": "ignore"}}) as house:
        ann = house.phone("Ann")
        await ruined(ann)
        code = await owner_code(house)
        ann.send(f"/pair {code}")  # the right one, and it is still good
        await ann.wait_for(says("Too many"))
        house.jump(3601)
        other = await owner_code(house)
        ann.send(f"/pair {other}")
        await ann.wait_for(says("You are owner now"))
        await house.quiet()
        tried = (code, other, *WRONG[:4])
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    printed = capsys.readouterr()
    for one in tried:
        for form in (one, one.replace("-", "")):
            assert form.encode() not in kept
            assert form not in printed.out + printed.err


@pytest.mark.requirement("C5.7")
async def test_each_outcome_is_an_audit_row(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": {"unknown": "ignore"}}) as house:
        ann = house.phone("Ann")
        await ruined(ann, 1)
        code = await owner_code(house)
        ann.send(f"/pair {code}")
        await ann.wait_for(says("You are owner now"))
        rows = await house.rows("SELECT kind, subject FROM audit WHERE kind LIKE 'code %' ORDER BY id")
        account = f"telegram:{ann.user_id}"
        expected = [("code refused", account), ("code made", "owner"), ("code used", account)]
        assert [(row["kind"], row["subject"]) for row in rows] == expected


@pytest.mark.requirement("C5.4", "C5.9")
async def test_without_an_owner_a_stranger_hears_once_an_hour_how_one_comes(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": {"unknown": "pair"}}) as house:
        house.clock.shift += 3600 - house.clock() % 3600 - 60  # a minute before the hour is full
        ann, bob = house.phone("Ann"), house.phone("Bob")
        for text in ("hello", "anybody there?", "well?"):
            ann.send(text)
        await ann.wait_for(says("dragoman pair new --role owner"), after=0)
        house.jump(120)
        ann.send("now?")
        await house.settled("SELECT 1 FROM drops WHERE rule = 'no owner yet'")
        bob.send("hello")
        await bob.wait_for(says("dragoman pair new --role owner"))
        await house.quiet()
        assert len(said(ann)) == 1
        house.jump(3600)
        ann.send("and now?")
        await ann.wait_for(says("Nobody owns me yet"))
        await house.quiet()
        assert len(said(ann)) == 2
        kept = str([tuple(row) for row in await house.rows("SELECT body FROM items WHERE queue = 'inbox'")])
        assert "anybody there" not in kept  # what a stranger says is not kept


@pytest.mark.requirement("C5.9", "C5.3")
async def test_with_ignore_a_stranger_meets_silence_and_leaves_a_row_without_words(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": {"unknown": "ignore"}}) as house:
        ann = house.phone("Ann")
        ann.send("hello, it is me")
        assert await dropped(house) == ["stranger"]
        await house.quiet()
        assert said(ann) == []
        assert house.model.count == 0
        (row,) = await house.rows("SELECT * FROM drops")
        assert (row["platform"], row["sender"]) == ("telegram", f"telegram:{ann.user_id}")
        assert "it is me" not in str(tuple(row))


@pytest.mark.requirement("C5.9")
async def test_with_open_a_stranger_is_served_at_once_with_the_open_role(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": {"open_role": "guest"}}) as house:
        ann = house.phone("Ann")
        ann.send("echo hello")
        await ann.answer("hello")
        ann.send("/whoami")
        await ann.wait_for(says("with the role guest"))


@pytest.mark.requirement("C5.4")
async def test_a_person_whom_the_configuration_no_longer_names_does_not_keep_others_out(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": {"unknown": "pair"}}) as house:
        ann = house.phone("Ann")
        boss = {"name": "Bob", "role": "owner", "identities": ["telegram:4711"]}
        await house.stop()
        house.settings = {"access": {"unknown": "pair", "people": [boss]}}
        await house.start()
        ann.send("hello")
        await ann.wait_for(says("the owner has been asked"))
        await house.stop()
        house.settings = {"access": {"unknown": "pair"}}
        await house.start()
        ann.send("hello again")
        await ann.wait_for(says("Nobody owns me yet"))


class Screen(io.StringIO):
    """A terminal somebody looks at."""

    def isatty(self) -> bool:
        return True


@pytest.mark.requirement("C5.4")
async def test_a_terminal_shows_code_link_and_picture_and_says_when_it_was_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stdout", screen)
    async with running(tmp_path, {"access": {"unknown": "pair"}}) as house:
        await house.until(lambda: "█" in screen.getvalue())
        shown = screen.getvalue()
        code = shown.split("/pair ")[1].split("`")[0]
        assert f"https://t.me/dragoman_bot?start={code}" in shown
        ann = house.phone("Ann")
        ann.send(f"/start {code}")
        await ann.wait_for(says("You are owner now"))
        await house.until(lambda: "Ann is the owner now." in screen.getvalue())


@pytest.mark.requirement("C5.4")
async def test_the_shown_code_is_renewed_before_it_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stdout", screen)
    async with running(tmp_path) as house:
        await house.until(lambda: "█" in screen.getvalue())
        house.jump(3400)
        assert house.app is not None
        house.app.db.ring("people")
        await house.until(lambda: screen.getvalue().count("/pair ") == 2)
        ann = house.phone("Ann")
        ann.send(f"/pair {screen.getvalue().split('/pair ')[2].split('`')[0]}")
        await ann.wait_for(says("You are owner now"))


@pytest.mark.requirement("C5.4")
async def test_elsewhere_one_line_says_how(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with running(tmp_path) as house:
        await house.until(lambda: house.emulator.calls.counts["getupdates"])
    printed = capsys.readouterr().out
    assert printed.count("no owner yet: run `dragoman pair new --role owner`") == 1
    assert "/pair" not in printed


async def test_an_owner_who_tries_a_code_spends_nothing(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": {"unknown": "pair"}}) as house:
        ann, bob = house.phone("Ann"), house.phone("Bob")
        code = await owner_code(house)
        ann.send(f"/pair {code}")
        await ann.wait_for(says("You are owner now"))
        code = await owner_code(house)
        ann.send(f"/pair {code}")
        await ann.answer("You are owner here already; the code is still unused.")
        bob.send(f"/pair {code}")
        await bob.wait_for(says("You are owner now"))
        await house.received(3)
