"""What people type: options that may stand anywhere, points in time, words of a later version."""

import io
import time
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
import typer

from gateway.cli import start
from gateway.cli.failing import Stop, code_of
from gateway.cli.screen import PipeScreen, Seen
from gateway.cli.table import COMMANDS, NOT_YET
from gateway.cli.terminal import with_breaks
from gateway.cli.why import instant
from gateway.domain.errors import GiveUp, Misconfigured, StorageTrouble
from gateway.home import HomeBusy, NoHome

ROME = ZoneInfo("Europe/Rome")
NOON = datetime(2026, 6, 15, 12, 0, tzinfo=ROME)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("status --home /h", "--home /h status"),
        ("--config c status --json --home=/h", "--config c --home=/h status --json"),
        ("status --home", "--home status"),
        ("chat -- --home /h", "chat -- --home /h"),
        ("inbox list --limit 5", "inbox list --limit 5"),
    ],
)
def test_home_and_config_may_stand_anywhere(typed: str, meant: str) -> None:
    assert start.hoisted(typed.split()) == meant.split()


@pytest.mark.parametrize(
    ("text", "then"),
    [
        ("11:30", datetime(2026, 6, 15, 11, 30, tzinfo=ROME)),
        ("14:00", datetime(2026, 6, 14, 14, 0, tzinfo=ROME)),
        ("2h", datetime(2026, 6, 15, 10, 0, tzinfo=ROME)),
        ("30 min", datetime(2026, 6, 15, 11, 30, tzinfo=ROME)),
        ("2026-01-31T10:00+01:00", datetime(2026, 1, 31, 10, 0, tzinfo=ROME)),
    ],
)
def test_points_in_time_are_read_as_people_write_them(
    text: str, then: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "Europe/Rome")
    time.tzset()
    try:
        assert instant(text, NOON) == then.timestamp()
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize("text", ["", "noon", "25:00", "2026-13-01", "5 weeks"])
def test_what_is_no_time_is_wrong_use(text: str) -> None:
    with pytest.raises(Stop) as stop:
        instant(text, NOON)
    assert code_of(stop.value) == 2


def test_exit_codes_follow_what_is_to_be_done_next() -> None:
    codes = {
        Misconfigured("x"): 78,
        StorageTrouble("x"): 75,
        HomeBusy(__file__, None): 75,  # type: ignore[arg-type]  # a path
        NoHome("x"): 1,
        GiveUp("x"): 1,
        Stop("x"): 1,
        Stop("x", code=2): 2,
    }
    assert {error: code_of(error) for error in codes} == codes


def names(app: typer.Typer) -> set[str]:
    return set(typer.main.get_command(app).commands)  # type: ignore[attr-defined]  # it is a group


def test_only_the_command_that_was_typed_is_loaded_and_without_one_all_are() -> None:
    later = set(NOT_YET)
    assert names(start.build(["--json", "status"])) == {"status"} | later
    assert names(start.build(["--help"])) == set(COMMANDS) | later


def test_a_pipe_shows_a_message_once_and_only_when_it_is_complete(capsys: pytest.CaptureFixture[str]) -> None:
    screen = PipeScreen()
    for text, draft in (("", True), ("hel", True), ("hello\x1b[2J", False), ("hello\x1b[2J", False), ("hello!", False)):
        screen.show({"event": "edit", "ref": "r", "text": text, "draft": draft})
    screen.show({"event": "delete", "ref": "r"})
    assert capsys.readouterr().out == "hello[2J\nhello!\n"


def test_a_pipe_is_read_line_by_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("one\n\ntwo"))
    screen = PipeScreen()
    assert [screen.read() for _ in range(4)] == ["one", "", "two", None]


def test_what_was_shown_is_remembered_within_bounds() -> None:
    seen = Seen()
    assert all(seen.fresh(str(n), "x") for n in range(2000))
    assert not seen.fresh("1999", "x")
    assert seen.fresh("0", "x")


def test_line_ends_stay_line_ends_but_code_is_left_alone() -> None:
    assert with_breaks("a\nb\n\n```\nx\ny\n```\nc") == "a  \nb  \n\n```\nx\ny\n```  \nc  "
