"""The world as its people see it now, with the history of every message; for the page and for tests."""

from playground.discord.wire import channel_wire, user_wire
from playground.discord.world import THREADS, Channel, Guild, Interaction, Message, Wire, World


def message_view(world: World, message: Message, *, history: bool = False) -> Wire:
    """Show a message: content, author, edits, reactions, buttons, files; ids as text, a page rounds large numbers."""
    view: Wire = {
        "id": str(message.id),
        "channel": str(message.channel),
        "author": str(message.author),
        "name": world.users[message.author].name,
        "from_bot": message.author == world.bot.id,
        "webhook": bool(message.webhook),
        "content": message.content,
        "at": message.at,
        "edits": len(message.versions) - 1,
        "deleted": message.deleted,
        "reply_to": str(message.reference) if message.reference else None,
        "only_for": str(message.only_for) if message.only_for else None,
        "flags": message.flags,
        "embeds": message.embeds,
        "components": message.components,
        "files": [{"id": str(one.id), "name": one.name, "size": one.size, "mime": one.mime} for one in message.files],
        "reactions": {emoji: [str(user) for user in who] for emoji, who in message.reactions.items()},
    }
    if history:
        view["history"] = [{"at": one.at, "content": one.content} for one in message.versions]
    return view


def channel_view(world: World, channel: Channel) -> Wire:
    """Show a channel without its messages."""
    return {
        **channel_wire(world, channel),
        "thread": channel.kind in THREADS,
        "typing_until": channel.typing,
        "denied": str(channel.denied),
        "messages": len(channel.messages),
    }


def messages_view(
    world: World, channel: Channel, *, user: int = 0, deleted: bool = False, history: bool = False
) -> list[Wire]:
    """Show the messages of a channel in order, as a user sees them (0: everybody's)."""
    return [
        message_view(world, one, history=history)
        for one in channel.messages.values()
        if (deleted or not one.deleted) and (not user or one.only_for in (0, user))
    ]


def guild_view(world: World, guild: Guild) -> Wire:
    """Show a guild."""
    return {
        "id": str(guild.id),
        "name": guild.name,
        "members": [str(member) for member in guild.members],
        "bot": world.bot.id in guild.members,
        "roles": [{"id": str(role.id), "name": role.name} for role in guild.roles.values()],
    }


def interaction_view(interaction: Interaction) -> Wire:
    """Show how an interaction stands."""
    return {
        "id": str(interaction.id),
        "state": interaction.state,
        "reply": str(interaction.reply) if interaction.reply else None,
        "ephemeral": interaction.ephemeral,
    }


def world_view(world: World) -> Wire:
    """Show the bot, the users, the guilds and the channels."""
    return {
        "bot": user_wire(world.bot),
        "users": [user_wire(user) for user in world.users.values() if not user.bot],
        "guilds": [guild_view(world, guild) for guild in world.guilds.values()],
        "channels": [channel_view(world, channel) for channel in world.channels.values()],
        "commands": {str(guild): commands for guild, commands in world.commands.items()},
        "content_allowed": world.content_allowed,
    }
