"""The bot's command menu, per scope and language."""

import json
import re

from playground.telegram.core import Core
from playground.telegram.errors import bad_request
from playground.telegram.params import Params, mapping, words
from playground.telegram.world import Wire

COMMAND = re.compile(r"[a-z0-9_]{1,32}\Z")
MOST_COMMANDS = 100
LONGEST_DESCRIPTION = 256
SCOPES = frozenset(
    {
        "default", "all_private_chats", "all_group_chats", "all_chat_administrators", "chat",
        "chat_administrators", "chat_member",
    }
)  # fmt: skip


def set_my_commands(core: Core, params: Params) -> object:
    """Set the menu of a scope."""
    items = params.items("commands", "commands", "BotCommand") or []
    if len(items) > MOST_COMMANDS:
        raise bad_request("BOT_COMMANDS_TOO_MUCH")
    core.world.commands[read_scope(params)] = [read_command(item) for item in items]
    core.changes.publish("commands")
    return True


def get_my_commands(core: Core, params: Params) -> object:
    """Give the menu of a scope."""
    return core.world.commands.get(read_scope(params), [])


def delete_my_commands(core: Core, params: Params) -> object:
    """Drop the menu of a scope."""
    core.world.commands.pop(read_scope(params), None)
    core.changes.publish("commands")
    return True


def read_scope(params: Params) -> str:
    """Give scope and language as one key."""
    scope = params.object("scope", "BotCommandScope") or {"type": "default"}
    if scope.get("type") not in SCOPES:
        raise bad_request("can't parse BotCommandScope: Unsupported type specified")
    return json.dumps([params.text("language_code"), dict(sorted(scope.items()))])


def read_command(item: object) -> Wire:
    """Check one command; a leading slash is dropped."""
    command = words(mapping(item).get("command")).removeprefix("/").lower()
    description = words(mapping(item).get("description"))
    if not command or not description:
        raise bad_request("can't parse BotCommand: Can't find field \"command\"")
    if not COMMAND.match(command):
        raise bad_request("BOT_COMMAND_INVALID")
    if len(description) > LONGEST_DESCRIPTION:
        raise bad_request("BOT_COMMAND_DESCRIPTION_INVALID")
    return {"command": command, "description": description}
