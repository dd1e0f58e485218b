"""Commands answer in plain words with the exit codes of the contract, with and without a daemon."""

import asyncio
import fcntl
import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from gateway.domain.ids import ConversationKey
from gateway.domain.messages import InboundMessage
from gateway.domain.work import Admitted, Route
from gateway.store import codec, lanes
from gateway.store.sqlite import SqliteDatabase, Work
from tests.integration.cli.conftest import Dragoman, Pty


async def park(home: Path, text: str) -> int:
    """Leave a parked message in the store of a home."""
    db = SqliteDatabase(home / "state.db")
    await db.open()

    def put(work: Work) -> int:
        talk = ConversationKey(platform="telegram", account="1", chat="7", kind="direct")
        message = InboundMessage(key="k", kind="text", conversation=talk, received_at=1.0, text=text)
        body = codec.dump(Admitted(message=message, route=Route(kind="talk", rule="open", lane="user:u1")))
        number = lanes.put(work, "inbox", key="k", lane="user:u1", account="telegram/1", body=body, now=1.0)
        assert number is not None
        lanes.finish(work, [number], state="dead", why="it failed", now=2.0)
        return number

    number = await db.write(put)
    await db.close()
    return number


@pytest.mark.requirement("C1.7", "C1.13")
async def test_run_without_a_configuration_says_what_to_do_and_must_not_be_restarted(dragoman: Dragoman) -> None:
    ended = await dragoman("run")
    assert ended.code == 78
    assert ended.err == (
        f"dragoman: No configuration yet (looked in {dragoman.home}/gateway.json). `dragoman setup` takes two minutes; "
        "`dragoman playground` needs none.\n"
    )
    assert list(dragoman.home.iterdir()) == []


@pytest.mark.requirement("C1.7", "C2.1", "C3.8")
async def test_everything_that_is_wrong_with_the_configuration_is_said_at_once(dragoman: Dragoman) -> None:
    dragoman.configure(busi="steer", timezone="Mars", session_reset_policy={"type": "daily_boundary"})
    for command in ("run", "check"):
        ended = await dragoman(command)
        assert ended.code == 78
        for word in ("busi", "Mars", "timezone"):
            assert word in ended.err
        assert "Traceback" not in ended.err


@pytest.mark.requirement("C2.4", "C3.8")
async def test_check_says_yes_and_lists_what_is_not_built_yet(dragoman: Dragoman) -> None:
    dragoman.configure(agent={"models": [{"model": "m"}], "tools": ["people"]})
    ended = await dragoman("check")
    assert ended.code == 0
    assert "is right" in ended.out
    assert "agent.tools: people" in ended.out
    assert (await dragoman("check", "--json")).json["ok"] is True


@pytest.mark.requirement("C1.7", "C1.11")
async def test_a_second_daemon_is_refused_and_told_who_is_there(dragoman: Dragoman) -> None:
    dragoman.configure()
    async with dragoman.running() as first:
        ended = await dragoman("run")
        assert ended.code == 75
        assert f"process {first.pid} of ann since 20" in ended.err
        assert ended.err.endswith(": dragoman run\n")
        first.send_signal(signal.SIGKILL)
        await first.wait()
        async with dragoman.running():  # the lock died with its holder
            assert (await dragoman("status", "--json")).json["daemon"] is not None


@pytest.mark.requirement("C1.7", "C3.6")
async def test_the_daemon_ends_in_order_on_sigterm_and_on_ctrl_c(dragoman: Dragoman) -> None:
    dragoman.configure()
    for number in (signal.SIGTERM, signal.SIGINT):
        async with dragoman.running() as daemon:
            daemon.send_signal(number)
            async with asyncio.timeout(20):
                assert await daemon.wait() == 0
        assert not (dragoman.home / "control.sock").exists()


@pytest.mark.requirement("C1.12", "C2.4", "C3.1")
async def test_status_goes_over_the_socket_and_without_a_daemon_to_the_store(dragoman: Dragoman) -> None:
    dragoman.configure()
    async with dragoman.running() as daemon:
        state = (await dragoman("status", "--json")).json
        assert state["daemon"]["pid"] == daemon.pid
        assert state["platforms"][0]["name"] == "terminal"
        assert state["not_yet"] == []
        shown = await dragoman("status", "--check")
        assert shown.code == 0, shown.out
        assert f"pid {daemon.pid}" in shown.out
    assert (await dragoman("status", "--json")).json["daemon"] is None
    assert (await dragoman("status")).code == 0
    ended = await dragoman("status", "--check")
    assert ended.code == 1
    assert "the daemon is not running" in ended.out


