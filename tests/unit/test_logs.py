"""Every line goes through one chain: the right form for its place, the right fields, and no secret."""

import asyncio
import io
import json
import logging
import os
import pty
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import aiohttp
import pytest
import structlog

from gateway.logs import choose_format, configure
from gateway.masking import Masker

ROOT = Path(__file__).parents[2]
CANARY = "canary7Zq-value/+x"
TELEGRAM = "123456789:AAF-abcdefghijklmnopqrstuvwxyz_12345"
Start = Callable[..., io.StringIO]


@pytest.fixture
def start() -> Iterator[Start]:
    """Configure logging into a buffer; put everything back afterwards."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level

    def starting(level: str = "info", fmt: str = "json", **env: str) -> io.StringIO:
        stream = io.StringIO()
        # the test runner's own handlers raise at a library's broken call
        root.handlers.clear()
        configure(level, fmt, stream, Masker([CANARY]), env, cache=False)  # type: ignore[arg-type]
        return stream

    yield starting
    structlog.reset_defaults()
    root.handlers[:] = handlers
    root.setLevel(level)


def lines(stream: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


@pytest.mark.requirement("C9.1")
def test_a_line_carries_event_level_time_and_the_context_it_was_bound_to(start: Start) -> None:
    stream = start()
    with structlog.contextvars.bound_contextvars(platform="telegram", turn="t1"):
        structlog.get_logger().bind(person="u1").info("answered", seconds=0.5)
    (line,) = lines(stream)
    assert str(line.pop("timestamp")).endswith("Z")
    assert line == {
        "level": "info",
        "event": "answered",
        "platform": "telegram",
        "turn": "t1",
        "person": "u1",
        "seconds": 0.5,
    }


@pytest.mark.requirement("C9.1")
def test_lines_of_libraries_have_the_same_fields(start: Start) -> None:
    stream = start()
    with structlog.contextvars.bound_contextvars(platform="telegram"):
        logging.getLogger("somelib.http").warning("retry %d of %s", 1, "three")
    (line,) = lines(stream)
    assert str(line.pop("timestamp")).endswith("Z")
    assert line == {
        "level": "warning",
        "event": "retry 1 of three",
        "logger": "somelib.http",
        "platform": "telegram",
    }


def test_libraries_are_quiet_at_info_and_heard_at_debug_while_our_packages_follow_the_level(start: Start) -> None:
    stream = start()
    logging.getLogger("somelib").info("chatter")
    logging.getLogger("gateway.x").info("ours")
    assert [line["event"] for line in lines(stream)] == ["ours"]
    stream = start("debug")
    logging.getLogger("somelib").debug("detail")
    logging.getLogger("aiosqlite").debug("every statement")
    assert [line["event"] for line in lines(stream)] == ["detail"]


class Loud:
    """Says so when anybody looks at it."""

    seen = False

    def __repr__(self) -> str:
        self.seen = True
        return "loud"


def test_a_call_below_the_level_looks_at_nothing(start: Start) -> None:
    stream, value = start(), Loud()
    structlog.get_logger().debug("text", value=value)
    assert (stream.getvalue(), value.seen) == ("", False)
    structlog.get_logger().info("text", value=value)
    assert value.seen


def test_configured_again_it_speaks_once_and_to_the_new_place(start: Start) -> None:
    old, new = start(), start()
    logging.getLogger("somelib").warning("once")
    structlog.get_logger().info("twice")
    assert old.getvalue() == ""
    assert [line["event"] for line in lines(new)] == ["once", "twice"]


# masking


def everywhere(log: "structlog.stdlib.BoundLogger", level: str) -> None:
    """Put canaries into all places of a line, at one level."""
    say = getattr(log, level)
    say(
        f"event {CANARY}",
        value=CANARY,
        nested={"a": [{"b": (CANARY, CANARY.encode())}]},
        url=f"http://h/bot{TELEGRAM}/x",
    )
    say("header", headers={"Authorization": "Bearer abcdef123456"}, text='{"password": "hunter2hunter2"}')
    say("code", code="ABCD-EFGH", link="https://t.me/b?start=WXYZWXYZ")
    library = logging.getLogger("somelib")
    getattr(library, level)("GET %s -> %r", f"https://h/bot{TELEGRAM}/getMe?token=hunter2hunter2", {"k": CANARY})
    try:
        raise_with(CANARY)
    except ValueError:
        say("failed", exc_info=True)
        getattr(library, level)("failed", exc_info=True)


def raise_with(secret: str) -> None:
    cause = OSError(f"cannot reach http://user:{secret}@host/ with {TELEGRAM}")
    raise ValueError(secret) from cause


@pytest.mark.requirement("C9.2", "B153")
@pytest.mark.parametrize("fmt", ["json", "console", "journal"])
@pytest.mark.parametrize("level", ["debug", "info", "warning", "error", "critical"])
def test_no_secret_gets_into_a_line_at_any_level_in_any_form(start: Start, fmt: str, level: str) -> None:
    stream = start("debug", fmt)
    everywhere(structlog.get_logger(), level)
    text = stream.getvalue()
    for secret in (CANARY, TELEGRAM.split(":")[1], "abcdef123456", "hunter2hunter2", "ABCD-EFGH", "WXYZWXYZ"):
        assert secret not in text
    assert text.count("Traceback") == 2
    assert text.count("OSError: cannot reach") == 2
    assert "somelib" in text
    assert text.count("***") >= 12


@pytest.mark.requirement("C9.2", "B153")
async def test_a_broken_network_shows_no_token_not_even_in_a_librarys_traceback(start: Start) -> None:
    stream = start("debug")
    log = structlog.get_logger()
    async with aiohttp.ClientSession() as session:
        try:
            await session.get(f"http://127.0.0.1:1/bot{TELEGRAM}/getMe")
        except aiohttp.ClientError as error:
            log.exception("no answer", error=error, request=f"/bot{TELEGRAM}/getMe")
        with pytest.raises(aiohttp.InvalidURL) as caught:
            await session.get(f"http:///bot{TELEGRAM}/getMe")
        log.error("bad address", error=caught.value, exc_info=caught.value)
    text = stream.getvalue()
    assert "ClientConnectorError" in text
    assert "InvalidUrl" in text
    assert TELEGRAM.split(":")[1] not in text


@pytest.mark.requirement("C9.2")
async def test_an_error_nobody_awaited_is_masked_too(start: Start) -> None:
    stream = start()

    async def fail() -> None:
        raise RuntimeError(f"secret {CANARY}")

    task = asyncio.create_task(fail(), name=f"fetch {CANARY}")
    await asyncio.wait([task])
    loop = asyncio.get_running_loop()
    loop.call_exception_handler({"message": "lost", "exception": task.exception(), "task": task})
    (line,) = lines(stream)
    assert (line["logger"], line["level"]) == ("asyncio", "error")
    assert "RuntimeError" in str(line["exception"])
    assert CANARY not in stream.getvalue()


@pytest.mark.requirement("C9.2")
def test_a_librarys_broken_log_call_prints_its_arguments_nowhere(
    start: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    stream = start()
    logging.getLogger("somelib").warning("%d items", CANARY)
    assert [line["event"] for line in lines(stream)] == ["%d items"]
    assert capsys.readouterr().err == ""


UNCAUGHT = """
import os, sys, threading
from gateway.logs import configure, log_uncaught
from gateway.masking import Masker
configure("info", "json", sys.stderr, Masker([os.environ["CANARY"]]), {})
log_uncaught()
def fail():
    raise RuntimeError("in a thread " + os.environ["CANARY"])
