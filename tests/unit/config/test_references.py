"""Secrets come from their places in order, a missing one is an error that says where it was sought."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import SecretStr

from gateway.config import Config, Problem

Reader = Callable[..., Config]
Complaints = Callable[..., tuple[Problem, ...]]

KEY = {"agent": {"models": [{"model": "m", "api_key": "${KEY}"}]}}


def key_of(config: Config) -> str:
    """Return the model's key as it came out."""
    key = config.agent.models[0].api_key
    assert isinstance(key, SecretStr)
    return key.get_secret_value()


def keyed(text: str) -> dict[str, object]:
    return {"agent": {"models": [{"model": "m", "api_key": text}]}}


@pytest.mark.requirement("C1.4")
def test_the_environment_wins_over_the_file_and_the_file_over_credentials(read: Reader, tmp_path: Path) -> None:
    credentials = tmp_path / "cred"
    credentials.mkdir()
    env = {"CREDENTIALS_DIRECTORY": str(credentials)}
    (credentials / "KEY").write_text("third\n")
    assert key_of(read(KEY, **env)) == "third"
    (tmp_path / ".env").write_text("KEY=second\n")
    assert key_of(read(KEY, **env)) == "second"
    assert key_of(read(KEY, KEY="first", **env)) == "first"


@pytest.mark.requirement("B225")
def test_an_empty_variable_is_passed_over_and_said_to_be_empty(
    read: Reader, complaints: Complaints, tmp_path: Path
) -> None:
    (problem,) = complaints(KEY, KEY="")
    assert "is empty" in problem.message
    (tmp_path / ".env").write_text("KEY=second\n")
    assert key_of(read(KEY, KEY="")) == "second"


@pytest.mark.requirement("C1.4")
def test_a_missing_secret_names_key_variable_line_and_places(complaints: Complaints, tmp_path: Path) -> None:
    (problem,) = complaints(KEY, CREDENTIALS_DIRECTORY="/nowhere")
    assert problem.path == "agent.models[0].api_key"
    assert problem.line == 1
    for part in ("KEY", "the environment", str(tmp_path / ".env"), "/nowhere/KEY"):
        assert part in problem.message


@pytest.mark.requirement("C1.4")
@pytest.mark.parametrize(("content", "value"), [("x\n", "x"), ("x\n\n", "x\n"), ("x\r\n", "x"), ("x", "x")])
def test_a_file_loses_its_last_line_break_and_no_more(read: Reader, tmp_path: Path, content: str, value: str) -> None:
    file = tmp_path / "secret"
    file.write_bytes(content.encode())
    assert key_of(read(keyed(f"${{file:{file}}}"))) == value


@pytest.mark.parametrize("content", [None, b"", b"\n", b"\xff", b"x" * 70_000])
def test_a_file_that_is_no_secret_is_an_error(complaints: Complaints, tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "secret"
    if content is not None:
        file.write_bytes(content)
    (problem,) = complaints(keyed(f"${{file:{file}}}"))
    assert str(file) in problem.message


def test_references_stand_anywhere_in_a_text_and_several_times(read: Reader) -> None:
    assert key_of(read(keyed("${A}-${B}/${A}"), A="1", B="2")) == "1-2/1"


@pytest.mark.requirement("C1.4")
def test_two_dollar_signs_before_a_brace_are_a_literal(read: Reader) -> None:
    assert key_of(read(keyed("$${A} $A $$ ${A}"), A="1")) == "${A} $A $$ 1"


def test_what_a_secret_holds_is_not_read_again(read: Reader) -> None:
    assert key_of(read(keyed("${A}"), A="${B} $${C}")) == "${B} $${C}"


@pytest.mark.parametrize("text", ["${A", "${}", "${a-b}", "${file:rel/path}", "${A:-default}"])
def test_a_malformed_reference_is_an_error_with_a_way_out(complaints: Complaints, text: str) -> None:
    (problem,) = complaints(keyed(text), A="1")
    assert problem.path == "agent.models[0].api_key"
    assert problem.hint


@pytest.mark.requirement("B225")
def test_a_bad_line_of_the_env_file_is_an_error_even_if_nobody_needs_it(complaints: Complaints, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("A=1\nwhat\n")
    (problem,) = complaints({})
    assert (problem.path, problem.line) == (str(tmp_path / ".env"), 2)


@pytest.mark.requirement("B225")
def test_a_number_or_switch_from_the_environment_is_read_as_one(read: Reader) -> None:
    config = read(
        {"http": {"port": "${PORT}"}, "drain_seconds": "${DRAIN}", "delivery": {"streaming": "${LIVE}"}},
        PORT="9000",
        DRAIN="2.5",
        LIVE="false",
    )
    assert (config.http.port, config.drain_seconds, config.delivery.streaming) == (9000, 2.5, False)


@pytest.mark.requirement("B225")
@pytest.mark.parametrize("value", ["abc", "", "1e3", "nan", "9" * 400, "80 80", "0x50"])
def test_a_bad_number_from_the_environment_is_a_clear_error(complaints: Complaints, value: str) -> None:
    (problem,) = complaints({"http": {"port": "${PORT}"}}, PORT=value)
    assert problem.path == "http.port"
    assert "PORT" in problem.message
    assert value not in problem.message or not value


@pytest.mark.requirement("B225")
def test_a_number_from_the_environment_keeps_to_the_same_bounds(complaints: Complaints) -> None:
    (problem,) = complaints({"http": {"port": "${PORT}"}}, PORT="70000")
    assert "at most 65535" in problem.message


@pytest.mark.requirement("C1.5")
@pytest.mark.parametrize(
    "telegram",
    [
        {"enabled": False, "token": "${NOWHERE}"},
        {"enabled": False},
        {"enabled": False, "token": ""},
        {"enabled": False, "accounts": {"main": {"token": "${NOWHERE}"}}},
        {"accounts": {"main": {"enabled": False, "token": "${NOWHERE}", "base_url": "${NOWHERE}"}}},
    ],
)
def test_secrets_of_what_is_switched_off_are_not_looked_up(read: Reader, telegram: object) -> None:
    assert read({"platforms": {"telegram": telegram}}).platforms.telegram == {}


def test_whether_an_account_is_on_is_no_secret(complaints: Complaints) -> None:
    (problem,) = complaints({"platforms": {"telegram": {"enabled": "${ON}", "token": "1:x"}}}, ON="false")
    assert (problem.path, problem.message) == ("platforms.telegram.enabled", 'must be true or false, not "${ON}"')


def test_one_account_is_off_and_the_other_on(read: Reader) -> None:
    accounts = {"a": {"token": "${A}"}, "b": {"enabled": False, "token": "${B}"}}
    assert list(read({"platforms": {"telegram": {"accounts": accounts}}}, A="1:x").platforms.telegram) == ["a"]


def test_keys_of_what_is_switched_off_are_still_checked(complaints: Complaints) -> None:
    (problem,) = complaints({"platforms": {"discord": {"enabled": False, "tokn": "${X}", "token": "${X}"}}})
    assert problem.path == "platforms.discord.tokn"
