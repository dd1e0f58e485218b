"""The few things that happen in a channel (a message appears, changes, goes), and what follows from them."""

import re
from collections import deque
from collections.abc import Callable

from playground.changes import Changes
from playground.discord import sessions as intents
from playground.discord.gateway import Gateway
from playground.discord.wire import channel_wire, event_wire, guild_wire, member_wire, user_wire
from playground.discord.world import DIRECT, THREAD, Channel, Guild, Message, User, Version, Wire, World

USER_MENTION = re.compile(r"<@!?(\d+)>")
ROLE_MENTION = re.compile(r"<@&(\d+)>")
EVERYBODY = re.compile(r"@(?:everyone|here)\b")


class Core:
    """The world, the bot's gateway and the feed of changes, kept in step."""

    def __init__(self, world: World, gateway: Gateway, clock: Callable[[], float], cdn: Callable[[], str]) -> None:
        self.world = world
        self.gateway = gateway
        self.clock = clock
        self.cdn = cdn
        self.changes = Changes()
        self.complaints: deque[str] = deque(maxlen=1_000)

    def complain(self, words: str) -> None:
        """Note what the real server would have done in silence, and nobody wants."""
        self.complaints.append(words)

    def new_id(self) -> int:
        """Make an id of this instant."""
        return self.world.snowflake(self.clock())

    def post(self, channel: Channel, message: Message) -> Message:
        """Let a message appear in a channel; an ephemeral one is shown to nobody by the gateway."""
        channel.messages[message.id] = message
        message.versions.append(Version(at=message.at, content=message.content))
        if message.author == self.world.bot.id:
            channel.typing = 0.0
        if not message.only_for:
            channel.last_message = message.id
            channel.archived = False
            self._tell_message("MESSAGE_CREATE", message)
        self.changes.publish("message", channel.id, message.id)
        return message

    def edited(self, message: Message) -> None:
        """Tell that a message has changed."""
        message.edited_at = self.clock()
        message.versions.append(Version(at=message.edited_at, content=message.content))
        if not message.only_for:
            self._tell_message("MESSAGE_UPDATE", message)
        self.changes.publish("edit", message.channel, message.id)

    def unfurled(self, message: Message) -> None:
        """Tell that a link in a message has got its preview: an update that nobody wrote."""
        self._tell_message("MESSAGE_UPDATE", message)

    def delete(self, message: Message) -> None:
        """Take a message away."""
        message.deleted = True
        channel = self.world.channels[message.channel]
        body: Wire = {"id": str(message.id), "channel_id": str(channel.id)}
        if channel.guild:
            body["guild_id"] = str(channel.guild)
        self.gateway.dispatch("MESSAGE_DELETE", self._kind(channel), lambda _content: body)
        self.changes.publish("delete", channel.id, message.id)

    def react(self, message: Message, user: int, emoji: str, *, add: bool) -> None:
        """Put a reaction of somebody on a message, or take it away."""
        who = message.reactions.setdefault(emoji, [])
        if add == (user in who):
            return
        (who.append if add else who.remove)(user)
        if not who:
            del message.reactions[emoji]
        channel = self.world.channels[message.channel]
        body: Wire = {
            "user_id": str(user),
            "channel_id": str(channel.id),
            "message_id": str(message.id),
            "message_author_id": str(message.author),
            "emoji": {"id": None, "name": emoji},
            "burst": False,
            "type": 0,
        }
        if channel.guild:
            body["guild_id"] = str(channel.guild)
            body["member"] = member_wire(self.world, self.world.guilds[channel.guild], user)
        wanted = intents.DIRECT_REACTIONS if channel.kind == DIRECT else intents.GUILD_REACTIONS
        name = "MESSAGE_REACTION_ADD" if add else "MESSAGE_REACTION_REMOVE"
        self.gateway.dispatch(name, wanted, lambda _content: body)
        self.changes.publish("reaction", channel.id, message.id)

    def open_thread(self, parent: Channel, owner: int, name: str, *, starter: int = 0, kind: int = THREAD) -> Channel:
        """Open a thread; one made from a message has that message's id."""
        thread = Channel(
            id=starter or self.new_id(), kind=kind, name=name, guild=parent.guild, parent=parent.id, owner=owner
        )
        self.world.channels[thread.id] = thread
        body = channel_wire(self.world, thread)
        self.gateway.dispatch("THREAD_CREATE", intents.GUILDS, lambda _content: {**body, "newly_created": True})
        self.changes.publish("channel", thread.id)
        return thread

    def delete_channel(self, channel: Channel) -> None:
        """Take a channel or a thread away."""
        del self.world.channels[channel.id]
        body = channel_wire(self.world, channel)
        name = "THREAD_DELETE" if channel.parent else "CHANNEL_DELETE"
        self.gateway.dispatch(name, intents.GUILDS, lambda _content: body)
        self.changes.publish("channel", channel.id)

    def joined(self, guild: Guild) -> None:
        """Tell the bot that it has come into a guild."""
        self.gateway.dispatch("GUILD_CREATE", intents.GUILDS, lambda _content: guild_wire(self.world, guild))

    def left(self, guild: Guild) -> None:
        """Tell the bot that it is no longer in a guild."""
        self.gateway.dispatch("GUILD_DELETE", intents.GUILDS, lambda _content: {"id": str(guild.id)})

    def channel_made(self, channel: Channel) -> None:
        """Tell of a new channel; of a new direct talk version 10 tells nothing."""
        if channel.guild:
            body = channel_wire(self.world, channel)
            self.gateway.dispatch("CHANNEL_CREATE", intents.GUILDS, lambda _content: body)
        self.changes.publish("channel", channel.id)

    def interaction(self, body: Wire) -> None:
        """Hand an interaction to the bot; these need no intent."""
        self.gateway.dispatch("INTERACTION_CREATE", 0, lambda _content: body)

    def mentioned(self, channel: Channel, content: str) -> tuple[list[int], list[int], bool]:
        """Find whom a person's text notifies: users, roles, everybody."""
        users = [int(number) for number in USER_MENTION.findall(content) if int(number) in self.world.users]
        guild = self.world.guilds.get(channel.guild)
        roles = [int(number) for number in ROLE_MENTION.findall(content) if guild and int(number) in guild.roles]
        return list(dict.fromkeys(users)), list(dict.fromkeys(roles)), bool(guild and EVERYBODY.search(content))

    def actor(self, channel: Channel, user: User) -> Wire:
        """Write who acts in an interaction: a member in a guild, else a user."""
        if channel.guild:
            return {"member": member_wire(self.world, self.world.guilds[channel.guild], user.id)}
        return {"user": user_wire(user)}

    def _tell_message(self, name: str, message: Message) -> None:
        channel = self.world.channels[message.channel]

        def body(content: bool) -> Wire:  # noqa: FBT001  # what the session may read
            return event_wire(self.world, message, self.cdn(), content=content)

        self.gateway.dispatch(name, self._kind(channel), body)

    def _kind(self, channel: Channel) -> int:
        return intents.DIRECT_MESSAGES if channel.kind == DIRECT else intents.GUILD_MESSAGES
