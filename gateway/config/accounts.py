"""Brings `platforms` into one shape: per platform its accounts by name, without those that are switched off.

A bare object is the account `main`; `{"accounts": {NAME: {…}}}` holds several.
"""

from dataclasses import dataclass, field
from typing import TypeAlias

from gateway.config.email import EmailAccount
from gateway.config.errors import KeyPath
from gateway.config.jsontext import JsonValue
from gateway.config.platform import Account
from gateway.config.platforms import DiscordAccount, SlackAccount, TelegramAccount

MAIN = "main"
ACCOUNT_MODELS: dict[str, type[Account]] = {
    "telegram": TelegramAccount,
    "discord": DiscordAccount,
    "slack": SlackAccount,
    "email": EmailAccount,
}
JsonObject: TypeAlias = dict[str, JsonValue]


@dataclass(slots=True, kw_only=True)
class Layout:
    """Where accounts stand in the file, and which of them are off."""

    bare: set[str] = field(default_factory=set)
    off: dict[KeyPath, str] = field(default_factory=dict)
    misplaced: list[tuple[KeyPath, str, str]] = field(default_factory=list)

    def source(self, path: KeyPath) -> KeyPath:
        """Translate a path of the brought-into-shape tree to the path that stands in the file."""
        if len(path) < 3 or path[0] != "platforms":
            return path
        name, account, *rest = path[1:]
        if name in self.bare:
            return ("platforms", name, *rest)
        return ("platforms", name, "accounts", account, *rest)


def survey(raw: JsonObject) -> Layout:
    """Look where accounts stand, and find those that are off; note what is misplaced."""
    layout = Layout()
    platforms = raw.get("platforms")
    if not isinstance(platforms, dict):
        return layout
    for name, value in platforms.items():
        if name not in ACCOUNT_MODELS or not isinstance(value, dict):
            continue
        if "accounts" in value:
            _survey_accounts(name, value, layout)
        else:
            layout.bare.add(name)
            if value.get("enabled") is False:
                layout.off["platforms", name] = name
    return layout


def _survey_accounts(name: str, value: JsonObject, layout: Layout) -> None:
    place: KeyPath = ("platforms", name)
    accounts = value["accounts"]
    for key in value.keys() - {"accounts", "enabled"}:
        hint = f"put it into an account: platforms.{name}.accounts.NAME.{key}"
        layout.misplaced.append(((*place, key), "unknown key beside accounts", hint))
    if not isinstance(value.get("enabled", True), bool):
        layout.misplaced.append(((*place, "enabled"), "must be true or false", ""))
    if not isinstance(accounts, dict) or not accounts:
        hint = 'write it as {"NAME": {…}}'
        layout.misplaced.append(((*place, "accounts"), "must be an object with an account", hint))
        return
    for account, settings in accounts.items():
        off = value.get("enabled") is False or (isinstance(settings, dict) and settings.get("enabled") is False)
        if off:
            layout.off[*place, "accounts", account] = name


def shape(tree: JsonObject, layout: Layout) -> JsonObject:
    """Return the tree with `platforms` as name → account → settings, without accounts that are off."""
    platforms = tree.get("platforms")
    if not isinstance(platforms, dict):
        return tree
    shaped: JsonObject = {}
    for name, value in platforms.items():
        if not isinstance(value, dict) or name not in ACCOUNT_MODELS:
            shaped[name] = value
            continue
        if name in layout.bare:
            shaped[name] = {} if ("platforms", name) in layout.off else {MAIN: value}
            continue
        accounts = value["accounts"]
        if isinstance(accounts, dict):
            place = ("platforms", name, "accounts")
            shaped[name] = {key: inner for key, inner in accounts.items() if (*place, key) not in layout.off}
    return {**tree, "platforms": shaped}
