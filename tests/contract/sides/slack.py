"""Slack's other side."""

from collections.abc import Callable

from adapters.slack.adapter import SlackAdapter
from adapters.slack.pace import Pace
from gateway.domain.ids import ConversationKey
from gateway.domain.ports import Clock
from playground.slack import Emulator, Person
from playground.slack.view import text_of
from tests.contract.sides.base import Blobs

QUICK = Pace(call=5.0, connect=2.0, ping=0.2, silence=1.0, overlap=1.0, steady=0.0, name=0.5, doubt=0.01, again=0.01)
POSTS = "chat.postMessage"
NAMES = {"👀": "eyes", "👍": "+1", "👎": "-1", "🔁": "repeat", "🗑": "wastebasket", "🎉": "tada"}


class SlackSide:
    """The emulated workspace, and Ann in her direct talk with the app."""

    platform = "slack"
    cannot: frozenset[str] = frozenset()

    def __init__(self) -> None:
        self.emulator = Emulator()
        self.ann = Person.new(self.emulator, "Ann")
        self.general = self.ann.within(self.emulator.people.create_channel("general", [self.ann.user]).id)

    async def start(self) -> None:
        """Listen on loopback."""
        await self.emulator.start()

    async def stop(self) -> None:
        """Close everything."""
        await self.emulator.stop()

    def adapter(self, blobs: Blobs) -> SlackAdapter:
        """Make an adapter for our account."""
        emulator = self.emulator
        return SlackAdapter(
            bot_token=emulator.bot_token,
            app_token=emulator.app_token,
            base_url=emulator.url,
            blobs=blobs,
            pace=QUICK,
        )

    def account(self) -> dict[str, object]:
        """Write the account down as the configuration does."""
        emulator = self.emulator
        return {"bot_token": emulator.bot_token, "app_token": emulator.app_token, "base_url": emulator.url}

    def talk(self) -> ConversationKey:
        """Name Ann's direct talk as the adapter does."""
        world = self.emulator.world
        account = f"{world.team}.{world.bot_user}"
        return ConversationKey(platform="slack", account=account, chat=self.ann.chat, kind="direct")

    def group(self) -> str:
        """Write a channel down."""
        return f"slack:{self.emulator.world.team}/{self.general.chat}"

    def call(self, text: str) -> None:
        """Let Ann say something that is meant for us."""
        self.general.say(f"@dragoman {text}")

    def called(self) -> list[str]:
        """List the texts of ours in the channel."""
        return self.general.texts()

    def forget(self) -> None:
        """Let Slack give up repeating what nobody acknowledged."""
        self.emulator.hub.forget()

    def clock(self, clock: Clock) -> None:
        """Let Slack go by another clock."""
        self.emulator.core.clock = clock

    def say(self, text: str) -> str:
        """Let Ann write."""
        return self.ann.say(text)

    def upload(self, name: str, content: bytes, caption: str = "") -> str:
        """Let Ann send a file."""
        return self.emulator.people.upload(self.ann.user, self.ann.chat, content, name=name, text=caption).ts

    def change(self, native: str, text: str) -> None:
        """Let Ann edit one of her messages."""
        self.emulator.people.edit(self.ann.chat, native, text)

    def withdraw(self, native: str) -> None:
        """Let Ann delete one of her messages."""
        self.emulator.people.delete(self.ann.chat, native)

    def press(self, label: str) -> None:
        """Let Ann press the newest button with these words."""
        newest = next(message for message in reversed(self.ann.shown()) if "choice-" in str(message.blocks))
        self.emulator.people.press(self.ann.user, self.ann.chat, newest.ts, label)

    def reply(self, to: str, text: str) -> None:
        """Let Ann open a thread at one of our messages, which is what a reply is in Slack."""
        root = next(one.ts for one in reversed(self.ann.shown()) if text_of(one) == to)
        self.ann.within(self.ann.chat, thread=root).say(text)

    def sign(self, to: str, emoji: str) -> None:
        """Let Ann react to one of our messages."""
        ts = next(one.ts for one in reversed(self.ann.shown()) if to in text_of(one))
        self.emulator.people.react(self.ann.user, self.ann.chat, ts, NAMES[emoji])

    def signs(self, native: str) -> list[str]:
        """List our reactions to one of Ann's messages."""
        names = {name: sign for sign, name in NAMES.items()}
        message, bot = self.ann.channel.messages[native], self.emulator.world.bot_user
        return [names.get(name, name) for name, users in message.reactions.items() if bot in users]

    def shown(self) -> list[str]:
        """List the texts of ours that stand in the talk now."""
        return [text_of(message) for message in self.ann.shown() if not message.files]

    def files(self) -> list[tuple[str, bytes]]:
        """List the files of ours that stand in the talk now."""
        files = self.emulator.world.files
        return [(files[one].name, files[one].content) for message in self.ann.shown() for one in message.files]

    async def until(self, so: Callable[[], bool]) -> None:
        """Wait until something is so."""
        await self.ann.until(so)

    def lose_answer(self) -> None:
        """Let the next posting take effect and its answer be lost."""
        self.emulator.faults.add("cut", method=POSTS, count=1)

    def refuse(self, count: int = 1) -> None:
        """Let the next postings end in an error of the server."""
        self.emulator.faults.add("html", method=POSTS, status=502, count=count)

    def limit(self, seconds: int) -> None:
        """Let the next posting be refused for being too many."""
        self.emulator.faults.add("flood", method=POSTS, retry_after=seconds, count=1)

    def limit_edits(self, count: int) -> None:
        """Let the next edits be refused for being too many."""
        self.emulator.faults.add("flood", method="chat.update", retry_after=1, count=count)

    def lose_files(self) -> None:
        """Let no file be had any more."""
        self.emulator.faults.add("html", method="download", status=404)

    def cut(self) -> None:
        """Cut the socket."""
        self.emulator.hub.drop()
