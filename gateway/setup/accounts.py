"""Accounts of a platform in the settings while they are set up: one bare, or several by name."""

from gateway.config.accounts import MAIN, JsonObject
from gateway.setup.draft import Draft


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
