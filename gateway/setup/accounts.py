"""Accounts of a platform in the settings while they are set up: one bare, or several by name, and their secrets."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from gateway.config.accounts import MAIN, JsonObject
from gateway.domain.errors import GiveUp
from gateway.setup.draft import Draft, Talk


@dataclass(frozen=True, slots=True, kw_only=True)
class Secret:
    """One secret of an account: its `key` there, its `variable` in .env, how to ask for it, what one looks like."""

    platform: str  # as people write it
    key: str = "token"
    variable: str
    flag: str = "--token-file"
    asked: str = "The bot's token"
    pattern: re.Pattern[str]
    unsound: str
    how: str = ""  # where people get it

    def sound(self, text: str) -> str:
        """Give a text that looks like one; raises GiveUp for any other."""
        if not self.pattern.fullmatch(text):
            raise GiveUp(self.unsound)
        return text


def find(draft: Draft, platform: str, name: str | None) -> JsonObject:
    """Give a copy of the account that is meant, {} where there is none."""
    node: object = draft.settings
    for step in ("platforms", platform):
        node = node.get(step) if isinstance(node, dict) else None
    if not isinstance(node, dict):
        return {}
    accounts = node.get("accounts")
    bare = node if (name or MAIN) == MAIN else None
    found = accounts.get(name or MAIN) if isinstance(accounts, dict) else bare
    return dict(found) if isinstance(found, dict) else {}


def put(draft: Draft, platform: str, name: str | None, account: JsonObject) -> None:
    """Put an account into the settings; a second one gives the first a name."""
    section = draft.section("platforms", platform)
    if "accounts" not in section and (name or MAIN) == MAIN:
        draft.section("platforms")[platform] = account
        return
    if "accounts" not in section:
        draft.section("platforms")[platform] = {"accounts": {MAIN: section} if section else {}}
    draft.section("platforms", platform, "accounts")[name or MAIN] = account


def variable(base: str, name: str | None) -> str:
    """Name the secret of an account in .env."""
    return base if (name or MAIN) == MAIN else f"{base}_{str(name).upper().replace('-', '_')}"


def ask(talk: Talk, draft: Draft, account: JsonObject, secret: Secret, *, name: str | None, given: str | None) -> str:
    """Give the secret that a flag brought, that is there already, or that is typed; empty where none is wanted."""
    if given is not None:
        return draft.hide(secret.sound(given))
    known = draft.value(account.get(secret.key)) or draft.known(variable(secret.variable, name))
    if not talk.asks:
        return known or talk.secret("Token", flag=secret.flag)
    if secret.how:
        talk.say(secret.how)
    keep = "; Enter keeps the one that is there" if known else f"; Enter: without {secret.platform}"
    while True:
        typed = talk.secret(f"{secret.asked}{keep}", flag=secret.flag)
        draft.hide(typed)
        if not typed:
            return known
        try:
            return secret.sound(typed)
        except GiveUp as unsound:
            talk.say(f"{unsound}.")


def keep(
    draft: Draft, platform: str, name: str | None, secrets: Mapping[Secret, str], *, base_url: str, usual: str
) -> None:
    """Put an account with its secrets into the settings, switched on; its address only where it is unusual."""
    account = find(draft, platform, name)
    for secret, text in secrets.items():
        account[secret.key] = draft.keep(variable(secret.variable, name), text, account.get(secret.key))
    if base_url != str(account.get("base_url") or usual):
        account["base_url"] = base_url
    if account.get("enabled") is False:
        account["enabled"] = True
    put(draft, platform, name, account)
