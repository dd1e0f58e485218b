"""The bot itself, its channels and threads, its commands."""

import re

from playground.discord.errors import ApiError, invalid, missing_access, missing_permissions, unknown
from playground.discord.fields import listed, mapping, whole, words
from playground.discord.rest.request import Asked
from playground.discord.wire import channel_wire, user_wire
from playground.discord.world import (
    CREATE_THREADS,
    DIRECT,
    NEWS,
    NEWS_THREAD,
    TEXT,
    THREAD,
    Channel,
    Wire,
)

NAME = re.compile(r"[-_\w]{1,32}")
MAX_OPTIONS = 25
MAX_DESCRIPTION = 100
CONTENT_FLAG = 1 << 18


def me(asked: Asked) -> object:
    """GET me."""
    return user_wire(asked.core.world.bot)


def application(asked: Asked) -> object:
    """GET application: its flags say whether the message content intent is switched on."""
    world = asked.core.world
    flags = CONTENT_FLAG + 1 if world.content_allowed else 0
    return {"id": str(world.application), "name": world.bot.name, "bot_public": True, "flags": flags}


def gateway(asked: Asked) -> object:
    """GET gateway."""
    return {
        "url": asked.core.gateway.url(),
        "shards": 1,
        "session_start_limit": {"total": 1000, "remaining": 999, "reset_after": 0, "max_concurrency": 1},
    }


def leave(asked: Asked) -> object:
    """DELETE users/@me/guilds/…: the bot goes."""
    world = asked.core.world
    guild = world.guilds.get(int(asked.path["guild"])) if asked.path["guild"].isdigit() else None
    if guild is None or world.bot.id not in guild.members:
        raise unknown("Guild", 10004)
    del guild.members[world.bot.id]
    asked.core.left(guild)
    return None


def open_direct(asked: Asked) -> object:
    """POST users/@me/channels."""
    world = asked.core.world
    user = whole(asked.body.get("recipient_id"))
    if user not in world.users or world.users[user].bot:
        raise ApiError(400, 50007, "Cannot send messages to this user")
    channel = world.direct(user)
    if channel is None:
        channel = Channel(id=asked.core.new_id(), kind=DIRECT, users=[user])
        world.channels[channel.id] = channel
        asked.core.channel_made(channel)
    return channel_wire(world, channel)


def channel(asked: Asked) -> object:
    """GET channel."""
    return channel_wire(asked.core.world, asked.channel())


def thread_from(asked: Asked) -> object:
    """POST messages/…/threads: the thread has the id of its message."""
    parent, message = asked.channel(), asked.message()
    if parent.kind not in (TEXT, NEWS):
        raise ApiError(400, 50024, "Cannot execute action on this channel type")
    if not asked.core.world.rights(parent) & CREATE_THREADS:
        raise missing_permissions()
    if message.id in asked.core.world.channels:
        raise ApiError(400, 160004, "A thread has already been created for this message")
    kind = NEWS_THREAD if parent.kind == NEWS else THREAD
    made = asked.core.open_thread(parent, asked.core.world.bot.id, _name(asked), starter=message.id, kind=kind)
    return channel_wire(asked.core.world, made)


def threads(asked: Asked) -> object:
    """POST threads."""
    parent = asked.channel()
    if not asked.core.world.rights(parent) & CREATE_THREADS:
        raise missing_permissions()
    return channel_wire(
        asked.core.world, asked.core.open_thread(parent, asked.core.world.bot.id, _name(asked), kind=THREAD)
    )


def put_commands(asked: Asked) -> object:
    """PUT commands, of everywhere or of a guild: what is not named is gone."""
    _own(asked)
    guild = whole(asked.path.get("guild"))
    if guild and guild not in asked.core.world.guilds:
        raise missing_access()
    commands = [_command(asked, mapping(one)) for one in asked.items]
    if len({words(one["name"]) for one in commands}) < len(commands):
        raise invalid("name", "APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique")
    asked.core.world.commands[guild] = commands
    asked.core.changes.publish("commands")
    return commands


def get_commands(asked: Asked) -> object:
    """GET commands."""
    _own(asked)
    return asked.core.world.commands.get(whole(asked.path.get("guild")), [])


def _own(asked: Asked) -> None:
    if whole(asked.path.get("application")) != asked.core.world.application:
        raise unknown("Application", 10002)


def _command(asked: Asked, body: Wire) -> Wire:
    _describe(body)
    options = [mapping(one) for one in listed(body.get("options"))]
    if len(options) > MAX_OPTIONS:
        raise invalid("options", "BASE_TYPE_MAX_LENGTH", f"Must be {MAX_OPTIONS} or fewer in length.")
    for option in options:
        _describe(option)
        for inner in map(mapping, listed(option.get("options"))):
            _describe(inner)
    if len({words(one.get("name")) for one in options}) < len(options):
        raise invalid("options", "APPLICATION_COMMAND_OPTIONS_NAME_INVALID", "Option names must be unique")
    return {**body, "id": str(asked.core.new_id()), "application_id": str(asked.core.world.application)}


def _describe(body: Wire) -> None:
    name, description = words(body.get("name")), words(body.get("description"))
    if not NAME.fullmatch(name) or name != name.lower():
        raise invalid("name", "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
    if not 1 <= len(description) <= MAX_DESCRIPTION:
        raise invalid("description", "BASE_TYPE_BAD_LENGTH", f"Must be between 1 and {MAX_DESCRIPTION} in length.")


def _name(asked: Asked) -> str:
    name = words(asked.body.get("name"))
    if not 1 <= len(name) <= 100:
        raise invalid("name", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.")
    return name
