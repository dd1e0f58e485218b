"""A configuration is right as a whole or refused with every reason at once."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gateway.config import Config, ConfigErrors, Problem, load, secret_values, shown
from gateway.domain.errors import Misconfigured

ROOT = Path(__file__).parents[3]
Reader = Callable[..., Config]
Complaints = Callable[..., tuple[Problem, ...]]

# word for word what the contract shows
CONTRACT = """
{
  "timezone": "Europe/Rome",
  "agent": {
    "name": "Dragoman",
    "models": [{"model": "gpt-5-mini", "base_url": "https://api.openai.com/v1", "api_key": "${OPENAI_API_KEY}",
                "context_tokens": 200000, "vision": true}],
    "auxiliary_model": null, "transcription": null,
    "max_concurrent_turns": 64, "max_steps": 50, "model_timeout_seconds": 120, "turn_timeout_seconds": 1800,
    "tools": ["memory", "session_search", "schedule", "send_message", "files", "web"],
    "approvals": {"mode": "manual", "timeout_seconds": 300}
  },
  "platforms": {
    "telegram": {"token": "${TELEGRAM_BOT_TOKEN}", "base_url": "https://api.telegram.org"},
    "discord":  {"token": "${DISCORD_BOT_TOKEN}", "base_url": "https://discord.com/api/v10",
                 "gateway_url": "wss://gateway.discord.gg/"},
    "slack":    {"bot_token": "${SLACK_BOT_TOKEN}", "app_token": "${SLACK_APP_TOKEN}",
                 "base_url": "https://slack.com/api/"},
    "email":    {"address": "bot@example.org",
                 "imap": {"host": "imap.example.org", "port": 993, "security": "tls", "username": "bot",
                          "password": "${MAIL_PASSWORD}"},
                 "smtp": {"host": "smtp.example.org", "port": 587, "security": "starttls", "username": "bot",
                          "password": "${MAIL_PASSWORD}"},
                 "authserv_id": "mx.example.org"}
  },
  "session_reset_policy": {"type": "idle_timeout", "idle_hours": 24},
  "access": {"unknown": "pair", "people": [], "groups": []},
  "busy": "steer",
  "delivery": {"streaming": true, "link_previews": false},
  "cron": {"enabled": true},
  "http": {"host": "127.0.0.1", "port": 8460},
  "storage": "sqlite",
  "logging": {"level": "info", "format": "auto"}
}
"""
SECRETS = {
    "OPENAI_API_KEY": "sk-one",
    "TELEGRAM_BOT_TOKEN": "1:two",
    "DISCORD_BOT_TOKEN": "three",
    "SLACK_BOT_TOKEN": "xoxb-four",
    "SLACK_APP_TOKEN": "xapp-five",
    "MAIL_PASSWORD": "si x",
}


@pytest.mark.requirement("C2.4")
def test_the_contract_is_accepted_as_it_stands(read: Reader) -> None:
    config = read(CONTRACT, **SECRETS)
    assert config.platforms.telegram["main"].token.get_secret_value() == "1:two"
    assert config.platforms.email["main"].authserv_id == ("mx.example.org",)
    assert secret_values(config) == set(SECRETS.values())


@pytest.mark.requirement("C2.4")
def test_what_the_contract_shows_is_what_is_left_out(read: Reader) -> None:
    """The defaults are the contract's: leaving everything out that has one makes no difference."""
    full = json.loads(CONTRACT)
    least = {
        "timezone": "Europe/Rome",
        "agent": {"models": [{"model": "gpt-5-mini", "api_key": "${OPENAI_API_KEY}"}]},
        "platforms": {
            "telegram": {"token": "${TELEGRAM_BOT_TOKEN}"},
            "discord": {"token": "${DISCORD_BOT_TOKEN}"},
            "slack": {"bot_token": "${SLACK_BOT_TOKEN}", "app_token": "${SLACK_APP_TOKEN}"},
            "email": full["platforms"]["email"],
        },
    }
    assert shown(read(least, **SECRETS)) == shown(read(CONTRACT, **SECRETS))


@pytest.mark.requirement("C2.4")
def test_the_numbers_that_the_contract_only_mentions_are_defaults_too(read: Reader) -> None:
    config = read(CONTRACT, **SECRETS)
    mail, discord = config.platforms.email["main"], config.platforms.discord["main"]
    assert (mail.require_authenticated_sender, mail.max_attachment_bytes, mail.max_text_chars) == (
        True,
        25 * 1024 * 1024,
        50_000,
    )
    assert (mail.folder, mail.sweep_seconds, mail.approvals, mail.oauth) == ("INBOX", 120, False, None)
    assert (discord.auto_thread, discord.catch_up_hours, discord.liveness_seconds) == (False, 24, 120)
    assert config.platforms.slack["main"].command == "/dragoman"
    policy = config.session_reset_policy
    assert (policy.at, policy.warn_minutes, policy.notice) == ("04:00", 0, True)
    assert (config.access.open_role, config.drain_seconds) == ("guest", 30)
    assert config.agent.budgets.guest.messages_per_day == 20
    assert config.agent.budgets.user.messages_per_day is None
    assert (config.retention.messages_days, config.retention.blobs_days, config.retention.max_gib) == (None, 90, 5)
    assert config.backups is not None
    assert (config.backups.at, config.backups.keep) == ("03:30", 3)
    assert (config.heartbeat, config.webhooks) == (None, None)


