"""What people do: write, edit, delete, react, press buttons, use slash commands, send files, open threads."""

import secrets

from playground.discord.core import Core
from playground.discord.fields import listed, mapping, words
from playground.discord.wire import channel_wire, message_wire
from playground.discord.world import (
    DIRECT,
    EVERYTHING,
    TEXT,
    THREADS,
    Channel,
    File,
    Guild,
    Interaction,
    Message,
    Role,
    User,
    Wire,
)

LONGEST = 2000
VOICE = "audio/ogg"
COMPONENT, COMMAND = 3, 2


class Refused(ValueError):
    """Something that a person's own client would not let them do."""


class People:
    """Acts as any person."""

    def __init__(self, core: Core) -> None:
        self.core = core
        self.world = core.world

    def create_user(self, name: str, *, number: int = 0, bot: bool = False) -> User:
        """Make a user."""
        user = User(id=number or self.core.new_id(), name=name, bot=bot)
        self.world.users[user.id] = user
        self.core.changes.publish("user")
        return user

    def create_guild(self, name: str, members: list[int], *, bot: bool = True, permissions: int = EVERYTHING) -> Guild:
        """Make a guild with one channel, `general`; with the bot in it unless told otherwise."""
        guild = Guild(id=self.core.new_id(), name=name, owner=members[0], joined_at=self.core.clock())
        guild.roles[guild.id] = Role(id=guild.id, name="@everyone", permissions=permissions)
        guild.members = {member: [] for member in members}
        self.world.guilds[guild.id] = guild
        self.create_channel(guild.id, "general")
        if bot:
            self.add_bot(guild.id)
        return guild

    def create_role(self, guild: int, name: str, members: list[int]) -> Role:
        """Make a role and give it to members, the bot among them if it is named."""
        role = Role(id=self.core.new_id(), name=name)
        self.world.guilds[guild].roles[role.id] = role
        for member in members:
            self.world.guilds[guild].members[member].append(role.id)
        return role

    def add_bot(self, guild: int) -> None:
        """Let the bot come into a guild, with a role of its own."""
        place = self.world.guilds[guild]
        role = Role(id=self.core.new_id(), name=self.world.bot.name, managed=True)
        place.roles[role.id] = role
        place.members[self.world.bot.id] = [role.id]
        place.joined_at = self.core.clock()
        self.core.joined(place)

    def kick_bot(self, guild: int) -> None:
        """Put the bot out of a guild."""
        place = self.world.guilds[guild]
        del place.members[self.world.bot.id]
        self.core.left(place)

    def create_channel(self, guild: int, name: str, *, kind: int = TEXT) -> Channel:
        """Make a channel in a guild."""
        channel = Channel(id=self.core.new_id(), kind=kind, name=name, guild=guild)
        self.world.channels[channel.id] = channel
        self.core.channel_made(channel)
        return channel

    def create_thread(self, user: int, channel: int, name: str, *, message: int = 0) -> Channel:
        """Open a thread, from a message if one is named."""
        return self.core.open_thread(self.world.channels[channel], user, name, starter=message)

    def direct(self, user: int) -> Channel:
        """Find or open the direct talk of somebody with the bot."""
        channel = self.world.direct(user)
        if channel is None:
            channel = Channel(id=self.core.new_id(), kind=DIRECT, users=[user])
            self.world.channels[channel.id] = channel
            self.core.channel_made(channel)
        return channel

    def say(
        self, user: int, channel: int, text: str, *, reply_to: int = 0, ping: bool = True, files: tuple[File, ...] = ()
    ) -> Message:
        """Write a message; a reply notifies whom it replies to unless told otherwise."""
        place = self._place(user, channel)
        if len(text) > LONGEST:
            raise Refused(f"Discord's client takes at most {LONGEST} characters")
        if not text.strip() and not files:
            raise Refused("there is nothing to send")
        users, roles, everyone = self.core.mentioned(place, text)
        replied = self.world.message(channel, reply_to) if reply_to else None
        if replied is not None and ping and replied.author not in users:
            users.append(replied.author)
        message = Message(
            id=self.core.new_id(),
            channel=channel,
            author=user,
            content=text,
            at=self.core.clock(),
            kind=19 if reply_to else 0,
            reference=reply_to,
            files=list(files),
            pings=users,
            role_pings=roles,
            everyone=everyone,
        )
        return self.core.post(place, message)

    def webhook(self, channel: int, name: str, text: str) -> Message:
        """Let a webhook write: it has an id like a user, and is none."""
        user = self.create_user(name, bot=True)
        users, roles, everyone = self.core.mentioned(self.world.channels[channel], text)
        message = Message(
            id=self.core.new_id(),
            channel=channel,
            author=user.id,
            content=text,
            at=self.core.clock(),
            webhook=user.id,
            pings=users,
            role_pings=roles,
            everyone=everyone,
        )
        return self.core.post(self.world.channels[channel], message)

    def upload(self, user: int, channel: int, name: str, content: bytes, *, mime: str = "", text: str = "") -> Message:
        """Send a file."""
        file = File(
            id=self.core.new_id(),
            name=name,
            size=len(content),
            mime=mime or "application/octet-stream",
            content=content,
            voice=mime == VOICE,
        )
        self.world.files[file.id] = file
        return self.say(user, channel, text, files=(file,))

    def edit(self, user: int, channel: int, message: int, text: str) -> Message:
        """Change a message of one's own."""
        found = self._own(user, channel, message)
        found.content = text
        self.core.edited(found)
        return found

    def delete(self, user: int, channel: int, message: int) -> None:
        """Take a message of one's own away."""
        self.core.delete(self._own(user, channel, message))

    def react(self, user: int, channel: int, message: int, emoji: str, *, add: bool = True) -> None:
        """Put a reaction on a message, or take it away."""
        self.core.react(self._message(channel, message), user, emoji, add=add)

    def press(self, user: int, channel: int, message: int, wanted: str) -> Interaction:
        """Press a button, named by its words or its id."""
        found = self._message(channel, message)
        rows = [mapping(one) for one in found.components]
        buttons = [mapping(one) for row in rows for one in listed(row.get("components"))]
        button = next((one for one in buttons if wanted in (one.get("label"), one.get("custom_id"))), None)
        if button is None or button.get("disabled") is True:
            raise Refused(f"there is no button {wanted!r}")
        data: Wire = {"custom_id": words(button.get("custom_id")), "component_type": 2}
        shown = message_wire(self.world, found, self.core.cdn())
        return self._interact(user, channel, COMPONENT, data, message=found, more={"message": shown})

    def slash(self, user: int, channel: int, word: str, text: str = "", *, name: str = "dragoman") -> Interaction:
        """Use a slash command: a sub-command of ours and what is typed behind it."""
        place = self._place(user, channel)
        found = next((one for one in self.commands(place) if one.get("name") == name), None)
        options = [mapping(one) for one in listed(found.get("options"))] if found else []
        sub = next((one for one in options if one.get("name") == word), None)
        if found is None or sub is None:
            raise Refused(f"there is no command /{name} {word}")
        inner = [mapping(one) for one in listed(sub.get("options"))]
        given: list[Wire] = [{"name": words(inner[0].get("name")), "type": 3, "value": text}] if text and inner else []
        data: Wire = {
            "id": found["id"],
            "name": name,
            "type": 1,
            "options": [{"name": word, "type": 1, "options": given}],
        }
        return self._interact(user, channel, COMMAND, data)

    def commands(self, channel: Channel) -> list[Wire]:
        """List the commands that somebody in a channel can choose from."""
        everywhere = self.world.commands.get(0, [])
        place = 1 if channel.kind == DIRECT else 0
        shown = [one for one in everywhere if place in (listed(one.get("contexts")) or [0, 1, 2])]
        return [*self.world.commands.get(channel.guild, []), *shown] if channel.guild else shown

    def _interact(
        self,
        user: int,
        channel: int,
        kind: int,
        data: Wire,
        *,
        message: Message | None = None,
        more: Wire | None = None,
    ) -> Interaction:
        place = self._place(user, channel)
        now = self.core.clock()
        interaction = Interaction(
            id=self.core.new_id(),
            token=secrets.token_urlsafe(24),
            kind=kind,
            user=user,
            channel=channel,
            at=now,
            message=message.id if message else 0,
        )
        self.world.interactions[interaction.token] = interaction
        body: Wire = {
            "id": str(interaction.id),
            "application_id": str(self.world.application),
            "type": kind,
            "token": interaction.token,
            "version": 1,
            "channel_id": str(channel),
            "channel": channel_wire(self.world, place),
            "data": data,
            **self.core.actor(place, self.world.users[user]),
            **(more or {}),
        }
        if place.guild:
            body["guild_id"] = str(place.guild)
        self.core.interaction(body)
        self.core.changes.publish("interaction", channel)
        return interaction

    def _place(self, user: int, channel: int) -> Channel:
        place = self.world.channels.get(channel)
        if place is None or user not in self.world.users:
            raise Refused("there is no such channel or user")
        home = self.world.guilds.get(place.guild)
        if user not in (home.members if home else place.users):
            raise Refused("this user is not there")
        if place.kind in THREADS and place.locked:
            raise Refused("the thread is locked")
        return place

    def _message(self, channel: int, message: int) -> Message:
        found = self.world.message(channel, message)
        if found is None:
            raise Refused("there is no such message")
        return found

    def _own(self, user: int, channel: int, message: int) -> Message:
        found = self._message(channel, message)
        if found.author != user:
            raise Refused("that is somebody else's message")
        return found
