"""A .env file is read the way people write it, and a bad line is named by number, never by content."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.config.dotenv import parse_env, read_env_file


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("A=1\nB=two words\n", {"A": "1", "B": "two words"}),
        ("export A=1\n  export  B = 2 \n", {"A": "1", "B": "2"}),
        ("A='x $y \"z\" #1'\n", {"A": 'x $y "z" #1'}),
        ('A="a\\nb \\"q\\" \\\\ \\$"\n', {"A": 'a\nb "q" \\ $'}),
        ('A="first\nsecond"\nB=1', {"A": "first\nsecond", "B": "1"}),
        ("A=1 # remark\nB=a#b\n# remark\n\n", {"A": "1", "B": "a#b"}),
        ("A='1' # remark\n", {"A": "1"}),
        ("A=\nB=''\nC=#x\n", {"A": "", "B": "", "C": ""}),
        ("A=1\r\nB='2'\r\n", {"A": "1", "B": "2"}),
        ("A=1\nA=2\n", {"A": "2"}),
        ("A=x=y==\n", {"A": "x=y=="}),
        ("A=123:AB-c_d\n", {"A": "123:AB-c_d"}),
        ("", {}),
    ],
)
def test_values_are_read_as_shells_and_other_programs_mean_them(text: str, values: dict[str, str]) -> None:
    found = parse_env(text)
    assert (found.values, found.problems) == (values, [])


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("A=1\nhush hush\n", 2, "NAME=value"),
        ("A=1\n\n2B=hush\n", 3, "NAME=value"),
        ("A='hush\nB=2\n", 1, "closing quote"),
        ('A=1\nB="hush\n', 2, "closing quote"),
        ("A='hush'hush\n", 1, "after its closing quote"),
    ],
)
def test_a_bad_line_is_named_by_number_and_not_repeated(text: str, line: int, said: str) -> None:
    (problem,) = parse_env(text, "/home/.env").problems
    assert (problem.path, problem.line) == ("/home/.env", line)
    assert said in problem.message
    assert "hush" not in str(problem)


def test_good_lines_after_a_bad_one_still_count() -> None:
    assert parse_env("what\nA=1\n").values == {"A": "1"}


@given(st.text(st.characters(exclude_characters="\r", exclude_categories=["Cs"])))
def test_what_is_quoted_comes_back_as_it_was(value: str) -> None:
    quoted = value.replace("\\", "\\\\").replace('"', '\\"')
    assert parse_env(f'A="{quoted}"\nB=1').values == {"A": value, "B": "1"}


@given(st.text())
def test_no_text_breaks_the_parser(text: str) -> None:
    parse_env(text)


def test_a_missing_file_is_an_empty_one(tmp_path: Path) -> None:
    assert read_env_file(tmp_path / ".env").problems == []


def test_a_byte_order_mark_belongs_to_no_name(tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(b"\xef\xbb\xbfA=1")
    assert read_env_file(tmp_path / ".env").values == {"A": "1"}


@pytest.mark.parametrize("spoil", ["folder", "bytes"])
def test_a_file_that_cannot_be_read_is_a_problem(tmp_path: Path, spoil: str) -> None:
    file = tmp_path / ".env"
    if spoil == "folder":
        file.mkdir()
    else:
        file.write_bytes(b"A=\xff\xfe")
    (problem,) = read_env_file(file).problems
    assert problem.path == str(file)
