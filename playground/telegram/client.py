"""A user's phone: writes, presses, reacts, and waits for what the bot shows, by events and within a bound."""

import asyncio
from collections.abc import Callable

from playground.telegram.emulator import Emulator
from playground.telegram.world import Chat, Message, Press

PATIENCE = 10.0
Wanted = Callable[[Message], bool]


class Phone:
    """One user with one chat open: the private chat with the bot, or a group, and there maybe a topic."""

    def __init__(self, emulator: Emulator, user_id: int, *, chat_id: int = 0, thread: int = 0) -> None:
        self.emulator = emulator
        self.people = emulator.people
        self.user_id = user_id
        self.chat_id = chat_id or user_id
        self.thread = thread
        self.seen = 0

    @classmethod
    def new(cls, emulator: Emulator, first_name: str = "Ann", *, username: str = "", user_id: int = 0) -> "Phone":
        """Create a user who has opened the chat with the bot."""
        user = emulator.people.create_user(first_name, username=username, user_id=user_id)
        return cls(emulator, user.id)

    def within(self, chat_id: int, *, thread: int = 0) -> "Phone":
        """Open another chat of the same user."""
        return Phone(self.emulator, self.user_id, chat_id=chat_id, thread=thread)

    @property
    def chat(self) -> Chat:
        """The open chat."""
        return self.emulator.world.chats[self.chat_id]

    def send(self, text: str, *, reply_to: int = 0, quote: str = "") -> Message:
        """Write a text, after which older words of the bot count as no answer; gives the (last) message."""
        self.seen = self.newest()
        return self.people.send_text(
            self.user_id, text, chat_id=self.chat_id, thread=self.thread, reply_to=reply_to, quote=quote
        )[-1]

    def send_file(
        self, kind: str, content: bytes | None = None, *, size: int = 0, name: str = "", caption: str = ""
    ) -> Message:
        """Send a file; without bytes it has only its declared size."""
        self.seen = self.newest()
        return self.people.send_file(
            self.user_id,
            kind,
            content,
            size=size,
            name=name,
            caption=caption,
            chat_id=self.chat_id,
            thread=self.thread,
        )

    def edit(self, message: Message, text: str) -> Message:
        """Change one of the user's own messages."""
        return self.people.edit_text(self.user_id, self.chat_id, message.id, text)

    def react(self, message: Message, emoji: str) -> None:
        """Put a reaction on a message; an empty one takes it away."""
        self.people.react(self.user_id, self.chat_id, message.id, emoji)

    def press(self, message: Message, data: str) -> Press:
        """Press an inline button, named by its callback data or its words."""
        self.seen = self.newest()
        return self.people.press(self.user_id, self.chat_id, message.id, data)

    def newest(self) -> int:
        """The id of the newest message of the chat."""
        return next(reversed(self.chat.messages), 0)

    def messages(self) -> list[Message]:
        """What the chat shows now, in order."""
        return [
            message
            for message in self.chat.messages.values()
            if not message.deleted_at and (not self.thread or message.thread == self.thread)
        ]

    def from_bot(self, *, after: int = 0) -> list[Message]:
        """The bot's messages above an id that stand in the chat now; only these are looked at."""
        bot = self.emulator.world.bot.id
        found: list[Message] = []
        for number in reversed(self.chat.messages):
            if number <= after:
                break
            message = self.chat.messages[number]
            if message.sender == bot and not message.deleted_at and self.thread in {0, message.thread}:
                found.append(message)
        found.reverse()
        return found

    async def until(self, done: Callable[[], bool], *, patience: float = PATIENCE) -> None:
        """Wait until something is so in the chat; looked at after each of its events."""
        try:
            async with asyncio.timeout(patience):
                while not done():
                    await self.emulator.core.changes.wait(self.chat_id)
        except TimeoutError:
            shown = [message.body.text for message in self.from_bot(after=self.seen)]
            raise AssertionError(f"not so within {patience} s; since the last sending the bot shows {shown}") from None

    async def wait_for(self, wanted: Wanted, *, after: int | None = None, patience: float = PATIENCE) -> Message:
        """Wait until a message of the bot above id `after` (default: our last send) is as wanted."""
        start = self.seen if after is None else after
        found: list[Message] = []

        def look() -> bool:
            found[:] = [message for message in self.from_bot(after=start) if wanted(message)]
            return bool(found)

        await self.until(look, patience=patience)
        return found[0]

    async def answer(self, text: str, *, patience: float = PATIENCE) -> Message:
        """Wait until the bot shows exactly this text."""
        return await self.wait_for(lambda message: message.body.text == text, patience=patience)

    async def answered(self, press: Press, *, patience: float = PATIENCE) -> str:
        """Wait until the bot has answered a pressed button; gives the words it showed."""
        await self.until(lambda: press.answer is not None, patience=patience)
        return str((press.answer or {}).get("text", ""))
