"""Talking from a terminal or a pipe: answered once, in order, whatever happens to the daemon meanwhile."""

import asyncio
import json
import os

import pytest

from playground.model import Answer, Pace, text
from tests.integration.cli.conftest import BOUND, PROGRAM, Dragoman, Pty


def slowly(words: str, pace: Pace) -> Answer:
    """Make the stand-in take its time, one word a chunk."""
    chunks = tuple(f"{word} " for word in words.split())
    return Answer(chunks=(*chunks[:-1], chunks[-1].rstrip()), pace=pace)


async def claim(dragoman: Dragoman) -> None:
    """Make Ann the owner, as the terminal does when it is asked."""
    reader, writer = await asyncio.open_unix_connection(dragoman.home / "control.sock")
    writer.write(json.dumps({"op": "owner.claim", "args": {"name": "ann"}}).encode() + b"\n")
    assert json.loads(await reader.readline())["ok"] is True
    writer.close()


@pytest.mark.requirement("C3.7")
async def test_lines_from_a_pipe_are_answered_one_after_the_other(dragoman: Dragoman) -> None:
    dragoman.configure()
    dragoman.model.when("one", text("first *answer*"))
    dragoman.model.when("two", text("second"))
    async with dragoman.running():
        await claim(dragoman)
        ended = await dragoman("chat", says="one\n\ntwo\n/whoami")
        assert (ended.code, ended.err) == (0, "")
        lines = ended.out.splitlines()
        assert lines[:2] == ["first *answer*", "second"]
        assert "ann" in lines[2]
        assert "owner" in lines[2]


async def test_without_a_daemon_a_chat_is_its_own_house_and_leaves_the_home_free(dragoman: Dragoman) -> None:
    dragoman.configure()
    dragoman.model.when("hello", text("hello yourself"))
    async with dragoman.running():
        await claim(dragoman)
    ended = await dragoman("chat", says="hello\n")
    assert (ended.code, ended.out, ended.err) == (0, "hello yourself\n", "")
    assert not (dragoman.home / "control.sock").exists()
    assert (await dragoman("status", "--json")).json["daemon"] is None


async def test_a_pipe_on_a_home_without_owner_is_told_how_to_get_one(dragoman: Dragoman) -> None:
    dragoman.configure()
    ended = await dragoman("chat", says="hello\n")
    assert ended.code == 1
    assert "no owner yet" in ended.err


@pytest.mark.requirement("B055", "C3.7")
async def test_a_killed_daemon_answers_after_its_restart_exactly_once(dragoman: Dragoman) -> None:
    dragoman.configure()
    dragoman.model.when("hello", slowly("a b c d e f g h", Pace(between=0.2, chunks=8)))
    async with dragoman.running() as daemon:
        await claim(dragoman)
        chat = await dragoman.start("chat")
        assert chat.stdin is not None
        assert chat.stderr is not None
        chat.stdin.write(b"hello\n")
        chat.stdin.close()
        async with asyncio.timeout(BOUND):
            await dragoman.model.asked(1)
            daemon.kill()
            await daemon.wait()
            assert b"the daemon is away" in await chat.stderr.readline()
    async with dragoman.running():
        async with asyncio.timeout(BOUND):
            out, err = await chat.communicate()
        assert (chat.returncode, out) == (0, b"a b c d e f g h\n")
        assert b"the daemon is back" in err
        sent = (await dragoman("inbox", "list", "--state", "all", "--json")).json
        assert [row["state"] for row in sent] == ["done"]


async def test_an_answer_that_came_while_nobody_looked_is_shown_next_time(dragoman: Dragoman) -> None:
    dragoman.configure()
    dragoman.model.when("hello", slowly("late", Pace(first=1.0)))
    async with dragoman.running():
        await claim(dragoman)
        chat = await dragoman.start("chat")
        assert chat.stdin is not None
        chat.stdin.write(b"hello\n")
        async with asyncio.timeout(BOUND):
            await dragoman.model.asked(1)
            chat.kill()
            await chat.communicate()
        dragoman.model.when("again", text("now"))
        ended = await dragoman("chat", says="again\n")
        assert ended.out.splitlines()[-2:] == ["late", "now"]


