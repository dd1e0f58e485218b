"""A person with one conversation open: writes, presses, reacts, and waits for what the app shows, by events."""

import asyncio
from collections.abc import Callable

from playground.slack.emulator import Emulator
from playground.slack.view import text_of
from playground.slack.world import Channel, Message

PATIENCE = 10.0


class Person:
    """One person; the open conversation is the direct talk with the app, or a channel, and there maybe a thread."""

    def __init__(self, emulator: Emulator, user: str, *, chat: str, thread: str = "") -> None:
        self.emulator = emulator
        self.people = emulator.people
        self.user = user
        self.chat = chat
        self.thread = thread

    @classmethod
    def new(cls, emulator: Emulator, name: str = "Ann", *, user_id: str = "") -> "Person":
        """Make somebody who has the direct talk with the app open."""
        user = emulator.people.create_user(name, user_id=user_id)
        return cls(emulator, user.id, chat=emulator.people.open_dm(user.id).id)

    def within(self, chat: str, *, thread: str = "") -> "Person":
        """Open another conversation of the same person."""
        return Person(self.emulator, self.user, chat=chat, thread=thread)

    @property
    def channel(self) -> Channel:
        """The open conversation."""
        return self.emulator.world.channels[self.chat]

    def say(self, text: str) -> str:
        """Write; gives the ts."""
        return self.people.say(self.user, self.chat, text, thread=self.thread).ts

    def shown(self) -> list[Message]:
        """Give the app's messages that stand here now, oldest first."""
        bot = self.emulator.world.bot_user
        return [
            message
            for _, message in sorted(self.channel.messages.items())
            if message.user == bot
            and not message.deleted
            and message.subtype not in ("assistant_app_thread", "channel_join", "group_join")
            and (message.thread_ts if message.thread_ts != message.ts else "") == self.thread
        ]

    def texts(self) -> list[str]:
        """Give the words of the app's messages that stand here now."""
        return [text_of(message) for message in self.shown() if not message.files]

    async def until(self, so: Callable[[], bool], *, patience: float = PATIENCE) -> None:
        """Wait until something is so; looked at after each change."""
        try:
            async with asyncio.timeout(patience):
                while not so():
                    await self.emulator.core.changes.wait()
        except TimeoutError:
            raise AssertionError(f"not so within {patience} s; the app shows {self.texts()}") from None

    async def answer(self, text: str, *, patience: float = PATIENCE) -> Message:
        """Wait until the app shows exactly this text."""
        await self.until(lambda: text in self.texts(), patience=patience)
        return next(message for message in self.shown() if text_of(message) == text)