thread = threading.Thread(target=fail)
thread.start()
thread.join()
class Bad:
    def __del__(self):
        raise RuntimeError("unraisable " + os.environ["CANARY"])
Bad()
raise RuntimeError("at last " + os.environ["CANARY"])
"""


@pytest.mark.requirement("C9.2", "B153")
def test_what_nobody_caught_is_a_masked_line_as_well() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", UNCAUGHT],
        env={**os.environ, "CANARY": CANARY},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )
    said = [json.loads(line) for line in ended.stderr.splitlines()]
    assert ended.returncode == 1
    assert [line["level"] for line in said] == ["critical", "error", "critical"]
    assert all("RuntimeError" in line["exception"] for line in said)
    assert CANARY not in ended.stderr


# forms


@pytest.mark.requirement("C9.1")
def test_the_journal_gets_a_priority_before_every_line_and_pairs_after_it(start: Start) -> None:
    stream = start("debug", "journal")
    log = structlog.get_logger()
    for level, priority in (("debug", 7), ("info", 6), ("warning", 4), ("error", 3), ("critical", 2)):
        getattr(log, level)("it happened", platform="telegram", text='a "b"', empty="")
        line = stream.getvalue().splitlines()[-1]
        assert line.startswith(f'<{priority}>event="it happened" level={level} timestamp=2')
        assert line.endswith(r' platform=telegram text="a \"b\"" empty=""')
    try:
        raise_with("x")
    except ValueError:
        log.exception("failed")
    trace = stream.getvalue().splitlines()[5:]
    assert len(trace) > 5
    assert all(line.startswith("<3>") for line in trace)


@pytest.mark.requirement("C9.1")
def test_auto_is_journal_when_the_stream_leads_there_and_json_elsewhere(tmp_path: Path) -> None:
    with (tmp_path / "journal").open("w") as stream:
        status = os.fstat(stream.fileno())
        assert choose_format(stream, {"JOURNAL_STREAM": f"{status.st_dev}:{status.st_ino}"}) == "journal"
        for other in ("", "1:2", "abc", f"{status.st_dev}:{status.st_ino}0"):
            assert choose_format(stream, {"JOURNAL_STREAM": other}) == "json"
    assert choose_format(io.StringIO(), {"JOURNAL_STREAM": "1:2"}) == "json"


def on_terminal(**env: str) -> str:
    """Log one line to a real terminal, and return what it got."""
    ours, theirs = pty.openpty()
    try:
        with os.fdopen(theirs, "w") as stream:
            configure("info", "auto", stream, Masker([CANARY]), env, cache=False)
            structlog.get_logger().info("answered", person="ann", key=CANARY)
            return os.read(ours, 4096).decode()
    finally:
        os.close(ours)


@pytest.mark.requirement("C9.1")
def test_auto_is_colour_on_a_terminal_unless_no_color_is_set(start: Start) -> None:
    start()
    coloured, plain = on_terminal(), on_terminal(NO_COLOR="1")
    assert "\x1b[32minfo" in coloured
    assert "\x1b" not in plain
    assert plain.rstrip().endswith("Z info     answered person=ann key=***")


@pytest.mark.parametrize("fmt", ["console", "journal"])
def test_text_from_outside_can_neither_forge_a_line_nor_steer_the_terminal(start: Start, fmt: str) -> None:
    stream = start("info", fmt)
    hostile = "x\n<0>event=forged \x1b[2J\x9b31m \u202e \u2028 end"
    structlog.get_logger().info(hostile, name=hostile, nested={"a": hostile}, **{"odd key\n": 1})
    logging.getLogger("somelib").warning("%s", hostile)
    text = stream.getvalue()
    assert len(text.splitlines()) == 2
    assert not [sign for sign in text if sign in "\x1b\x9b\u202e\u2028"]


def test_an_error_with_hostile_text_cannot_either(start: Start) -> None:
    stream = start("info", "journal")
    try:
        raise_with("x\n<0>event=forged\x1b[2J")
    except ValueError:
        structlog.get_logger().exception("failed")
    assert all(line.startswith("<3>") for line in stream.getvalue().split("\n") if line)
    assert "\x1b" not in stream.getvalue()


def test_values_of_any_kind_are_written_in_every_form(start: Start) -> None:
    for fmt in ("json", "console", "journal"):
        stream = start("info", fmt)
        structlog.get_logger().info(
            "x", path=Path("/a"), data=b"\xff", text="\ud800 é 日本", keys={(1, 2): "x", 3: None}
        )
        logging.getLogger("somelib").log(45, {"not": "a text"})
        assert len(stream.getvalue().splitlines()) == 2


# nothing breaks because of a log line


class Broken(io.StringIO):
    """A stream that can't be written to, as a full disk or a closed pipe is."""

    def write(self, _: str, /) -> int:
        raise OSError(28, "No space left on device")


def test_a_line_that_cannot_be_written_is_lost_and_nothing_else(start: Start) -> None:
    start()
    closed = io.StringIO()
    closed.close()
    for stream in (Broken(), closed):
        configure("info", "json", stream, Masker(), {}, cache=False)
        structlog.get_logger().info("x")
        logging.getLogger("somelib").warning("x")


def test_a_stream_of_a_smaller_alphabet_gets_escapes(start: Start) -> None:
    start()
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii")
    configure("info", "json", stream, Masker(), {}, cache=False)
    structlog.get_logger().info("日本")
    assert b"\\u65e5\\u672c" in raw.getvalue()


def test_lines_of_many_threads_stay_whole(start: Start) -> None:
    stream = start()
    log = structlog.get_logger()
    threads = [threading.Thread(target=lambda: [log.info("x" * 500) for _ in range(50)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert len(lines(stream)) == 200
