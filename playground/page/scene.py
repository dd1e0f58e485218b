"""Who is on the playground, and the configuration that lets the daemon meet them."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from playground.page.apps.base import NAMES, App
from playground.page.apps.discord import DiscordApp
from playground.page.apps.slack import SlackApp
from playground.page.apps.telegram import TelegramApp

PEOPLE = {"Ann": "owner", "Bob": "guest"}
MODEL_NAME = "stand-in"
OPENS: Sequence[Callable[[Path | None], App]] = (TelegramApp, DiscordApp, SlackApp)


def opened(state: Path | None = None) -> list[App]:
    """Open every app, as it was last time if a directory keeps its state; raises ValueError for what is none."""
    kept = [state / f"{name}.json" if state else None for name in NAMES]
    return [opens(path) for opens, path in zip(OPENS, kept, strict=True)]


def furnish(apps: Sequence[App]) -> None:
    """Bring Ann, Bob and their group into each app; one that was kept stays as it is."""
    for app in apps:
        app.furnish(list(PEOPLE))


def configuration(apps: Sequence[App], model_url: str, *, http_port: int, timezone: str) -> Mapping[str, object]:
    """Write the daemon's whole configuration: emulated platforms only, no secret that means anything elsewhere."""
    home = apps[0]
    return {
        "timezone": timezone,
        "agent": {
            "name": "Dragoman",
            "models": [
                {"model": MODEL_NAME, "base_url": model_url, "api_key": "stand-in-key", "context_tokens": 200_000}
            ],
        },
        "platforms": {app.name: app.configuration() for app in apps},
        "access": {
            "unknown": "pair",
            "people": [
                {"name": name, "role": role, "identities": [home.identity(name)]} for name, role in PEOPLE.items()
            ],
            "groups": [{"conversation": app.group(), "mention": "required", "role": "guest"} for app in apps],
        },
        "http": {"host": "127.0.0.1", "port": http_port},
        "logging": {"level": "info", "format": "json"},
    }
