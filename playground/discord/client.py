"""A person's client: writes, presses, reacts, and waits for what the bot shows, by events and within a bound."""

import asyncio
from collections.abc import Callable

from playground.discord.emulator import Emulator
from playground.discord.world import Channel, Interaction, Message

PATIENCE = 10.0


class Person:
    """One user with one channel open: the direct talk with the bot, a channel of a guild, or a thread."""

    def __init__(self, emulator: Emulator, user: int, channel: int) -> None:
        self.emulator = emulator
        self.people = emulator.people
        self.user = user
        self.channel_id = channel

    @classmethod
    def new(cls, emulator: Emulator, name: str = "Ann") -> "Person":
        """Create a user who has opened the direct talk with the bot."""
        user = emulator.people.create_user(name)
        return cls(emulator, user.id, emulator.people.direct(user.id).id)

    def within(self, channel: int) -> "Person":
        """Open another channel of the same user."""
        return Person(self.emulator, self.user, channel)

    @property
    def channel(self) -> Channel:
        """The open channel."""
        return self.emulator.world.channels[self.channel_id]

    def say(self, text: str, *, reply_to: int = 0, ping: bool = True) -> Message:
        """Write a text."""
        return self.people.say(self.user, self.channel_id, text, reply_to=reply_to, ping=ping)

    def upload(self, name: str, content: bytes, *, mime: str = "", text: str = "") -> Message:
        """Send a file."""
        return self.people.upload(self.user, self.channel_id, name, content, mime=mime, text=text)

    def edit(self, message: int, text: str) -> None:
        """Change one of the user's own messages."""
        self.people.edit(self.user, self.channel_id, message, text)

    def delete(self, message: int) -> None:
        """Take one of the user's own messages away."""
        self.people.delete(self.user, self.channel_id, message)

    def react(self, message: int, emoji: str, *, add: bool = True) -> None:
        """Put a reaction on a message, or take it away."""
        self.people.react(self.user, self.channel_id, message, emoji, add=add)

    def press(self, message: int, label: str) -> Interaction:
        """Press a button."""
        return self.people.press(self.user, self.channel_id, message, label)

    def slash(self, word: str, text: str = "") -> Interaction:
        """Use a sub-command of /dragoman."""
        return self.people.slash(self.user, self.channel_id, word, text)

    def messages(self) -> list[Message]:
        """What the channel shows this user now, in order."""
        return [one for one in self.channel.messages.values() if not one.deleted and one.only_for in (0, self.user)]

    def from_bot(self) -> list[Message]:
        """The bot's messages that stand in the channel now."""
        return [one for one in self.messages() if one.author == self.emulator.world.bot.id]

    def texts(self) -> list[str]:
        """What the bot's messages say now."""
        return [one.content for one in self.from_bot()]

    async def until(self, so: Callable[[], object], *, patience: float = PATIENCE) -> None:
        """Wait until something is so; looked at after each event anywhere."""
        try:
            async with asyncio.timeout(patience):
                while not so():
                    await self.emulator.core.changes.wait()
        except TimeoutError:
            raise AssertionError(f"not so within {patience} s; the bot shows {self.texts()[-5:]}") from None

    async def answer(self, text: str, *, patience: float = PATIENCE) -> Message:
        """Wait until the bot shows exactly this text."""
        await self.until(lambda: text in self.texts(), patience=patience)
        return next(one for one in self.from_bot() if one.content == text)
