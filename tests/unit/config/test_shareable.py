"""A configuration that leaves the home without its secrets: literals go, references and the rest stay."""

import json
from collections.abc import Iterator

from pydantic import BaseModel, SecretStr

from gateway.config.accounts import ACCOUNT_MODELS
from gateway.config.model import Config
from gateway.config.shareable import SECRET_KEYS, without_secrets

CANARY = "canary-0123456789"


def cleaned(value: object) -> tuple[str, tuple[str, ...]]:
    text, found = without_secrets(json.dumps(value).encode())
    return text.decode(), found


def test_literals_become_references_and_references_stay() -> None:
    text, found = cleaned({"platforms": {"telegram": {"token": CANARY}, "slack": {"bot_token": "${SLACK}"}}})
    assert found == ("platforms.telegram.token",)
    assert json.loads(text)["platforms"] == {
        "telegram": {"token": "${PLATFORMS_TELEGRAM_TOKEN}"},
        "slack": {"bot_token": "${SLACK}"},
    }


def test_passwords_in_addresses_and_secret_addresses_go_too() -> None:
    text, found = cleaned(
        {
            "heartbeat": {"url": f"https://hc.example.org/{CANARY}"},
            "platforms": {"telegram": {"proxy": f"http://ann:{CANARY}@proxy:80"}},
            "agent": {"models": [{"model": "m", "api_key": CANARY, "base_url": f"https://x:{CANARY}@h/v1"}]},
        }
    )
    assert CANARY not in text
    assert len(found) == 4
    assert json.loads(text)["agent"]["models"][0]["model"] == "m"


def test_what_is_no_secret_stays_as_it_is() -> None:
    value = {"timezone": "Europe/Rome", "agent": {"name": "Token", "max_steps": 5}, "http": {"port": 1, "token": None}}
    text, found = cleaned(value)
    assert json.loads(text) == value
    assert found == ()


def test_every_secret_of_the_models_is_known_by_its_key() -> None:
    named = {name for model in (Config, *ACCOUNT_MODELS.values()) for name in _secrets(model)}
    assert "api_key" in named
    assert named <= SECRET_KEYS | {"url"}  # the heartbeat's, which is known by its whole path


def _secrets(model: type[BaseModel], seen: frozenset[type] = frozenset()) -> Iterator[str]:
    for name, field in model.model_fields.items():
        kinds = _kinds(field.annotation)
        if SecretStr in kinds:
            yield name
        for kind in kinds:
            if isinstance(kind, type) and issubclass(kind, BaseModel) and kind not in seen:
                yield from _secrets(kind, seen | {model})


def _kinds(annotation: object) -> set[object]:
    inner = getattr(annotation, "__args__", ())
    return {annotation} | {kind for part in inner for kind in _kinds(part)}
