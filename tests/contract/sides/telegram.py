"""Telegram's other side."""

from collections.abc import Callable

from adapters.telegram.adapter import TelegramAdapter
from adapters.telegram.pace import Pace
from gateway.domain.ids import ConversationKey
from gateway.domain.ports import Clock
from playground.telegram.client import Phone
from playground.telegram.emulator import BOT_ID, Emulator
from tests.contract.sides.base import Blobs

QUICK = Pace(poll=5, grace=5.0, call=2.0, patience=0.2, pause=0.01)
POSTS = "sendMessage"


class TelegramSide:
    """The emulated Bot API, and Ann's phone."""

    platform = "telegram"
    cannot: frozenset[str] = frozenset({"age", "told"})  # it drops updates itself after a day

    def __init__(self) -> None:
        self.emulator = Emulator()
        self.ann = Phone.new(self.emulator, "Ann")
        self.friends = self.ann.within(self.emulator.people.create_group("Friends", [self.ann.user_id]).id)

    async def start(self) -> None:
        """Listen on loopback."""
        await self.emulator.start()

    async def stop(self) -> None:
        """Close everything."""
        await self.emulator.stop()

    def adapter(self, blobs: Blobs) -> TelegramAdapter:
        """Make an adapter for our account."""
        return TelegramAdapter(token=self.emulator.token, base_url=self.emulator.url, blobs=blobs, pace=QUICK)

    def account(self) -> dict[str, object]:
        """Write the account down as the configuration does."""
        return {"token": self.emulator.token, "base_url": self.emulator.url}

    def talk(self) -> ConversationKey:
        """Name Ann's direct talk as the adapter does."""
        return ConversationKey(platform="telegram", account=str(BOT_ID), chat=str(self.ann.user_id), kind="direct")

    def group(self) -> str:
        """Write a group down."""
        return f"telegram:{self.friends.chat_id}"

    def call(self, text: str) -> None:
        """Let Ann say something that is meant for us."""
        self.friends.send(f"@{self.emulator.world.bot.username} {text}")

    def called(self) -> list[str]:
        """List the texts of ours in the group."""
        return [message.body.text for message in self.friends.from_bot()]

    def forget(self) -> None:
        """Telegram keeps its updates for a day."""

    def clock(self, clock: Clock) -> None:
        """Let Telegram go by another clock."""
        self.emulator.core.clock = self.emulator.core.updates.clock = clock

    def say(self, text: str) -> str:
        """Let Ann write."""
        return str(self.ann.send(text).id)

    def upload(self, name: str, content: bytes, caption: str = "") -> str:
        """Let Ann send a file."""
        return str(self.ann.send_file("document", content, name=name, caption=caption).id)

    def change(self, native: str, text: str) -> None:
        """Let Ann edit one of her messages."""
        self.ann.edit(self.ann.chat.messages[int(native)], text)

    def withdraw(self, native: str) -> None:
        """Telegram tells bots nothing of deleted messages."""

    def press(self, label: str) -> None:
        """Let Ann press the newest button with these words."""
        newest = next(message for message in reversed(self.ann.from_bot()) if message.body.markup)
        self.ann.press(newest, label)

    def reply(self, to: str, text: str) -> None:
        """Let Ann answer one of our messages."""
        self.ann.send(text, reply_to=next(one.id for one in reversed(self.ann.from_bot()) if one.body.text == to))

    def sign(self, to: str, emoji: str) -> None:
        """Let Ann react to one of our messages."""
        self.ann.react(next(one for one in reversed(self.ann.from_bot()) if to in one.body.text), emoji)

    def signs(self, native: str) -> list[str]:
        """List our reactions to one of Ann's messages."""
        return [str(one["emoji"]) for one in self.ann.chat.messages[int(native)].reactions.get(BOT_ID, ())]

    def shown(self) -> list[str]:
        """List the texts of ours that stand in the talk now."""
        return [message.body.text for message in self.ann.from_bot() if not message.body.media]

    def files(self) -> list[tuple[str, bytes]]:
        """List the files of ours that stand in the talk now."""
        found = []
        for message in self.ann.from_bot():
            for part in message.body.media.values():
                if isinstance(part, dict) and "file_id" in part:
                    name, number = str(part.get("file_name", "")), str(part["file_id"])
                    found.append((name, self.emulator.core.contents[number]))
        return found

    async def until(self, so: Callable[[], bool]) -> None:
        """Wait until something is so."""
        await self.ann.until(so)

    def lose_answer(self) -> None:
        """Let the next posting take effect and its answer be lost."""
        self.emulator.faults.add("cut", method=POSTS, count=1)

    def refuse(self, count: int = 1) -> None:
        """Let the next postings end in an error of the server."""
        self.emulator.faults.add("error", method=POSTS, code=502, count=count)

    def limit(self, seconds: int) -> None:
        """Let the next posting be refused for being too many."""
        self.emulator.faults.add("flood", method=POSTS, retry_after=seconds, count=1)

    def limit_edits(self, count: int) -> None:
        """Let the next edits be refused for being too many."""
        self.emulator.faults.add("flood", method="editMessageText", retry_after=1, count=count)

    def lose_files(self) -> None:
        """Let no file be had any more."""
        self.emulator.faults.add("error", method="getFile", code=400, description="Bad Request: file is gone")

    def cut(self) -> None:
        """Cut the poll."""
        self.emulator.faults.add("drop", method="getUpdates", count=1)
