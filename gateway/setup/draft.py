"""What is being set up: the settings as they stand and change, the secrets beside them, and what was wished for."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from gateway.config.accounts import JsonObject
from gateway.config.jsontext import Document, JsonValue
from gateway.config.references import Resolver
from gateway.domain.errors import DragomanError
from gateway.masking import Masker


class Back(Exception):
    """Whoever is asked wants to see the step before."""


class Missing(DragomanError):
    """Nobody can be asked, and the flag that would tell is not there."""


class Talk(Protocol):
    """Whoever answers questions: a person at a terminal, or nobody."""

    @property
    def asks(self) -> bool:
        """Whether somebody is there."""

    def say(self, text: str = "") -> None:
        """Tell something."""

    def ask(self, question: str, *, default: str = "", flag: str = "") -> str:
        """Ask for a line; raises Back, or Missing where nobody is there and there is no default."""

    def secret(self, question: str, *, flag: str = "") -> str:
        """Ask for a line that is not shown; raises Back or Missing."""

    def choose(self, question: str, choices: Sequence[tuple[str, str]], *, default: str, flag: str = "") -> str:
        """Ask for one of several by its word; raises Back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What the flags say; None: ask, or keep what is there."""

    provider: str | None = None
    model: str | None = None
    base_url: str | None = None
    key: str | None = None
    context_tokens: int | None = None
    ollama_url: str | None = None
    token: str | None = None
    telegram_url: str | None = None
    discord_url: str | None = None
    slack_url: str | None = None
    app_token: str | None = None
    address: str | None = None
    imap: str | None = None
    smtp: str | None = None
    authserv_id: str | None = None
    account: str | None = None
    timezone: str | None = None
    name: str | None = None
    test: bool = True


@dataclass(slots=True, kw_only=True)
class Draft:
    """The two files while they change; nothing is written before the end."""

    home: Path
    settings: JsonObject
    kept: Mapping[str, str]  # what .env holds
    masker: Masker
    secrets: dict[str, str] = field(default_factory=dict)
    links: list[str] = field(default_factory=list)  # of accounts that were tried, for a code at the end

    def section(self, *path: str) -> JsonObject:
        """Give an object of the settings, made where it is missing."""
        node = self.settings
        for step in path:
            inner = node.get(step)
            if not isinstance(inner, dict):
                inner = {}
                node[step] = inner
            node = inner
        return node

    def value(self, text: JsonValue) -> str:
        """Read a text with its secrets filled in, "" where one of them is missing."""
        if not isinstance(text, str):
            return ""
        env = {**self.kept, **os.environ, **self.secrets}
        resolver = Resolver(home=self.home, env=env, document=Document(), skipped=frozenset())
        found = resolver.resolve({"value": text})
        value = found["value"] if isinstance(found, dict) and not resolver.problems else ""
        return self.hide(str(value))

    def known(self, name: str) -> str:
        """Give a secret by the name of its variable, "" where there is none."""
        return self.hide(self.secrets.get(name) or os.environ.get(name) or self.kept.get(name) or "")

    def hide(self, secret: str) -> str:
        """Note a secret, so that nothing shows it any more."""
        self.masker.add([secret])
        return secret

    def keep(self, name: str, secret: str, before: JsonValue) -> str:
        """Keep a secret for .env and give what stands for it in the settings; what the file refers to stays."""
        if isinstance(before, str) and "${" in before and self.value(before) == secret:
            return before
        if isinstance(before, str) and before.startswith("${") and before.endswith("}") and before[2:-1].isidentifier():
            name = before[2:-1]
        elif f"${{{name}}}" in json.dumps(self.settings) and self.known(name) not in ("", secret):
            name = f"{name}_2"  # somebody else refers to the first
        self.secrets[name] = self.hide(secret)
        return f"${{{name}}}"

    def overruled(self) -> list[str]:
        """Name the new secrets that the environment overrules with other values."""
        return [name for name, value in self.secrets.items() if os.environ.get(name, value) != value]