@pytest.mark.requirement("C1.12", "C3.3", "C3.5")
async def test_parked_rows_are_listed_shown_tried_again_and_dropped(dragoman: Dragoman) -> None:
    number = await park(dragoman.home, "evil \x1b[2J [bold]text[/bold] \u202e")
    listed = await dragoman("inbox", "list")
    assert "evil [2J [bold]text[/bold]" in listed.out
    assert "\x1b" not in listed.out
    assert (await dragoman("inbox", "list", "--json")).json[0]["text"] == "evil \x1b[2J [bold]text[/bold] \u202e"
    shown = await dragoman("inbox", "show", str(number))
    assert "it failed" in shown.out
    assert "\x1b" not in shown.out
    assert (await dragoman("inbox", "retry", str(number))).out == f"inbox row {number} is tried again.\n"
    again = await dragoman("inbox", "retry", str(number))
    assert (again.code, again.out) == (1, "")
    assert "is ready; only dead and unknown" in again.err
    mixed = await dragoman("inbox", "drop", "99", str(number))
    assert mixed.code == 1
    assert mixed.out == f"inbox row {number} is dropped.\n"
    assert "no inbox row 99" in mixed.err
    assert "nothing" in (await dragoman("inbox", "list")).out.lower()


async def test_while_another_process_works_without_a_socket_a_command_gives_up_soon(dragoman: Dragoman) -> None:
    (dragoman.home / "lock").touch(mode=0o600)
    with (dragoman.home / "lock").open("r+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        ended = await dragoman("inbox", "list")
    assert ended.code == 75
    assert "is in use by another process" in ended.err


async def test_options_for_home_and_config_work_in_both_positions(dragoman: Dragoman, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir(mode=0o700)
    for words in (("--home", str(other), "people", "list", "--json"), ("people", "list", "--json", f"--home={other}")):
        ended = await dragoman(*words)
        assert (ended.code, ended.json) == (0, [])
        assert (other / "state.db").exists()
        (other / "state.db").unlink()
    wrong = tmp_path / "wrong.json"
    wrong.write_text("{")
    for words in (("--config", str(wrong), "check"), ("check", "--config", str(wrong))):
        assert str(wrong) in (await dragoman(*words)).err


@pytest.mark.requirement("C1.2")
async def test_a_home_that_is_not_there_is_not_made(dragoman: Dragoman, tmp_path: Path) -> None:
    ended = await dragoman("status", "--home", str(tmp_path / "none"))
    assert ended.code == 1
    assert str(tmp_path / "none") in ended.err
    assert not (tmp_path / "none").exists()


@pytest.mark.requirement("C3.4")
@pytest.mark.parametrize(
    "words",
    [
        ("status",),
        ("why",),
        ("inbox", "list"),
        ("outbox", "list", "--state", "all"),
        ("sessions", "list", "--closed"),
        ("sessions", "search", "words"),
        ("people", "list"),
    ],
)
async def test_every_listing_speaks_json(dragoman: Dragoman, words: tuple[str, ...]) -> None:
    await park(dragoman.home, "text")
    ended = await dragoman(*words, "--json")
    assert ended.code == 0
    assert isinstance(ended.json, dict if words == ("status",) else list)


@pytest.mark.requirement("C1.14")
async def test_colours_are_left_out_where_they_are_not_wanted(dragoman: Dragoman) -> None:
    for wanted in (True, False):
        terminal = Pty(dragoman, "status", **({} if wanted else {"NO_COLOR": "1"}))
        try:
            assert await terminal.ended() == 0
            await terminal.until("inbox")
            assert ("\x1b[1m" in terminal.shown) == wanted
        finally:
            terminal.close()


@pytest.mark.requirement("C1.14")
async def test_completion_is_offered(dragoman: Dragoman) -> None:
    script = await dragoman("--show-completion", "bash")
    assert "_DRAGOMAN_COMPLETE" in script.out, script
    words = await dragoman(_DRAGOMAN_COMPLETE="complete_bash", COMP_WORDS="dragoman st", COMP_CWORD="1")
    assert words.out.split() == ["status"]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("nonsense",), 2),
        (("inbox", "show", "x"), 2),
        (("inbox", "show"), 2),
        (("why", "1", "--last"), 2),
        (("setup",), 2),
        (("setup", "telegram", "--fast"), 2),
        (("people", "erase", "nobody"), 1),
        (("why", "99"), 1),
        (("sessions", "show", "nope"), 1),
        (("sessions", "export", "nope"), 1),
        (("pair", "new", "--role", "king"), 1),
        (("config", "explain", "busi"), 1),
    ],
)
async def test_mistakes_get_a_few_plain_lines(dragoman: Dragoman, words: tuple[str, ...], code: int) -> None:
    ended = await dragoman(*words)
    assert ended.code == code
    assert ended.out == ""
    assert 0 < len(ended.err.strip().splitlines()) <= 4
    assert "Traceback" not in ended.err


