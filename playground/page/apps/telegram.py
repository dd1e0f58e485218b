"""The emulated Telegram on the page."""

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from playground.changes import Changes, Place
from playground.page.apps.base import GROUP_TITLE, Active, Json, number, word
from playground.telegram import Emulator
from playground.telegram.acts import Acts
from playground.telegram.errors import ApiError
from playground.telegram.faults import NO_POLLS, Fault
from playground.telegram.view import message_view
from playground.telegram.world import Chat, Message

FLOOD_SECONDS = 5
OUTAGE_SECONDS = 30.0
TYPING_SECONDS = 6.0
KINDS = ("photo", "document", "voice", "audio", "video", "animation")


class TelegramApp:
    """Direct talks and a group with the bot."""

    name = "telegram"
    title = "Telegram"
    reshaping = frozenset({"user", "chat", "commands", "migrate"})

    def __init__(self, state: Path | None = None) -> None:
        self.emulator = Emulator(state=state)
        self.world = self.emulator.world
        emulator = self.emulator
        self.table = Acts(emulator.core, emulator.people, emulator.membership, emulator.faults).table()

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
        """Bring people and their group in."""
        for name in people:
            if name.lower() not in self.world.names:
                self.emulator.people.create_user(name, username=name.lower())
        if not any(chat.title == GROUP_TITLE for chat in self.world.chats.values()):
            members = [self.world.names[name.lower()] for name in people]
            self.emulator.people.create_group(GROUP_TITLE, members, kind="supergroup")

    def configuration(self) -> Json:
        """Write down the account."""
        return {"token": self.emulator.token, "base_url": self.emulator.url}

    def identity(self, person: str) -> str:
        """Name a person."""
        return f"telegram:{self.world.names[person.lower()]}"

    def group(self) -> str:
        """Name the group."""
        return f"telegram:{next(chat.id for chat in self.world.chats.values() if chat.title == GROUP_TITLE)}"

    def talks(self) -> list[Json]:
        """Show every talk."""
        return [self._talk(chat) for chat in self.world.chats.values() if not chat.migrated_to]

    def talk(self, place: Place) -> Json | None:
        """Show one talk."""
        chat = self.world.chats.get(int(place))
        return self._talk(chat) if chat is not None and not chat.migrated_to else None

    def _talk(self, chat: Chat) -> Json:
        direct = chat.kind == "private"
        people = [chat.id] if direct else [one for one in chat.members if not self.world.users[one].is_bot]
        title = self.world.users[chat.id].first_name if direct else chat.title
        commands = [one for scope in self.world.commands.values() for one in scope]
        action, at = chat.action
        return {
            "id": str(chat.id),
            "title": title,
            "direct": direct,
            "people": [{"id": str(one), "name": self.world.users[one].first_name} for one in people],
            "placeholder": f"Message as {title}" if direct else f"Mention @{self.world.bot.username}",
            "status": action.replace("_", " ") if time.time() - at < TYPING_SECONDS else "",
            "commands": list({one["command"]: one for one in commands}.values()),
        }

    def messages(self, place: str, most: int) -> list[Json]:
        """Show the newest messages of a talk."""
        shown = [one for one in self.world.chats[int(place)].messages.values() if not one.deleted_at]
        return [self._message(one) for one in shown[-most:]]

    def message(self, place: Place, number: Place) -> Json | None:
        """Show one message."""
        chat = self.world.chats.get(int(place))
        found = chat.messages.get(int(number)) if chat else None
        return self._message(found) if found else None

    def _message(self, message: Message) -> Json:
        view = message_view(self.world, message)
        service = next(iter(message.service), "")
        markup = view.get("reply_markup")
        rows = markup.get("inline_keyboard", []) if isinstance(markup, dict) else []
        quote = view["quote"]
        return {
            "talk": str(message.chat),
            "id": str(message.id),
            "sender": str(message.sender),
            **{name: view[name] for name in ("name", "from_bot", "date", "edits", "deleted")},
            "reply_to": str(message.reply_to or ""),
            "quote": quote.get("text", "") if isinstance(quote, dict) else "",
            "text": view.get("text") or view.get("caption") or special(view),
            "entities": view.get("entities") or view.get("caption_entities") or [],
            "service": f"{view['name']}: {service.replace('_', ' ')}" if service else "",
            "files": files(view),
            "buttons": [[{"text": one["text"], "press": one.get("callback_data", "")} for one in row] for row in rows],
            "reactions": counted(message),
        }  # fmt: skip

    def answered(self, event: Json) -> str:
        """Give what the bot said to the newest press of a button."""
        if event["kind"] != "press_answered":
            return ""
        place = (event["chat"], event["message"])
        presses = [press for press in self.world.presses.values() if (press.chat, press.message) == place]
        said = next((press.answer for press in reversed(presses) if press.answer), None) or {}
        return str(said.get("text", ""))

    def acts(self) -> Mapping[str, Callable[[Json], object]]:
        """What a person can do."""
        return {
            "say": lambda body: self._do("send_text", body, text=word(body, "text"), reply_to=number(body, "reply_to")),
            "edit": lambda body: self._do("edit_text", body, text=word(body, "text")),
            "delete": lambda body: self._do("delete", body),
            "react": lambda body: self._do("react", body, emoji=word(body, "emoji")),
            "press": lambda body: self._do("press", body, data=word(body, "press")),
            "send_file": lambda body: self._do(
                "send_file", body, kind="photo" if word(body, "mime") in ("image/png", "image/jpeg") else "document",
                name=word(body, "name"), mime=word(body, "mime"), content=word(body, "content"),
                caption=word(body, "text"),
            ),
        }  # fmt: skip

    def _do(self, act: str, body: Json, **more: object) -> object:
        place = {"user": number(body, "user"), "chat": number(body, "talk"), "message": number(body, "message")}
        try:
            return self.table[act]({**place, **more})
        except ApiError as error:
            raise ValueError(error.description) from None

    def content(self, file: str) -> bytes | None:
        """Give the bytes of a file."""
        return self.emulator.core.contents.get(file)

    def troubles(self) -> Mapping[str, Callable[[], Active]]:
        """What can be made to go wrong."""
        add = self.emulator.faults.add
        return {
            "flood": lambda: shown(add("flood", method=NO_POLLS, count=1, retry_after=FLOOD_SECONDS)),
            "cut": lambda: shown(add("cut", method=NO_POLLS, count=1)),
            "outage": lambda: shown(add("error", method="*", code=502, seconds=OUTAGE_SECONDS)),
            "freeze": lambda: shown(self.emulator.faults.freeze()),
        }

    def ongoing(self, fault: int) -> bool:
        """Whether a trouble is still on."""
        return any(one.id == fault for one in self.emulator.faults.active)

    def end(self, fault: int) -> None:
        """End a trouble."""
        self.emulator.faults.clear(fault)


def shown(fault: Fault) -> Active:
    """Remember a fault of the emulator."""
    return Active(until=fault.until, fault=fault.id)


def special(view: Mapping[str, object]) -> str:
    """Say what has neither words nor a file."""
    match view:
        case {"location": {"latitude": latitude, "longitude": longitude}}:
            return f"📍 {latitude}, {longitude}"
        case {"sticker": {"emoji": emoji}}:
            return str(emoji)
        case {"contact": {"first_name": name}}:
            return f"👤 {name}"
    return ""


def files(view: Mapping[str, object]) -> list[Json]:
    """List what can be saved or seen."""
    found: list[Json] = []
    for kind in KINDS:
        value = view.get(kind)
        file = value[-1] if isinstance(value, list) and value else value
        if isinstance(file, dict):
            name = file.get("file_name") or kind
            found.append(
                {"id": file["file_id"], "name": name, "size": file.get("file_size") or 0, "picture": kind == "photo"}
            )
    return found  # fmt: skip


def counted(message: Message) -> list[list[object]]:
    """Count reactions."""
    emojis = [str(one.get("emoji", "★")) for reactions in message.reactions.values() for one in reactions]
    return [[emoji, emojis.count(emoji)] for emoji in dict.fromkeys(emojis)]