@pytest.mark.requirement("C2.3")
def test_the_example_switches_on_telegram_only(read: Reader) -> None:
    text = (ROOT / "gateway.example.json").read_text(encoding="utf-8")
    config = read(text, OPENAI_API_KEY="sk-one", TELEGRAM_BOT_TOKEN="1:two")
    platforms = config.platforms
    assert list(platforms.telegram) == ["main"]
    assert [platforms.discord, platforms.slack, platforms.email] == [{}, {}, {}]


@pytest.mark.requirement("C2.2")
def test_a_schema_key_is_allowed(read: Reader) -> None:
    assert read({"$schema": "./gateway.schema.json"}).storage == "sqlite"


def test_a_bare_object_is_the_account_main(read: Reader) -> None:
    bare = read({"platforms": {"telegram": {"token": "1:x"}}})
    named = read({"platforms": {"telegram": {"accounts": {"main": {"token": "1:x"}}}}})
    assert bare == named
    two = read({"platforms": {"telegram": {"accounts": {"main": {"token": "1:x"}, "work": {"token": "2:y"}}}}})
    assert list(two.platforms.telegram) == ["main", "work"]


def test_a_configuration_cannot_be_changed(read: Reader) -> None:
    with pytest.raises(ValueError, match="frozen"):
        read({}).agent.name = "x"  # type: ignore[misc]


@pytest.mark.requirement("B222", "C2.1")
def test_all_errors_come_at_once_in_the_order_of_the_file(complaints: Complaints) -> None:
    text = """{
      "timezone": "Europe/Rmoe",
      "agent": {"models": [{"model": 5, "api_key": "${NOPE}"}]},
      // a remark
      "platforms": {"telegram": {}},
      "busy": "ster",
      "htpp": {"port": 1}
    }"""
    found = complaints(text)
    assert [(problem.line, problem.path) for problem in found] == [
        (2, "timezone"),
        (3, "agent.models[0].api_key"),
        (3, "agent.models[0].model"),
        (4, ""),
        (5, "platforms.telegram.token"),
        (6, "busy"),
        (7, "htpp"),
    ]
    assert all(problem.message for problem in found)


@pytest.mark.requirement("B222")
@pytest.mark.parametrize("text", ["", "[]", "null", '"x"', "agent:\n  models: []", '{"agent": {"models": [}'])
def test_a_file_that_is_no_configuration_is_refused_with_a_line(complaints: Complaints, text: str) -> None:
    assert complaints(text)[0].line


@pytest.mark.requirement("B222")
def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b'{\n"timezone": "\xe9"}')
    (tmp_path / "large").write_bytes(b" " * 1_100_000)
    for name, said in (("missing", "No such file"), ("", "directory"), ("latin", "UTF-8"), ("large", "1 MiB")):
        with pytest.raises(ConfigErrors, match=said):
            load(tmp_path / name, tmp_path, {})


def test_the_refusal_is_one_that_no_restart_mends(complaints: Complaints) -> None:
    assert issubclass(ConfigErrors, Misconfigured)
    text = str(ConfigErrors(complaints({"busy": "ster"}), Path("/etc/dragoman/gateway.json")))
    assert text.startswith("1 problem in /etc/dragoman/gateway.json:\n  busy (line 1): must be one of ")
    assert text.endswith('not "ster"; did you mean "steer"?')


@pytest.mark.requirement("C2.1", "B153")
def test_no_secret_gets_into_an_error_whatever_is_wrong_with_it(complaints: Complaints) -> None:
    canary = "canary-7Zq-value"
    telegram = "123456:" + "Ab1_" * 9
    content = {
        "timezone": "${CANARY}",
        "agent": {"models": [{"model": "m", "api_kye": canary, "base_url": f"ftp://u:{canary}@h/"}], "name": 5},
        "platforms": {
            "telegram": {"token": f"{canary} {canary}", "tokens": canary, "note": canary},
            "discord": {"token": [canary], "proxy": f"http:// u:{canary}@h"},
            "slack": {"bot_token": {"value": canary}, "app_token": 5, "x": canary},
        },
        "heartbeat": {"url": "${CANARY}", "every_seconds": "${CANARY}"},
        "logging": {"level": telegram, "format": "${CANARY}"},
        "access": {"people": [{"name": "A", "timezone": "${CANARY}", "identities": ["${CANARY}"]}]},
        "cron": "${CANARY}",
        "storage": "${CANARY}",
    }
    found = complaints(content, CANARY=canary)
    assert len(found) >= 17
    said = str(ConfigErrors(found)) + repr(found)
    assert canary not in said
    assert telegram not in said


@pytest.mark.requirement("C9.2", "B153")
def test_a_configuration_can_be_shown_and_printed_without_its_secrets(read: Reader) -> None:
    config = read(
        {
            "agent": {"models": [{"model": "m", "api_key": "canary-1"}]},
            "platforms": {"telegram": {"token": "1:canary-2", "proxy": "http://u:canary-3@h:1"}},
            "http": {"token": "canary-4"},
        }
    )
    assert secret_values(config) == {"canary-1", "1:canary-2", "canary-3", "canary-4"}
    assert "canary" not in json.dumps(shown(config))
    assert "canary-1" not in repr(config)


def test_reading_a_configuration_needs_no_library_but_pydantic() -> None:
    """The start is measured: what a platform or the command line needs must not come in through this door."""
    heavy = "structlog rich typer aiohttp openai aiosqlite apscheduler telegram discord slack_bolt sqlite3"
    script = f"import sys, gateway.config, gateway.home; print([m for m in {heavy.split()} if m in sys.modules])"
    ended = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "[]"
