"""Accounts become adapters: a table from each platform to the function that reads its settings.

Promise: the modules it names are imported only when such an account is on, so a platform that is off costs nothing.
"""

import importlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from gateway.config import Config
from gateway.config.pending import accounts
from gateway.config.platform import Account
from gateway.domain.ids import BlobId
from gateway.domain.ports import Adapter, Clock, Hooks

ACCOUNTS = {
    "discord": "gateway.accounts.discord:adapter",
    "slack": "gateway.accounts.slack:adapter",
    "email": "gateway.accounts.email:adapter",
    "telegram": "gateway.accounts.telegram:adapter",
}
# What the agent is told of each platform.
HINTS = {
    "discord": "short paragraphs; bold, italic, links, lists, quotes and code are shown, tables as monospaced text.",
    "slack": "short paragraphs; bold, italic, links, lists, quotes and code are shown, tables as monospaced text.",
    "email": "a letter: greet and sign off only if the sender does; CommonMark becomes HTML; one complete answer.",
    "telegram": "short paragraphs; bold, italic, links, lists, quotes and code are shown, tables as monospaced text.",
    "terminal": "plain text in a terminal, CommonMark is shown as it is written.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What every adapter is given beside the settings of its account; `name` is the account's in the configuration."""

    name: str
    config: Config
    blobs: Callable[[BlobId], Path]
    clock: Clock
    hooks: Hooks


Make = Callable[[Account, Given], Adapter]


def line_name(platform: str, account: str) -> str:
    """Name an account for people: `telegram`, `telegram.work`."""
    return platform if account == "main" else f"{platform}.{account}"


def switched_on(config: Config) -> Iterator[tuple[str, str, Account]]:
    """Go over the accounts that are switched on: platform, name, settings."""
    for platform in dict.fromkeys(name for name, _ in accounts(config)):
        for name, account in getattr(config.platforms, platform).items():
            if account.enabled:
                yield platform, name, account


def adapter(platform: str, account: Account, given: Given) -> Adapter:
    """Make the adapter of an account; the platform's library is imported now."""
    module, _, function = ACCOUNTS[platform].partition(":")
    make = cast("Make", getattr(importlib.import_module(module), function))
    return make(account, given)
