"""Nothing from outside can steer the terminal, in tables, texts or JSON."""

import json
import time
from datetime import UTC, datetime

import pytest

from gateway.cli import output

EVIL = "a\x1b[2Jb\x07\x9b31m\u202ec\u2066d\ud800\x00 [bold]e[/bold]\nf"


@pytest.mark.requirement("C3.5")
def test_control_characters_and_turned_writing_are_taken_out() -> None:
    assert output.clean(EVIL) == "a[2Jb31mcd [bold]e[/bold]\nf"
    assert output.line(EVIL) == "a[2Jb31mcd [bold]e[/bold] f"
    assert output.line("x" * 300) == "x" * 199 + "…"
    assert output.clean(None) == ""


def test_other_alphabets_and_joined_emoji_stay() -> None:
    text = "日本語 עברית 👩‍👩‍👧 ünï\tcode"
    assert output.clean(text) == text


@pytest.mark.requirement("C3.5")
def test_a_table_shows_markup_as_it_is_written_and_one_row_stays_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    output.print_table(["id", "text"], [[1, EVIL], [2, "x" * 500]])
    shown = capsys.readouterr().out
    assert "[bold]e[/bold] f" in shown
    assert "\x1b" not in shown
    assert "\x9b" not in shown
    assert len(shown.splitlines()) == 3
    assert shown.splitlines()[2].startswith("2   xxx")


@pytest.mark.requirement("C3.5")
def test_json_says_the_same_without_steering(capsys: pytest.CaptureFixture[str]) -> None:
    output.print_json({"text": EVIL, "word": "ünï"})
    shown = capsys.readouterr().out
    assert json.loads(shown) == {"text": EVIL, "word": "ünï"}
    assert output.UNSAFE.search(shown) is None
    assert "ünï" in shown


def test_lengths_of_time_are_in_their_largest_fitting_unit() -> None:
    spans = {0: "0 s", 119: "119 s", 120: "2 min", 7199: "119 min", 7200: "2 h", 2 * 86400: "2 d", -5: "0 s", None: "-"}
    assert {seconds: output.span(seconds) for seconds in spans} == spans
    assert output.ago(time.time() - 30) in {"30 s", "31 s"}
    assert output.ago(None) == "-"


def test_instants_carry_the_day_unless_it_is_today() -> None:
    assert len(output.at(time.time())) == len("12:00:00")
    assert "Jan" in output.at(datetime(2020, 1, 31, 12, tzinfo=UTC).timestamp())
    assert output.at(0) == "-"
