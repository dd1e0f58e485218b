"""The one table of what is accepted but not built yet: delete a row in the change that builds it.

A row is *listed* where doing nothing is harmless as long as it is said, and *refused* where doing nothing
would be wrong: nobody may believe in a limit, a fence or a platform that isn't there.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from gateway.config.errors import Problem
from gateway.config.model import Config
from gateway.config.platform import Account

BUILT_TOOLS = frozenset(
    {"current_time", "delegate", "files", "memory", "schedule", "send_message", "session_search", "shell", "web"}
)
Applies: TypeAlias = Callable[[Config], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class NotYet:
    """What of a configuration is not built yet: `refused` stops the start, `listed` is shown once."""

    refused: tuple[Problem, ...]
    listed: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class _Row:
    key: str
    applies: Applies
    effect: str


def _given(section: str, key: str) -> Applies:
    """Tell whether a key is written in the file, whatever its value."""
    return lambda config: key in (getattr(config, section) if section else config).model_fields_set


def _any_account(test: Callable[[Account], bool]) -> Applies:
    return lambda config: any(test(account) for _, account in accounts(config))


LISTED: tuple[_Row, ...] = (
    _Row(
        "platforms.telegram.catch_up_hours",
        lambda config: any("catch_up_hours" in each.model_fields_set for each in config.platforms.telegram.values()),
        "everything that the platform still has is fetched",
    ),
)

REFUSED: tuple[_Row, ...] = ()


def not_yet(config: Config, adapters: Collection[str]) -> NotYet:
    """Sort what the configuration asks for and isn't built yet; `adapters` are the platforms that exist."""
    strange = [name for name, _ in accounts(config) if name not in adapters]
    missing = [
        Problem(path=f"platforms.{name}", message="not yet: this platform is not built", hint="take it out")
        for name in dict.fromkeys(strange)
    ]
    listed = [*_found(config, LISTED), *_tools(config)]
    return NotYet(refused=(*missing, *_found(config, REFUSED)), listed=tuple(listed))


def doubtful(config: Config) -> tuple[Problem, ...]:
    """List what is right as written and yet of no use."""
    many = len(config.platforms.email) > 1
    return tuple(
        Problem(
            path=f"platforms.email.accounts.{name}" if many else "platforms.email",
            message="authserv_id is not set, so no sender can be believed and every mail will be dropped",
            hint="`dragoman setup email` finds it; or set require_authenticated_sender to false for a local server",
        )
        for name, account in config.platforms.email.items()
        if account.enabled and account.believes_nobody
    )


def accounts(config: Config) -> tuple[tuple[str, Account], ...]:
    """Return every account that is switched on, with the name of its platform."""
    platforms = config.platforms
    return tuple(
        (name, account)
        for name, found in (
            ("telegram", platforms.telegram),
            ("discord", platforms.discord),
            ("slack", platforms.slack),
            ("email", platforms.email),
        )
        for account in found.values()
    )


def _found(config: Config, rows: Iterable[_Row]) -> list[Problem]:
    return [Problem(path=row.key, message=f"not yet: {row.effect}") for row in rows if row.applies(config)]


def _tools(config: Config) -> list[Problem]:
    unbuilt = [name for name in config.agent.tools if name not in BUILT_TOOLS and ":" not in name]
    names = ", ".join(unbuilt)
    return [Problem(path="agent.tools", message=f"not yet: {names}")] if unbuilt else []