@pytest.mark.requirement("C3.3")
async def test_a_message_that_was_given_up_is_answered_when_it_is_tried_again_by_hand(dragoman: Dragoman) -> None:
    dragoman.configure()
    refusal = json.dumps({"error": {"message": "no", "type": "invalid_request_error", "code": "content_policy"}})
    dragoman.model.when("hello", text("hello yourself"))
    dragoman.model.when("hello", Answer(status=400, body=refusal), times=1)
    async with dragoman.running():
        await claim(dragoman)
        apology = await dragoman("chat", says="hello\n")
        assert apology.out.startswith("Sorry")
        (row,) = (await dragoman("inbox", "list", "--json")).json
        assert row["state"] == "dead"
        assert (await dragoman("status", "--check")).code == 1
        assert (await dragoman("inbox", "retry", str(row["id"]))).code == 0
        answer = await dragoman("chat", says="/whoami\n")
        assert answer.out.splitlines()[0] == "hello yourself"
        assert (await dragoman("status", "--check")).code == 0
        (life,) = (await dragoman("why", str(row["id"]), "--json")).json
        said = {delivery["text"]: delivery["posted_as"] for delivery in life["deliveries"]}
        assert list(said) == [apology.out.strip(), "hello yourself"]
        assert len(set(said.values())) == 2  # the apology stays what it was


async def test_a_pipe_gives_up_waiting_in_the_end_and_the_message_is_kept(dragoman: Dragoman) -> None:
    dragoman.configure()
    dragoman.model.when("hello", slowly("never", Pace(first=60)))
    async with dragoman.running():
        await claim(dragoman)
        ended = await dragoman("chat", "--wait", "0.5", says="hello\n")
        assert ended.code == 1
        assert "the message is kept" in ended.err
        assert (await dragoman("why", "--json")).json[0]["state"] == "ready"


async def test_a_pipe_that_nobody_reads_ends_the_talk(dragoman: Dragoman) -> None:
    dragoman.configure()
    dragoman.model.when("hello", text("hello yourself"))
    async with dragoman.running():
        await claim(dragoman)
        reading, writing = os.pipe()
        os.close(reading)
        chat = await asyncio.create_subprocess_exec(
            *PROGRAM,
            "chat",
            stdin=asyncio.subprocess.PIPE,
            stdout=writing,
            stderr=asyncio.subprocess.PIPE,
            env=dragoman.environment,
        )
        os.close(writing)
        async with asyncio.timeout(BOUND):
            _, err = await chat.communicate(b"hello\n")
        assert (chat.returncode, err) == (1, b"dragoman: nobody reads the answers any more\n")


async def test_a_bad_byte_in_a_pipe_is_only_a_bad_byte(dragoman: Dragoman) -> None:
    dragoman.configure()
    async with dragoman.running():
        await claim(dragoman)
        chat = await dragoman.start("chat", PYTHONUTF8="1")
        async with asyncio.timeout(BOUND):
            out, err = await chat.communicate(b"echo caf\xe9\n")
        assert (chat.returncode, err) == (0, b"")
        assert "caf" in out.decode()


async def test_speaking_as_somebody_else_we_know_and_nobody_else(dragoman: Dragoman) -> None:
    dragoman.configure(access={"people": [{"name": "Bob", "role": "guest", "identities": ["telegram:5"]}]})
    async with dragoman.running():
        await claim(dragoman)
        bob = await dragoman("chat", "--as", "bob", says="/whoami\n")
        assert "Bob" in bob.out
        assert "guest" in bob.out
        eve = await dragoman("chat", "--as", "eve", says="hello\n")
        assert eve.code == 1
        assert "nobody called 'eve'" in eve.err


@pytest.mark.requirement("C5.5")
async def test_on_a_terminal_the_first_one_becomes_the_owner_and_sees_answers_grow(dragoman: Dragoman) -> None:
    dragoman.configure()
    dragoman.model.when("hello", slowly("one two three four", Pace(between=0.4, chunks=4)))
    async with dragoman.running():
        terminal = Pty(dragoman, "chat")
        try:
            await terminal.until("Shall ann be the owner? [Y/n]")
            terminal.type("y\r")
            at = await terminal.until("> ")
            terminal.type("hello\r")
            at = await terminal.until("one", at)
            assert "one two three four" not in terminal.shown
            at = await terminal.until("one two three four", at)
            at = await terminal.until("\n> ", at)
            terminal.type("/whoami\r")
            at = await terminal.until("\n> ", at)
            assert "owner" in terminal.shown
            terminal.type("\x04")
            assert await terminal.ended() == 0
        finally:
            terminal.close()


@pytest.mark.requirement("C3.6")
async def test_ctrl_c_leaves_a_running_answer_alone_and_then_the_talk(dragoman: Dragoman) -> None:
    dragoman.configure()
    dragoman.model.when("hello", slowly("finally", Pace(first=1.5)))
    async with dragoman.running():
        await claim(dragoman)
        terminal = Pty(dragoman, "chat")
        try:
            at = await terminal.until("> ")
            terminal.type("hello\r")
            async with asyncio.timeout(BOUND):
                await dragoman.model.asked(1)
            terminal.type("\x03")
            at = await terminal.until("/stop ends it", at)
            at = await terminal.until("> ", at)
            await terminal.until("finally", at)
            terminal.type("\x03")
            assert await terminal.ended() == 0
            assert "Traceback" not in terminal.shown
        finally:
            terminal.close()
