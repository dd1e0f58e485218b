"""A fresh home, an emulated Telegram and a stand-in model that wants a key."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from playground.model import StandIn
from playground.telegram import Emulator
from tests.integration.cli.conftest import Dragoman, Ended, Pty

KEY = "sk-canary-Zq81hVb0wP3nLs6x"


@dataclass(frozen=True, kw_only=True)
class Desk:
    """Everything that set-up talks to, and the program."""

    dragoman: Dragoman
    telegram: Emulator
    model: StandIn
    keys: Path

    @property
    def home(self) -> Path:
        return self.dragoman.home

    @property
    def env(self) -> str:
        return (self.home / ".env").read_text()

    def secret(self, name: str, value: str) -> str:
        """Write a secret into a file for a flag."""
        path = self.keys / name
        path.write_text(value + "\n")
        return str(path)

    async def setup(self, *more: str, **environment: str) -> Ended:
        """Set everything up without questions."""
        return await self.dragoman(
            *("setup", "--yes", "--provider", "other", "--base-url", self.model.url, "--model", "stand-in"),
            *("--api-key-file", self.secret("key", KEY), "--token-file", self.secret("token", self.telegram.token)),
            *("--telegram-url", self.telegram.url, "--timezone", "Europe/Rome", *more),
            **environment,
        )

    def terminal(self, *words: str, **environment: str) -> Pty:
        return Pty(self.dragoman, *words, **environment)


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    keys = tmp_path / "keys"
    keys.mkdir()
    emulator = Emulator(username="ann_helper_bot", privacy=True)
    await emulator.start()
    async with StandIn(key=KEY, models=["stand-in", "stand-up"]) as model:
        yield Desk(dragoman=Dragoman(tmp_path / "home", model), telegram=emulator, model=model, keys=keys)
    await emulator.stop()