async def test_a_fault_of_the_program_is_one_line_and_a_traceback_on_demand(dragoman: Dragoman) -> None:
    (dragoman.home / "state.db").write_bytes(b"this is no database, and longer than a header" * 40)
    ended = await dragoman("inbox", "list")
    assert ended.code == 78
    assert "cannot be read as our database" in ended.err
    fault = "import sys, gateway.cli.client as c; c.ask = lambda *a, **k: 1 / 0; sys.argv[1:] = ['status'];"
    command = [sys.executable, "-c", f"{fault} from gateway.cli import main; sys.exit(main())"]
    plain = await asyncio.to_thread(subprocess.run, command, env=dragoman.environment, capture_output=True, text=True)
    assert plain.returncode == 1
    assert "ZeroDivisionError" in plain.stderr
    assert "Traceback" not in plain.stderr
    full = await asyncio.to_thread(
        subprocess.run, command, env={**dragoman.environment, "DRAGOMAN_DEBUG": "1"}, capture_output=True, text=True
    )
    assert "Traceback" in full.stderr


async def test_config_is_shown_with_its_secrets_masked_and_explained(dragoman: Dragoman) -> None:
    dragoman.configure(platforms={"telegram": {"token": "${TOKEN}"}})
    shown = await dragoman("config", "show", TOKEN="123456:AAAA-secret-AAAAAAAAAAAAAAAAAAAAAAA")
    assert shown.json["busy"] == "steer"
    assert "secret" not in shown.out
    explained = await dragoman("config", "explain", "busy")
    assert '"steer"' in explained.out
    assert json.loads((await dragoman("config", "schema")).out)["title"]


@pytest.mark.requirement("C1.13")
async def test_dragoman_alone_says_where_you_stand_and_what_comes_next(dragoman: Dragoman) -> None:
    assert "Next: `dragoman setup`" in (await dragoman()).out
    (dragoman.home / "gateway.json").write_text("{}")
    assert "Next: `dragoman check`" in (await dragoman()).out
    dragoman.configure()
    assert "Next: `dragoman run`" in (await dragoman()).out
    async with dragoman.running():
        assert "no owner yet" in (await dragoman()).out


async def test_a_code_made_while_the_daemon_runs(dragoman: Dragoman) -> None:
    dragoman.configure()
    async with dragoman.running():
        made = (await dragoman("pair", "new", "--role", "owner", "--json")).json
        assert len(made["code"]) == 9
        assert made["code"] not in (await dragoman("why")).out


@pytest.mark.parametrize(
    ("words", "slow"),
    [
        (["--version"], {"typer", "rich", "asyncio", "pydantic"}),
        (["check"], {"rich", "openai", "aiohttp", "aiosqlite", "gateway.app", "telegram", "markdown_it"}),
    ],
)
def test_the_quick_commands_import_nothing_slow(words: list[str], slow: set[str]) -> None:
    code = f"""
import sys
from gateway.cli import main
sys.argv[1:] = {words!r}
try:
    main()
except SystemExit:
    print()
print({slow!r} & set(sys.modules))
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.splitlines()[-1] == "set()"
