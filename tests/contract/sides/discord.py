"""Discord's other side."""

from collections.abc import Callable

from adapters.discord.adapter import DiscordAdapter
from adapters.discord.pace import Pace
from gateway.domain.ids import ConversationKey
from gateway.domain.ports import Clock
from playground.discord.client import Person
from playground.discord.emulator import BOT_ID, Emulator
from tests.contract.sides.base import Blobs

QUICK = Pace(call=2.0, connect=2.0, silence=5.0, close=0.2, again=0.01, invalid=0.01, steady=0.0, doubt=2.0)
POSTS = "POST messages"


class DiscordSide:
    """The emulated REST API and gateway, and Ann's client."""

    platform = "discord"
    cannot: frozenset[str] = frozenset()

    def __init__(self) -> None:
        self.emulator = Emulator()
        self.ann = Person.new(self.emulator, "Ann")
        self.emulator.people.create_guild("Friends", [self.ann.user])
        self.general = self.ann.within(next(one.id for one in self.emulator.world.channels.values() if one.guild))

    async def start(self) -> None:
        """Listen on loopback."""
        await self.emulator.start()

    async def stop(self) -> None:
        """Close everything."""
        await self.emulator.stop()

    def adapter(self, blobs: Blobs) -> DiscordAdapter:
        """Make an adapter for our account."""
        emulator = self.emulator
        return DiscordAdapter(
            token=emulator.token, base_url=emulator.url, gateway_url=emulator.gateway_url, blobs=blobs, pace=QUICK
        )

    def account(self) -> dict[str, object]:
        """Write the account down as the configuration does."""
        emulator = self.emulator
        return {"token": emulator.token, "base_url": emulator.url, "gateway_url": emulator.gateway_url}

    def talk(self) -> ConversationKey:
        """Name Ann's direct talk as the adapter does."""
        return ConversationKey(platform="discord", account=str(BOT_ID), chat=str(self.ann.channel_id), kind="direct")

    def group(self) -> str:
        """Write a channel down."""
        return f"discord:{self.general.channel_id}"

    def call(self, text: str) -> None:
        """Let Ann say something that is meant for us."""
        self.general.say(f"<@{BOT_ID}> {text}")

    def called(self) -> list[str]:
        """List the texts of ours in the channel."""
        return self.general.texts()

    def forget(self) -> None:
        """Let the session be over."""
        self.emulator.gateway.forget()

    def clock(self, clock: Clock) -> None:
        """Let Discord go by another clock."""
        self.emulator.core.clock = self.emulator.gateway.clock = clock

    def say(self, text: str) -> str:
        """Let Ann write."""
        return str(self.ann.say(text).id)

    def upload(self, name: str, content: bytes, caption: str = "") -> str:
        """Let Ann send a file."""
        return str(self.ann.upload(name, content, text=caption).id)

    def change(self, native: str, text: str) -> None:
        """Let Ann edit one of her messages."""
        self.ann.edit(int(native), text)

    def withdraw(self, native: str) -> None:
        """Let Ann delete one of her messages."""
        self.ann.delete(int(native))

    def press(self, label: str) -> None:
        """Let Ann press the newest button with these words."""
        newest = next(message for message in reversed(self.ann.from_bot()) if message.components)
        self.ann.press(newest.id, label)

    def reply(self, to: str, text: str) -> None:
        """Let Ann answer one of our messages."""
        self.ann.say(text, reply_to=next(one.id for one in reversed(self.ann.from_bot()) if one.content == to))

    def sign(self, to: str, emoji: str) -> None:
        """Let Ann react to one of our messages."""
        self.ann.react(next(one.id for one in reversed(self.ann.from_bot()) if to in one.content), emoji)

    def signs(self, native: str) -> list[str]:
        """List our reactions to one of Ann's messages."""
        message = self.ann.channel.messages[int(native)]
        return [emoji for emoji, users in message.reactions.items() if BOT_ID in users]

    def shown(self) -> list[str]:
        """List the texts of ours that stand in the talk now."""
        return [message.content for message in self.ann.from_bot() if not message.files]

    def files(self) -> list[tuple[str, bytes]]:
        """List the files of ours that stand in the talk now."""
        return [(file.name, file.content) for message in self.ann.from_bot() for file in message.files]

    async def until(self, so: Callable[[], bool]) -> None:
        """Wait until something is so."""
        await self.ann.until(so)

    def lose_answer(self) -> None:
        """Let the next posting take effect and its answer be lost."""
        self.emulator.faults.add("cut", route=POSTS, count=1)

    def refuse(self, count: int = 1) -> None:
        """Let the next postings end in an error of the server."""
        self.emulator.faults.add("error", route=POSTS, status=502, count=count)

    def limit(self, seconds: int) -> None:
        """Let the next posting be refused for being too many."""
        self.emulator.faults.add("flood", route=POSTS, retry_after=seconds, count=1)

    def limit_edits(self, count: int) -> None:
        """Let the next edits be refused for being too many."""
        self.emulator.faults.add("flood", route="PATCH message", retry_after=1, count=count)

    def lose_files(self) -> None:
        """Let no file be had any more."""
        self.emulator.faults.add("error", route="GET cdn", status=404)

    def cut(self) -> None:
        """Cut the gateway's connection."""
        self.emulator.gateway.drop()
