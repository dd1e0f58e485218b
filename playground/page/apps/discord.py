"""The emulated Discord on the page."""

import base64
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from playground.changes import Changes, Place
from playground.discord import Emulator
from playground.discord.faults import Fault
from playground.discord.world import DIRECT, THREADS, Channel, Message, User
from playground.page.apps.base import GROUP_TITLE, Active, Json, number, word
from playground.page.apps.marks import Marked

POSTS = "POST messages"
FLOOD_SECONDS = 5.0
OUTAGE_SECONDS = 30.0
PING = re.compile(r"<@!?(\d+)>")


class DiscordApp:
    """Direct talks, a server with its channels, and threads."""

    name = "discord"
    title = "Discord"
    reshaping = frozenset({"user", "channel", "commands"})

    def __init__(self, state: Path | None = None) -> None:
        self.emulator = Emulator(state=state)
        self.world = self.emulator.world
        self.people = self.emulator.people

    @property
    def changes(self) -> Changes:
        """Where it tells what happens."""
        return self.emulator.core.changes

    async def start(self) -> None:
        """Listen on loopback."""
        await self.emulator.start()

    async def stop(self) -> None:
        """Close everything."""
        await self.emulator.stop()

    def furnish(self, people: Sequence[str]) -> None:
        """Bring people and their server in."""
        if not self.world.guilds:
            members = [self.people.create_user(name).id for name in people]
            for member in members:
                self.people.direct(member)
            self.people.create_guild(GROUP_TITLE, members)

    def configuration(self) -> Json:
        """Write down the account."""
        emulator = self.emulator
        return {"token": emulator.token, "base_url": emulator.url, "gateway_url": emulator.gateway_url}

    def identity(self, person: str) -> str:
        """Name a person."""
        return f"discord:{next(user.id for user in self.world.users.values() if user.name == person)}"

    def group(self) -> str:
        """Name the server's channel."""
        return f"discord:{next(one.id for one in self.world.channels.values() if one.guild)}"

    def talks(self) -> list[Json]:
        """Show every talk."""
        return [self._talk(one) for one in self.world.channels.values()]

    def talk(self, place: Place) -> Json | None:
        """Show one talk."""
        channel = self.world.channels.get(int(place))
        return self._talk(channel) if channel else None

    def _talk(self, channel: Channel) -> Json:
        direct = channel.kind == DIRECT
        inside = channel.users if direct else list(self.world.guilds[channel.guild].members)
        people = [user for one in inside if not (user := self.world.users[one]).bot]
        bot = self.world.bot.name
        return {
            "id": str(channel.id),
            "title": people[0].name if direct else f"{'🧵 ' if channel.kind in THREADS else '#'}{channel.name}",
            "direct": direct,
            "people": [{"id": str(user.id), "name": user.name} for user in people],
            "placeholder": f"Message as {people[0].name}" if direct else f"Mention @{bot}",
            "status": "typing" if channel.typing > self.emulator.core.clock() else "",
            "commands": self._commands(channel),
        }

    def _commands(self, channel: Channel) -> list[Json]:
        found = [command.get("options") for command in self.people.commands(channel)]
        words = [one for options in found if isinstance(options, list) for one in options if isinstance(one, dict)]
        return [{"command": one["name"], "description": one.get("description", "")} for one in words]

    def messages(self, place: str, most: int) -> list[Json]:
        """Show the newest messages of a talk."""
        shown = [one for one in self.world.channels[int(place)].messages.values() if not one.deleted]
        return [self._message(one) for one in shown[-most:]]

    def message(self, place: Place, number: Place) -> Json | None:
        """Show one message."""
        channel = self.world.channels.get(int(place))
        found = channel.messages.get(int(number)) if channel else None
        return self._message(found) if found else None

    def _message(self, message: Message) -> Json:
        users, marked = self.world.users, Marked()
        marked.read(
            PING.sub(lambda found: f"@{users[int(found[1])].name}" if int(found[1]) in users else "@?", message.content)
        )
        rows = [row["components"] for row in message.components if isinstance(row["components"], list)]
        return {
            "talk": str(message.channel),
            "id": str(message.id),
            "sender": str(message.author),
            "name": users[message.author].name,
            "from_bot": message.author == self.world.bot.id,
            "date": message.at,
            "edits": len(message.versions) - 1,
            "deleted": message.deleted,
            "reply_to": str(message.reference or ""),
            "text": marked.text,
            "entities": marked.entities,
            "note": f"Only {users[message.only_for].name} sees this" if message.only_for else "",
            "files": [
                {"id": str(one.id), "name": one.name, "size": one.size, "picture": one.mime.startswith("image/")}
                for one in message.files
            ],
            "buttons": [[pressable(one) for one in row] for row in rows],
            "reactions": [[emoji, len(who)] for emoji, who in message.reactions.items() if who],
        }  # fmt: skip

    def answered(self, _event: Json) -> str:
        """Discord shows what answers a press as a message."""
        return ""

    def acts(self) -> Mapping[str, Callable[[Json], object]]:
        """What a person can do; a text that begins with a slash is one of the bot's commands."""
        return {
            "say": self._say,
            "edit": self._edit,
            "delete": self._delete,
            "react": self._react,
            "press": self._press,
            "send_file": self._upload,
        }

    def _say(self, body: Json) -> object:
        user, channel, text = number(body, "user"), number(body, "talk"), word(body, "text")
        if text.startswith("/"):
            command, _, rest = text[1:].partition(" ")
            return str(self.people.slash(user, channel, command, rest.strip()).id)
        return str(self.people.say(user, channel, self._typed(text), reply_to=number(body, "reply_to")).id)

    def _typed(self, text: str) -> str:
        """Turn @names into what Discord's own client sends."""
        named: dict[str, User] = {user.name.lower(): user for user in self.world.users.values()}
        return re.sub(
            r"@(\w+)", lambda found: f"<@{named[name].id}>" if (name := found[1].lower()) in named else found[0], text
        )

    def _edit(self, body: Json) -> object:
        self.people.edit(*place(body), self._typed(word(body, "text")))
        return True

    def _delete(self, body: Json) -> object:
        self.people.delete(*place(body))
        return True

    def _react(self, body: Json) -> object:
        self.people.react(*place(body), word(body, "emoji"))
        return True

    def _press(self, body: Json) -> object:
        return str(self.people.press(*place(body), word(body, "press")).id)

    def _upload(self, body: Json) -> object:
        content = base64.b64decode(word(body, "content"), validate=True)
        user, channel = number(body, "user"), number(body, "talk")
        name, mime = word(body, "name") or "file", word(body, "mime")
        return str(self.people.upload(user, channel, name, content, mime=mime, text=word(body, "text")).id)

    def content(self, file: str) -> bytes | None:
        """Give the bytes of a file."""
        found = self.world.files.get(int(file)) if file.isdecimal() else None
        return found.content if found else None

    def troubles(self) -> Mapping[str, Callable[[], Active]]:
        """What can be made to go wrong."""
        add = self.emulator.faults.add
        return {
            "flood": lambda: shown(add("flood", route=POSTS, count=1, retry_after=FLOOD_SECONDS)),
            "cut": lambda: shown(add("cut", route=POSTS, count=1)),
            "drop": self._drop,
            "freeze": lambda: shown(add("hang")),
        }

    def _drop(self) -> Active:
        self.emulator.gateway.forget()
        self.emulator.gateway.drop()
        return Active(until=1.0)

    def ongoing(self, fault: int) -> bool:
        """Whether a trouble is still on."""
        return any(one.id == fault for one in self.emulator.faults.active)

    def end(self, fault: int) -> None:
        """End a trouble."""
        self.emulator.faults.clear(fault)


def pressable(button: Mapping[str, object]) -> Json:
    """Show a button; one that is switched off cannot be pressed."""
    return {"text": button.get("label", ""), "press": "" if button.get("disabled") else button.get("custom_id", "")}


def place(body: Json) -> tuple[int, int, int]:
    """Read who, where and which message."""
    return number(body, "user"), number(body, "talk"), number(body, "message")


def shown(fault: Fault) -> Active:
    """Remember a fault of the emulator."""
    return Active(fault=fault.id)
