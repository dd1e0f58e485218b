"""Objects of the world as the API writes them."""

from datetime import UTC, datetime

from playground.discord.world import (
    DIRECT,
    THREADS,
    Channel,
    File,
    Guild,
    Message,
    Role,
    User,
    Wire,
    World,
)

VOICE_FLAG = 1 << 13


def stamp(at: float) -> str:
    """Write an instant."""
    return datetime.fromtimestamp(at, UTC).isoformat()


def user_wire(user: User) -> Wire:
    """Write a user."""
    return {
        "id": str(user.id),
        "username": user.name.lower().replace(" ", "_"),
        "global_name": user.name,
        "discriminator": "0",
        "avatar": None,
        "bot": user.bot,
    }


def role_wire(role: Role) -> Wire:
    """Write a role."""
    return {
        "id": str(role.id),
        "name": role.name,
        "permissions": str(role.permissions),
        "managed": role.managed,
        "mentionable": role.mentionable,
    }


def channel_wire(world: World, channel: Channel) -> Wire:
    """Write a channel, a thread or a direct talk."""
    body: Wire = {
        "id": str(channel.id),
        "type": channel.kind,
        "last_message_id": str(channel.last_message) if channel.last_message else None,
    }
    if channel.kind == DIRECT:
        return {**body, "recipients": [user_wire(world.users[one]) for one in channel.users]}
    body |= {"guild_id": str(channel.guild), "name": channel.name}
    if channel.kind in THREADS:
        body |= {
            "parent_id": str(channel.parent),
            "owner_id": str(channel.owner),
            "thread_metadata": {"archived": channel.archived, "locked": channel.locked, "auto_archive_duration": 1440},
        }
    return body


def member_wire(world: World, guild: Guild, user: int, *, whole: bool = True) -> Wire:
    """Write a member, with the user in it or beside it."""
    body: Wire = {"roles": [str(role) for role in guild.members.get(user, [])], "nick": None, "mute": False}
    body["joined_at"] = stamp(guild.joined_at)
    return {**body, "user": user_wire(world.users[user])} if whole else body


def guild_wire(world: World, guild: Guild) -> Wire:
    """Write a guild as GUILD_CREATE brings it; without the members intent it holds nobody but the bot."""
    channels = [one for one in world.channels.values() if one.guild == guild.id]
    return {
        "id": str(guild.id),
        "name": guild.name,
        "owner_id": str(guild.owner),
        "joined_at": stamp(guild.joined_at),
        "member_count": len(guild.members),
        "large": False,
        "unavailable": False,
        "roles": [role_wire(role) for role in guild.roles.values()],
        "emojis": [],
        "members": [member_wire(world, guild, world.bot.id)],
        "channels": [channel_wire(world, one) for one in channels if one.kind not in THREADS],
        "threads": [channel_wire(world, one) for one in channels if one.kind in THREADS and not one.archived],
    }


def file_wire(file: File, cdn: str, channel: int) -> Wire:
    """Write an attachment."""
    return {
        "id": str(file.id),
        "filename": file.name,
        "size": file.size,
        "url": f"{cdn}/attachments/{channel}/{file.id}/{file.id}?ex=1",
        "proxy_url": f"{cdn}/attachments/{channel}/{file.id}/{file.id}?ex=1",
        "content_type": file.mime,
    }


def message_wire(world: World, message: Message, cdn: str, *, content: bool = True, deep: bool = True) -> Wire:
    """Write a message; without the right to read it, it shows neither text nor files."""
    channel = world.channels[message.channel]
    hidden = not content and not readable(world, message)
    body: Wire = {
        "id": str(message.id),
        "channel_id": str(message.channel),
        "author": user_wire(world.users[message.author]),
        "content": "" if hidden else message.content,
        "timestamp": stamp(message.at),
        "edited_timestamp": stamp(message.edited_at) if message.edited_at else None,
        "type": message.kind,
        "tts": False,
        "pinned": False,
        "mention_everyone": message.everyone,
        "mentions": [user_wire(world.users[one]) for one in message.pings if one in world.users],
        "mention_roles": [str(one) for one in message.role_pings],
        "attachments": [] if hidden else [file_wire(one, cdn, message.channel) for one in message.files],
        "embeds": [] if hidden else message.embeds,
        "components": [] if hidden else message.components,
        "flags": message.flags | (VOICE_FLAG if any(one.voice for one in message.files) else 0),
        "reactions": [{"emoji": {"id": None, "name": name}, "count": len(who), "me": world.bot.id in who}
                      for name, who in message.reactions.items()],
    }  # fmt: skip
    if message.webhook:
        body["author"] = {**user_wire(world.users[message.author]), "bot": False}
        body["webhook_id"] = str(message.webhook)
    if message.reference:
        body["message_reference"] = {"message_id": str(message.reference), "channel_id": str(channel.id), "type": 0}
        referenced = world.message(channel.id, message.reference)
        if deep:
            body["referenced_message"] = (
                message_wire(world, referenced, cdn, content=content, deep=False) if referenced else None
            )
    return body


def readable(world: World, message: Message) -> bool:
    """Whether the bot reads a message even without the message content intent."""
    mine = message.author == world.bot.id or world.bot.id in message.pings
    return mine or world.channels[message.channel].kind == DIRECT


def event_wire(world: World, message: Message, cdn: str, *, content: bool) -> Wire:
    """Write a message as MESSAGE_CREATE and MESSAGE_UPDATE bring it."""
    body = message_wire(world, message, cdn, content=content)
    channel = world.channels[message.channel]
    if channel.guild:
        guild = world.guilds[channel.guild]
        body["guild_id"] = str(guild.id)
        if not message.webhook:
            body["member"] = member_wire(world, guild, message.author, whole=False)
    if message.nonce:
        body["nonce"] = message.nonce
    return body
