"""Who is on the playground, and the configuration that lets the daemon meet them."""

from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from playground.page.apps.base import NAMES, App
from playground.page.apps.discord import DiscordApp
from playground.page.apps.slack import SlackApp
from playground.page.apps.telegram import TelegramApp

PEOPLE = {"Ann": "owner", "Bob": "guest"}
MODEL_NAME = "stand-in"
MAIL_NEEDS = ("aiosmtpd", "pymap", "aioimaplib", "aiosmtplib", "selectolax")
OPENS: Sequence[Callable[[Path | None], App]] = (TelegramApp, DiscordApp, SlackApp)


def opened(state: Path | None = None) -> list[App]:
    """Open every app, as it was last time if a directory keeps its state; raises ValueError for what is none."""
    kept = [state / f"{name}.json" if state else None for name in NAMES]
    chats = [opens(path) for opens, path in zip(OPENS, kept, strict=True)]
    return [*chats, *_mail(state)]


def _mail(state: Path | None) -> list[App]:
    """Open the mailbox, where its servers and the daemon's libraries are installed."""
    if not all(find_spec(name) for name in MAIL_NEEDS):
        return []
    from playground.page.apps.email import EmailApp  # noqa: PLC0415  # with the servers

    return [EmailApp(state / "email.json" if state else None)]


def furnish(apps: Sequence[App]) -> None:
    """Bring Ann, Bob and their group into each app; one that was kept stays as it is."""
    for app in apps:
        app.furnish(list(PEOPLE))


def configuration(apps: Sequence[App], model_url: str, *, http_port: int, timezone: str) -> Mapping[str, object]:
    """Write the daemon's whole configuration: emulated platforms only, no secret that means anything elsewhere."""
    # By mail strangers hear nothing, so whoever is there is known from the beginning.
    known = [apps[0], *(app for app in apps if app.name == "email")]
    groups = [group for app in apps if (group := app.group())]
    return {
        "timezone": timezone,
        "agent": {
            "name": "Dragoman",
            "models": [
                {"model": MODEL_NAME, "base_url": model_url, "api_key": "stand-in-key", "context_tokens": 200_000}
            ],
            "transcription": {"model": MODEL_NAME, "base_url": model_url, "api_key": "stand-in-key"},
            "speech": {"model": MODEL_NAME, "base_url": model_url, "api_key": "stand-in-key"},
        },
        "platforms": {app.name: app.configuration() for app in apps},
        "access": {
            "unknown": "pair",
            "people": [
                {"name": name, "role": role, "identities": [app.identity(name) for app in known]}
                for name, role in PEOPLE.items()
            ],
            "groups": [{"conversation": one, "mention": "required", "role": "guest"} for one in groups],
        },
        "http": {"host": "127.0.0.1", "port": http_port},
        "logging": {"level": "info", "format": "json"},
    }
