"""A user's phone: writes, presses, reacts, and waits for what the bot shows, by events and within a bound."""

import asyncio
from collections.abc import Callable

from playground.telegram.emulator import Emulator
from playground.telegram.world import Chat, Message

PATIENCE = 10.0
Wanted = Callable[[Message], bool]


class Phone:
    """One user with one chat open: the private chat with the bot, or a group, and there maybe a topic."""

    def __init__(self, emulator: Emulator, user_id: int, *, chat_id: int = 0, thread: int = 0) -> None:
        self.emulator = emulator
        self.user_id = user_id
        self.chat_id = chat_id or user_id
        self.thread = thread
        self.seen = 0

    @classmethod
    def new(cls, emulator: Emulator, first_name: str = "Ann", *, username: str = "") -> "Phone":
        """Create a user who has opened the chat with the bot."""
        return cls(emulator, emulator.people.create_user(first_name, username=username).id)

    @property
    def chat(self) -> Chat:
        """Give the open chat."""
        return self.emulator.world.chats[self.chat_id]

    def send(self, text: str, *, reply_to: int = 0, quote: str = "") -> Message:
        """Write a text, after which older words of the bot count as no answer; gives the (last) message."""
        self.seen = self.newest()
        return self.emulator.people.send_text(
            self.user_id, text, chat_id=self.chat_id, thread=self.thread, reply_to=reply_to, quote=quote
        )[-1]

    def newest(self) -> int:
        """Give the id of the newest message of the chat."""
        return next(reversed(self.chat.messages), 0)

    def messages(self) -> list[Message]:
        """Give what the chat shows now, in order."""
        return [
            message
            for message in self.chat.messages.values()
            if not message.deleted_at and (not self.thread or message.thread == self.thread)
        ]

    def from_bot(self, *, after: int = 0) -> list[Message]:
        """Give the bot's messages that stand in the chat now."""
        bot = self.emulator.world.bot.id
        return [message for message in self.messages() if message.sender == bot and message.id > after]

    async def wait_for(self, wanted: Wanted, *, after: int | None = None, patience: float = PATIENCE) -> Message:
        """Wait until a message of the bot above id `after` (default: our last send) is as wanted."""
        start = self.seen if after is None else after
        try:
            async with asyncio.timeout(patience):
                while True:
                    for message in self.newer(start):
                        if wanted(message):
                            return message
                    await self.emulator.core.changes.wait(self.chat_id)
        except TimeoutError:
            shown = [message.body.text for message in self.from_bot(after=start)]
            raise AssertionError(
                f"the bot never showed what was wanted within {patience} s; it shows {shown}"
            ) from None

    def newer(self, start: int) -> list[Message]:
        """Give the bot's standing messages above an id, without walking through the whole chat."""
        bot = self.emulator.world.bot.id
        found: list[Message] = []
        for number in reversed(self.chat.messages):
            if number <= start:
                break
            message = self.chat.messages[number]
            if message.sender == bot and not message.deleted_at and self.thread in {0, message.thread}:
                found.append(message)
        found.reverse()
        return found

    async def answer(self, text: str, *, patience: float = PATIENCE) -> Message:
        """Wait until the bot shows exactly this text."""
        return await self.wait_for(lambda message: message.body.text == text, patience=patience)
