"""What the page makes of the daemon's rows and log lines, and of a daemon that isn't there."""

import asyncio
import json
from pathlib import Path

import pytest

from playground.page.board import Board
from playground.page.control import Control, Unreachable
from playground.page.loglines import LONGEST_LINE, read_lines, readable
from playground.page.rows import LONGEST_TEXT, tables
from playground.page.watch import Watch
from tests.integration.playground_page.conftest import Stage


def test_rows_come_newest_first_and_short() -> None:
    rows = [{"id": number, "state": "done", "text": "x" * 1_000} for number in (1, 3, 2)]
    shown = tables({"inbox": rows, "outbox": None, "lanes": []})
    inbox = shown["inbox"]
    assert isinstance(inbox, list)
    assert [row["id"] for row in inbox] == [3, 2, 1]
    assert {len(row["text"]) for row in inbox} == {LONGEST_TEXT}
    assert shown["outbox"] == shown["steps"] == shown["leased"] == []


def test_a_step_names_the_tools_it_calls() -> None:
    calls = json.dumps([["call_1", "current_time", '{"zone": "UTC"}']])
    shown = tables({"steps": [{"seq": 4, "role": "assistant", "content": "", "calls": calls}]})
    assert [row["text"] for row in shown["steps"]] == ['current_time({"zone": "UTC"})']  # type: ignore[attr-defined]


def test_only_lanes_with_an_owner_are_being_worked() -> None:
    lanes = [{"queue": "inbox", "lane": "user:1", "owner": "boot"}, {"queue": "outbox", "lane": "a", "owner": None}]
    assert tables({"lanes": lanes})["leased"] == ["inbox/user:1"]


def test_a_json_line_of_the_log_becomes_readable() -> None:
    line = '{"timestamp": "2026-11-30T21:57:11.990123Z", "level": "warning", "event": "slow", "took": 1.23456}'
    assert readable(line) == ("warning", "21:57:11.990  warning  slow  took=1.235")


def test_any_other_line_stays_without_what_a_terminal_would_obey() -> None:
    assert readable("\x1b[31mred\x1b[0m \x07bell\r\n") == ("info", "red bell")
    assert readable('{"not": "a log line"}') == ("info", '{"not": "a log line"}')
    assert readable("[1") == ("info", "[1")


async def test_a_line_without_end_is_cut_and_the_last_one_is_heard() -> None:
    stream = asyncio.StreamReader()
    stream.feed_data(b"first\n" + b"y" * 200_000 + b"\nlast")
    stream.feed_eof()
    heard: list[str] = []
    await read_lines(stream, lambda _, text: heard.append(text))
    assert heard[0] == "first"
    assert heard[-1] == "last"
    assert max(map(len, heard)) == LONGEST_LINE


async def answering(place: Path, answer: bytes) -> asyncio.Server:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(answer)
        writer.close()

    return await asyncio.start_unix_server(serve, str(place))


@pytest.mark.parametrize("answer", [b"", b"{\n", b"[]\n", b'{"ok": false, "error": "no"}\n', b'{"ok": true'])
async def test_whatever_the_daemon_says_wrongly_means_that_it_is_not_there(tmp_path: Path, answer: bytes) -> None:
    place = tmp_path / "s"
    async with await answering(place, answer):
        with pytest.raises(Unreachable):
            await Control(lambda: [place]).ask("status")


async def test_a_daemon_that_cannot_be_asked_leaves_the_last_known_rows(stage: Stage, tmp_path: Path) -> None:
    place = tmp_path / "s"
    watch = Watch(Control(lambda: [place]), stage.board, stage.trouble)
    async with await answering(place, b'{"ok": true, "result": {"inbox": [{"id": 7, "state": "ready"}]}}\n'):
        await watch.look()
    known = stage.board.values["rows"]
    assert known["inbox"]
    assert stage.board.values["blind"] == {"why": ""}
    place.unlink(missing_ok=True)
    await watch.look()
    assert stage.board.values["rows"] == known
    assert stage.board.values["blind"]["why"]


async def test_the_daemon_is_ready_when_the_child_itself_answers(tmp_path: Path) -> None:
    place = tmp_path / "s"
    watch = Watch(Control(lambda: [place]), Board(), None)  # type: ignore[arg-type]
    assert not await watch.ready(1)
    async with await answering(place, b'{"ok": true, "result": {"daemon": {"pid": 41}}}\n'):
        assert await watch.ready(41)
        assert not await watch.ready(42)
