"""A canary in every secret field of the configuration: where one is seen, a secret would have been seen."""

import json
import secrets
from base64 import b64encode
from collections.abc import Iterator, Mapping
from urllib.parse import quote, quote_plus

from tests.harness.house import Json


class Canaries:
    """Makes them, by the name of their field, and looks for them."""

    def __init__(self) -> None:
        self.made: dict[str, str] = {}

    def new(self, field: str, shape: str = "{}") -> str:
        """Make one in the shape that its field takes."""
        self.made[field] = shape.format(f"Canary{secrets.token_hex(9)}")
        return self.made[field]

    def seen(self, text: str) -> list[str]:
        """Name those that stand in a text, however they are written."""
        return [field for field, one in self.made.items() if any(spelt in text for spelt in _spellings(one))]


def _spellings(secret: str) -> Iterator[str]:
    yield from (secret, quote(secret, safe=""), quote_plus(secret), json.dumps(secret)[1:-1])
    yield b64encode(secret.encode()).decode().rstrip("=")[:-2]
    if len(half := secret.partition(":")[2]) >= 16:
        yield half


def everywhere(canaries: Canaries) -> Json:
    """Write a configuration that has every secret there is; a test compares its fields with the models."""
    new = canaries.new
    proxy = f"http://user:{new('proxy')}@proxy.example.org:3128"
    server = {"host": "mail.example.org", "username": "bot"}
    mail = {"address": "bot@example.org", "smtp": server | {"password": new("smtp.password")}, "authserv_id": "mx"}
    token = {"token_url": "https://oauth.example.org/t", "client_id": "me"}
    return {
        "agent": {
            "models": [
                {"model": "a", "base_url": "https://a.example.org/v1", "api_key": new("api_key", "sk-{}")},
                {
                    "model": "b",
                    "base_url": f"https://u:{new('base_url')}@b.example.org",
                    "api_key": new("api_key.2"),
                },
            ],
            "transcription": {"base_url": "https://t.example.org", "model": "t", "api_key": new("transcription")},
            "speech": {"base_url": "https://s.example.org", "model": "s", "api_key": new("speech")},
        },
        "platforms": {
            "telegram": {
                "token": new("telegram.token", "7000000001:AAbbccddeeff{}"),
                "proxy": proxy,
                "webhook": {"secret": new("webhook.secret")},
            },
            "discord": {"token": new("discord.token", "MTAw{0}.GabcdE.{0}xyz"), "proxy": proxy},
            "slack": {"bot_token": new("bot_token", "xoxb-1-{}"), "app_token": new("app_token", "xapp-1-{}")},
            "email": {
                "accounts": {
                    "main": mail | {"imap": server | {"password": new("imap.password")}},
                    "work": mail
                    | {
                        "imap": server,
                        "oauth": token | {"client_secret": new("client_secret"), "refresh_token": new("refresh_token")},
                    },
                    "home": mail | {"imap": server, "oauth": {"command": f"/bin/token {new('command')}"}},
                }
            },
        },
        "http": {"token": new("http.token")},
        "heartbeat": {"url": f"https://hc.example.org/ping/{new('heartbeat')}"},
        "webhooks": {"public_url": "https://hooks.example.org"},
    }


def spoiled(settings: Mapping[str, object], canary: str) -> Iterator[Json]:
    """Give the configuration with the value of one canary made wrong, one way after the other."""
    text = json.dumps(settings)
    for wrong in (f"{canary} with a space", f"{canary}\\u0000", f"{canary}\\n"):
        yield json.loads(text.replace(canary, wrong))
    yield json.loads(text.replace(json.dumps(canary), f"[{json.dumps(canary)}]"))
    yield json.loads(text.replace(json.dumps(canary), f'{{"{canary}": 1}}'))
