"""The emulated Slack on the page."""

import base64
import html
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from playground.changes import Changes, Place
from playground.page.apps.base import GROUP_TITLE, Active, Json, word
from playground.page.apps.marks import Marked
from playground.slack import Emulator, blocks
from playground.slack.errors import ApiError
from playground.slack.faults import Fault
from playground.slack.world import Channel, Message

POSTS = "chat.postMessage"
FLOOD_SECONDS = 5
PING = re.compile(r"<@(\w+)(?:\|[^>]*)?>")
STYLES = {"bold": "bold", "italic": "italic", "strike": "strikethrough", "code": "code", "underline": "underline"}
EMOJI = {
    "+1": "👍", "-1": "👎", "heart": "❤", "fire": "🔥", "tada": "🎉", "cry": "😢", "eyes": "👀", "repeat": "🔁",
    "wastebasket": "🗑", "hourglass_flowing_sand": "⏳", "white_check_mark": "✅", "ok_hand": "👌",
}  # fmt: skip


class SlackApp:
    """Direct talks and a channel; a thread is shown as replies."""

    name = "slack"
    title = "Slack"
    reshaping = frozenset({"channel"})

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
        """Bring people and their channel in."""
        if not self.world.channels:
            members = [self.people.create_user(name).id for name in people]
            for member in members:
                self.people.open_dm(member)
            self.people.create_channel(GROUP_TITLE.lower(), members)

    def configuration(self) -> Json:
        """Write down the account."""
        emulator = self.emulator
        return {"bot_token": emulator.bot_token, "app_token": emulator.app_token, "base_url": emulator.url}

    def identity(self, person: str) -> str:
        """Name a person."""
        return (
            f"slack:{self.world.team}/{next(user.id for user in self.world.users.values() if user.real_name == person)}"
        )

    def group(self) -> str:
        """Name the channel."""
        found = next(one for one in self.world.channels.values() if one.name == GROUP_TITLE.lower())
        return f"slack:{self.world.team}/{found.id}"

    def talks(self) -> list[Json]:
        """Show every talk."""
        return [self._talk(one) for one in self.world.channels.values()]

    def talk(self, place: Place) -> Json | None:
        """Show one talk."""
        channel = self.world.channels.get(str(place))
        return self._talk(channel) if channel else None

    def _talk(self, channel: Channel) -> Json:
        direct = channel.kind == "im"
        members = [channel.user] if direct else sorted(channel.members)
        people = [user for one in members if not (user := self.world.users[one]).is_bot]
        bot = self.world.users[self.world.bot_user].name
        return {
            "id": channel.id,
            "title": people[0].real_name if direct else f"#{channel.name}",
            "direct": direct,
            "people": [{"id": user.id, "name": user.real_name} for user in people],
            "placeholder": f"Message as {people[0].real_name}" if direct else f"Mention @{bot}",
            "status": next((status for status in channel.status.values() if status), ""),
            "commands": [],
        }  # fmt: skip

    def messages(self, place: str, most: int) -> list[Json]:
        """Show the newest messages of a talk."""
        shown = [one for one in self.world.channels[place].messages.values() if not one.deleted]
        return [self._message(one) for one in shown[-most:]]

    def message(self, place: Place, number: Place) -> Json | None:
        """Show one message."""
        channel = self.world.channels.get(str(place))
        found = channel.messages.get(str(number)) if channel else None
        return self._message(found) if found else None

    def _message(self, message: Message) -> Json:
        marked = self._marked(message)
        rows = blocks.buttons(message.blocks)
        files = [self.world.files[one] for one in message.files]
        joined = message.subtype in ("channel_join", "group_join")
        return {
            "talk": message.channel,
            "id": message.ts,
            "sender": message.user,
            "name": self._name(message.user),
            "from_bot": message.user == self.world.bot_user,
            "date": float(message.ts),
            "edits": len(message.versions) - 1,
            "deleted": message.deleted,
            "reply_to": message.thread_ts if message.thread_ts != message.ts else "",
            "text": marked.text,
            "entities": marked.entities,
            "service": marked.text if joined else "",
            "files": [
                {"id": one.id, "name": one.name, "size": len(one.content), "picture": one.mime.startswith("image/")}
                for one in files
            ],
            "buttons": [[pressable(one) for one in rows]] if rows else [],
            "reactions": [[EMOJI.get(name, f":{name}:"), len(who)] for name, who in message.reactions.items() if who],
        }

    def _marked(self, message: Message) -> Marked:
        marked = Marked()
        if not message.blocks:
            marked.text = html.unescape(PING.sub(lambda found: f"@{self._name(found[1])}", message.text))
        for block in message.blocks:
            if marked.text and block.get("type") != "actions":
                marked.add("\n")
            if block.get("type") == "rich_text":
                self._parts(marked, block)
            elif block.get("type") == "markdown":
                marked.read(str(block.get("text")))
            else:
                marked.add(blocks.shown([block]))
        return marked

    def _parts(self, marked: Marked, block: Mapping[str, object]) -> None:
        for place, part in enumerate(blocks.children(dict(block))):
            kind = part.get("type")
            marked.add("\n" if place else "")
            if kind == "rich_text_list":
                self._parts_of_list(marked, part)
                continue
            start = Marked(text=marked.text)
            for leaf in blocks.children(part):
                self._leaf(marked, leaf)
            outer = {"rich_text_preformatted": "pre", "rich_text_quote": "blockquote"}.get(str(kind))
            if outer:
                whole = marked.text[len(start.text) :]
                marked.text = start.text
                marked.add(whole, outer)

    def _parts_of_list(self, marked: Marked, part: Mapping[str, object]) -> None:
        for place, item in enumerate(blocks.children(dict(part))):
            marked.add("\n• " if place else "• ")
            for leaf in blocks.children(item):
                self._leaf(marked, leaf)

    def _leaf(self, marked: Marked, leaf: Mapping[str, object]) -> None:
        styles = leaf.get("style")
        kinds = (
            [STYLES[name] for name, on in styles.items() if on and name in STYLES] if isinstance(styles, dict) else []
        )
        if leaf.get("type") == "user":
            marked.add(f"@{self._name(str(leaf.get('user_id')))}", "mention")
        elif leaf.get("type") == "link":
            marked.add(str(leaf.get("text") or leaf.get("url")), "text_link", url=leaf.get("url"))
        else:
            marked.add(blocks.shown([{"type": "rich_text", "elements": [{"type": "", "elements": [leaf]}]}]), *kinds)

    def _name(self, user: str) -> str:
        return self.world.users[user].real_name if user in self.world.users else user

    def answered(self, _event: Json) -> str:
        """Slack shows what answers a press as a message."""
        return ""

    def acts(self) -> Mapping[str, Callable[[Json], object]]:
        """What a person can do; a text that begins with a slash goes to the app's command."""
        acts = {
            "say": self._say,
            "edit": self._edit,
            "delete": self._delete,
            "react": self._react,
            "press": self._press,
            "send_file": self._upload,
        }
        return {name: refusing(act) for name, act in acts.items()}

    def _say(self, body: Json) -> object:
        user, place, text = word(body, "user"), word(body, "talk"), word(body, "text")
        if text.startswith("/"):
            self.people.slash(user, place, text[1:])
            return True
        return self.people.say(user, place, text, thread=self._thread(body)).ts

    def _thread(self, body: Json) -> str:
        """Find the thread that a reply belongs to."""
        root = word(body, "reply_to")
        message = self.world.channels[word(body, "talk")].messages.get(root)
        return (message.thread_ts or message.ts) if message else ""

    def _edit(self, body: Json) -> object:
        return self.people.edit(word(body, "talk"), word(body, "message"), word(body, "text")).ts

    def _delete(self, body: Json) -> object:
        self.people.delete(word(body, "talk"), word(body, "message"))
        return True

    def _react(self, body: Json) -> object:
        names = {emoji: name for name, emoji in EMOJI.items()}
        name = names.get(word(body, "emoji"), "eyes")
        self.people.react(word(body, "user"), word(body, "talk"), word(body, "message"), name)
        return True

    def _press(self, body: Json) -> object:
        return self.people.press(word(body, "user"), word(body, "talk"), word(body, "message"), word(body, "press"))

    def _upload(self, body: Json) -> object:
        content = base64.b64decode(word(body, "content"), validate=True)
        name, mime = word(body, "name") or "file", word(body, "mime") or "application/octet-stream"
        place, text = (word(body, "user"), word(body, "talk")), word(body, "text")
        return self.people.upload(*place, content, name=name, mime=mime, text=text, thread=self._thread(body)).ts

    def content(self, file: str) -> bytes | None:
        """Give the bytes of a file."""
        found = self.world.files.get(file)
        return found.content if found else None

    def troubles(self) -> Mapping[str, Callable[[], Active]]:
        """What can be made to go wrong."""
        add = self.emulator.faults.add
        return {
            "flood": lambda: shown(add("flood", method=POSTS, count=1, retry_after=FLOOD_SECONDS)),
            "cut": lambda: shown(add("cut", method=POSTS, count=1)),
            "drop": self._drop,
            "freeze": lambda: shown(add("hang")),
        }

    def _drop(self) -> Active:
        self.emulator.hub.drop()
        return Active(until=1.0)

    def ongoing(self, fault: int) -> bool:
        """Whether a trouble is still on."""
        return any(one.id == fault for one in self.emulator.faults.active)

    def end(self, fault: int) -> None:
        """End a trouble."""
        self.emulator.faults.clear(fault)


def refusing(act: Callable[[Json], object]) -> Callable[[Json], object]:
    """Say in words what Slack refuses."""

    def acting(body: Json) -> object:
        try:
            return act(body)
        except (ApiError, KeyError) as error:
            raise ValueError(str(error)) from None

    return acting


def pressable(button: Mapping[str, object]) -> Json:
    """Show a button."""
    label = button.get("text")
    return {"text": label.get("text", "") if isinstance(label, dict) else "", "press": button.get("value", "")}


def shown(fault: Fault) -> Active:
    """Remember a fault of the emulator."""
    return Active(fault=fault.id)
